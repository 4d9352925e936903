"""What led to where the episode stands, and what it follows, as plain data."""

from __future__ import annotations

from typing import Any, NamedTuple

from typing_extensions import TypedDict

from managers.language.actions import parse
from managers.language.lexicon import head_of

Row = list[Any]
"""What stands for a tuple in a checkpoint; its own type says what the places mean."""


class GuideData(TypedDict, total=False):
    """How far an episode has followed what earlier ones found; empty without a memory."""

    path: list[Row]
    """What is left of it: place, command, points of each step."""
    target: list[Row]
    """The point it leads to, and all of the path; empty for none."""
    found: dict[str, str]
    """Room of this episode -> the remembered room's key."""
    idle: int
    """Turns without progress on the step at hand."""
    arrived: int | None
    """The turn in which its end was reached."""
    top: int
    """The best score so far."""
    finds: int
    """How often there was a new best score after the end of the way."""
    earned: list[list[str]]
    """What has scored: the remembered room and the command of each."""


class MemoryData(TypedDict):
    """The state field `memory`."""

    trail: list[Row]
    """The commands that had an effect, without detours, a `TrailStep` each."""
    died: int
    guide: GuideData


def no_memory() -> MemoryData:
    """Before the first word of the story."""
    return {"trail": [], "died": 0, "guide": {}}


class TrailStep(NamedTuple):
    """A command that had an effect, and where."""

    room: str
    command: str
    points: int
    to: str = ""
    """The room one is in afterwards."""
    held: int = 0
    """A number for what is carried afterwards."""


def is_fight(command: str) -> bool:
    """Whether the command is a blow; how many of them it takes is another matter every time."""
    return parse(command).verb == "attack"


def same_act(one: str, other: str) -> bool:
    """The same command, or a blow at the same foe with whatever there is."""
    if one == other or not (is_fight(one) and is_fight(other)):
        return one == other
    return parse(one).object == parse(other).object


def needs(command: str) -> list[str]:
    """The nouns of what has to be carried for a command."""
    parts = parse(command)
    tool = parts.second if parts.preposition == "with" else ""
    needed = parts.object if parts.has("carried") else ""
    return [head_of(one) for one in (needed, tool) if one]
