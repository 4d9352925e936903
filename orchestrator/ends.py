"""What becomes of a play whose story has ended before its time."""

from __future__ import annotations

from typing import Literal

from agents.answers import AgentResponse
from environments.game import Game, Step
from environments.python_game import PythonStory
from environments.story import Story
from orchestrator.state import Before, Proposal, Score, State

AfterEnd = Literal["stop", "undo", "restart"]
"""The run ends; the last command is taken back; the story begins anew."""
UNDO, RESTART = "undo", "restart"
TAKEN_BACK = "[The last command is taken back.]"
BEGINS_ANEW = "[The story begins anew.]"


def possible(after_end: AfterEnd, story: Story | PythonStory) -> AfterEnd:
    """What can be done after an end: where a story cannot take back, it begins anew."""
    return "restart" if after_end == UNDO and not story.takes_back else after_end


def way_on(score: Score, after_end: AfterEnd) -> str:
    """The command by which the play goes on; empty where the story has not ended, or all has."""
    last = score.last
    return after_end if last.ended and not last.won and after_end != "stop" else ""


def going_on(turn: int, command: str) -> Proposal:
    """That command as a proposal; who takes something back looks around first."""
    response = AgentResponse(thinking="The story has ended.", action=command)
    pending = ("look", "inventory") if command == UNDO else ()
    return Proposal(turn=turn, attempt=1, response=response, command=command, pending=pending)


def gone_on(game: Game, seed: int, command: str, before: Before | None) -> Step:
    """What that command brings."""
    if command == UNDO and before is not None:
        observation = before.observation.model_copy(update={"text": TAKEN_BACK})
        tally = before.tally.model_copy(update={"died": False, "tried": 0})
        return Step(observation, before.snapshot, tally)
    step = game.start(seed)
    text = f"{BEGINS_ANEW}\n\n{step.observation.text}"
    return step._replace(observation=step.observation.model_copy(update={"text": text}))


def stood(state: State) -> Before:
    """Where the play stands, to come back to."""
    return Before(
        observation=state["observation"], snapshot=state["snapshot"], tally=state["score"].last
    )
