"""What becomes of a play whose story has ended before its time."""

from __future__ import annotations

from typing import Literal

from agents.answers import AgentResponse
from environments.game import Game, Step
from environments.python_game import PythonStory
from environments.story import Story
from managers.language.history import UNDO
from orchestrator.state import Before, Proposal, Score, State

AfterEnd = Literal["stop", "undo", "restart"]
"""The run ends; the last command is taken back; the story begins anew."""
RESTART = "restart"
TAKEN_BACK = "[`{}` is taken back: all is as it was before it.]"
BEGINS_ANEW = "[The story begins anew.]"


def possible(after_end: AfterEnd, story: Story | PythonStory) -> AfterEnd:
    """What can be done after an end: where a story cannot take back, it begins anew."""
    return "restart" if after_end == UNDO and not story.takes_back else after_end


def way_on(score: Score, after_end: AfterEnd) -> str:
    """The command by which the play goes on; empty where the story has not ended, or all has."""
    last = score.last
    return after_end if last.ended and not last.won and after_end != "stop" else ""


def going_on(turn: int, command: str) -> Proposal:
    """That command as a proposal."""
    response = AgentResponse(thinking="The story has ended.", action=command)
    return Proposal(turn=turn, attempt=1, response=response, command=command)


def gone_on(game: Game, seed: int, command: str, last: str, before: Step | None) -> Step:
    """What that command brings, after `last` has ended the story."""
    if command == UNDO and before is not None:
        told = {"text": TAKEN_BACK.format(last)}
        observation = before.observation.model_copy(update=told)
        tally = before.tally.model_copy(update={"died": False, "tried": 0})
        return Step(observation, before.snapshot, tally)
    step = game.start(seed)
    text = f"{BEGINS_ANEW}\n\n{step.observation.text}"
    return step._replace(observation=step.observation.model_copy(update={"text": text}))


def stood(state: State) -> Before:
    """Where the play stands, to come back to."""
    return Before(
        observation=state["observation"],
        snapshot=state["snapshot"],
        tally=state["score"].last,
        world=state["world"],
        here=state["map"]["here"],
    )
