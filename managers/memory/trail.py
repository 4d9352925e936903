"""What led to where the episode stands: what it can pass on. Plain data, bounded.

The trail is the list of the commands that had an effect, without detours.
"""

from __future__ import annotations

import zlib
from typing import Any, NamedTuple

from typing_extensions import TypedDict

from managers.language.actions import classes, direction_of, parse
from managers.language.lexicon import head_of

_LONGEST = 320
_IDLE = frozenset({"examine", "read", "look", "inventory", "search"})
"""Kinds that tell something and change nothing."""

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


def steps_of(memory: MemoryData) -> list[TrailStep]:
    """The trail."""
    return [TrailStep(*row) for row in memory["trail"]]


def load_number(nouns: list[str]) -> int:
    """A number for what is carried, the same in every episode."""
    return zlib.crc32(" ".join(sorted(nouns)).encode())


def is_fight(command: str) -> bool:
    """Whether the command is a blow; how many of them it takes is another matter every time."""
    return parse(command).verb == "attack"


def lengthened(
    trail: list[Row], step: TrailStep, *, kind: str, gain: float = 0.0, narrow: bool = False
) -> list[Row]:
    """The trail after a successful command; walking that led back is forgotten.

    Of a fight only the last blow is kept, and nothing of what was put down for nothing or of
    lamps, unless a way was too narrow with it: whoever carries too much or stands in the dark
    sees to it then. Once the trail is full, it stays as it is: what came first is needed for
    what came later.

    Args:
        trail: so far.
        step: that worked.
        kind: of the command.
        gain: what it brought; even a look may bring something to light.
        narrow: whether a way out of the room is too narrow for what was carried.
    """
    parts, stayed = parse(step.command), step.room == step.to
    idle = kind in _IDLE or parts.has("meta") or (stayed and bool(direction_of(step.command)))
    if len(trail) >= _LONGEST or (idle and not gain):
        return trail
    for_nothing = parts.verb == "drop" and not gain and not narrow
    of_light = parts.verb in ("light", "extinguish") and "light-source" in classes(parts.object)
    if not step.points and (for_nothing or of_light):
        return trail
    if is_fight(step.command):
        trail = [one for one in trail if one[2] or not _same_fight(one, step)]
    trail = [*trail, list(step)]
    for index in range(len(trail) - 1, -1, -1):
        room, _, points, to, *_ = trail[index]
        if points or room == to:
            break
        if room == step.to:
            return trail[:index]
    return trail


def _same_fight(one: Row, step: TrailStep) -> bool:
    """Whether an entry of the trail is a blow in the same fight."""
    return one[0] == step.room and is_fight(one[1]) and same_act(one[1], step.command)


def same_act(one: str, other: str) -> bool:
    """The same command, or a blow at the same foe with whatever there is."""
    if one == other or not (is_fight(one) and is_fight(other)):
        return one == other
    return parse(one).object == parse(other).object


def needs(command: str) -> list[str]:
    """The nouns of what has to be carried for a command."""
    parts = parse(command)
    if parts.has("carried"):
        return [head_of(parts.object)] if parts.object else []
    tool = parts.second if parts.preposition == "with" else ""
    return [head_of(tool)] if tool else []
