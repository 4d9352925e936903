"""What becomes of a play whose story has ended before its time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol, TypeVar

from agents.answers import AgentResponse
from environments.game import Game, Step
from environments.python_game import PythonStory
from environments.story import Story
from managers.language.history import BEGINS_ANEW, UNDO
from managers.planning.objectives import Objective
from managers.planning.progress import ACTOR_SAYS
from managers.world.knowledge import Knowledge
from orchestrator.state import Before, Line, Proposal, Score, State

AfterEnd = Literal["stop", "undo", "restart"]
"""The run ends; the last commands are taken back; the story begins anew."""
RESTART = "restart"
MOST_BACK = 32
"""More commands are not taken back at once: then the story begins anew."""
TAKEN_BACK = "[`{}` is taken back: all is as it was before it.]"
ALL_TAKEN_BACK = "[The last {} commands are taken back: all is as it was before them.]"


class Stand(Protocol):
    """Where a play once stood."""

    @property
    def at(self) -> int:
        """After so many commands of its line."""

    @property
    def step(self) -> Step:
        """What the last of them had brought."""


S = TypeVar("S", bound=Stand)


def possible(after_end: AfterEnd, story: Story | PythonStory) -> AfterEnd:
    """What can be done after an end: where a story cannot take back, it begins anew."""
    return "restart" if after_end == UNDO and not story.takes_back else after_end


def way_on(score: Score, after_end: AfterEnd) -> str:
    """The command by which the play goes on; empty where the story has not ended, or all has."""
    last = score.last
    if not last.ended or last.won or after_end == "stop":
        return ""
    return RESTART if wanted(score.line) > MOST_BACK else after_end


def wanted(line: Line) -> int:
    """How many commands to take back: twice as many where what was taken back led here again."""
    return 2 * line.back if 0 < line.length <= line.ended else 1


def going_on(turn: int, command: str) -> Proposal:
    """That command as a proposal."""
    response = AgentResponse(thinking="The story has ended.", action=command)
    return Proposal(turn=turn, attempt=1, response=response, command=command)


def back_to(stands: Sequence[S], line: Line) -> S | None:
    """Where an end is taken back to; the latest stand comes first."""
    far_enough = (one for one in stands if one.at <= line.length - wanted(line))
    return next(far_enough, stands[-1] if stands else None)


def stands_after(stands: Sequence[S], came_back: S | None, now: S | None, line: Line) -> list[S]:
    """Where the play may come back to after a turn, the latest first: about 1, 2, 4, 8, ... ago.

    Args:
        stands: those before the turn.
        came_back: the one that this turn came back to; it stays the first.
        now: the one that this turn's command left; neither of both where the story began anew.
        line: the line after the turn.
    """
    if came_back is not None:
        return [one for one in stands if one.at <= came_back.at]
    left = [] if now is None else [now, *(one for one in stands if one.at < now.at)]
    return [one for one in left if _is_kept(line.length - one.at, one.at)]


def _is_kept(ago: int, at: int) -> bool:
    return 0 < ago < 2 * MOST_BACK and at % (1 << ago.bit_length() - 1) == 0


def go_on(
    game: Game, seed: int, command: str, last: str, stands: Sequence[S], line: Line
) -> tuple[Step, S | None]:
    """What the command brings after `last` has ended the story, and the stand it came back to.

    None where the story begins anew: it is told to, or there is nowhere to come back to.
    """
    stand = back_to(stands, line) if command == UNDO else None
    if stand is None:
        return _begun_anew(game, seed), None
    before, back = stand.step, line.length - stand.at
    text = TAKEN_BACK.format(last) if back == 1 else ALL_TAKEN_BACK.format(back)
    observation = before.observation.model_copy(update={"text": text})
    tally = before.tally.model_copy(update={"died": False, "tried": 0})
    return Step(observation, before.snapshot, tally), stand


def _begun_anew(game: Game, seed: int) -> Step:
    step = game.start(seed)
    text = f"{BEGINS_ANEW}\n\n{step.observation.text}"
    return step._replace(observation=step.observation.model_copy(update={"text": text}))


def after(line: Line, command: str, stand: Stand | None) -> Line:
    """The line after one more command, or after an end was taken back or the story begun anew."""
    if command == UNDO and stand is not None:
        return Line(length=stand.at, ended=line.length, back=wanted(line))
    return Line() if command else line.model_copy(update={"length": line.length + 1})


def stood(state: State) -> Before:
    """Where the play stands, to come back to."""
    nothing = Knowledge.new()
    return Before(
        at=state["score"].line.length,
        observation=state["observation"],
        snapshot=state["snapshot"],
        tally=state["score"].last,
        world=state.get("world", nothing.world),
        here=state.get("map", nothing.map)["here"],
        memory=state.get("memory", nothing.memory),
    )


def still_wanted(state: State) -> Sequence[Objective]:
    """The objectives; what was reached in commands that were taken back is wanted again.

    What the actor said together with the first of them it said of what came before.
    """
    objectives, stands = state.get("objectives", ()), state.get("before")
    if state["score"].again != UNDO or not stands:
        return objectives
    shown = stands[0].world["turn"] + 1
    closed = (one for one in objectives if one.status == "done")
    undone = [one for one in closed if one.updated > shown + (one.evidence == ACTOR_SAYS)]
    active = {"status": "active", "evidence": ""}
    return [one.model_copy(update=active) if one in undone else one for one in objectives]
