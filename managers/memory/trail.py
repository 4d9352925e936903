"""What led to where the episode stands: the commands that had an effect, without detours.

Kept as plain data in the state field `memory`, bounded; what an episode can pass on.
"""

from __future__ import annotations

from typing import NamedTuple

from managers.language.actions import classes, direction_of, parse
from managers.memory.data import Row

_LONGEST = 320
_IDLE = frozenset({"examine", "read", "look", "inventory", "search"})
"""Kinds that tell something and change nothing."""


QUESTIONED = -1
"""Stands for what is carried after a command that made the game ask back."""


class TrailStep(NamedTuple):
    """A command that had an effect, and where."""

    room: str
    command: str
    points: int
    to: str = ""
    """The room one is in afterwards."""
    held: int = 0
    """A number for what is carried afterwards."""
    turn: int = 0


def is_fight(command: str) -> bool:
    """Whether the command is a blow; how many of them it takes is another matter every time."""
    return parse(command).verb == "attack"


def is_idle(kind: str, command: str) -> bool:
    """Whether a command of that kind tells something and changes nothing."""
    return kind in _IDLE or parse(command).has("meta")


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
    stayed = bool(direction_of(step.command)) and step.room == step.to
    idle = is_idle(kind, step.command) or stayed
    if len(trail) >= _LONGEST or (idle and not gain):
        return trail
    for_nothing = _lightens(step.command) and not gain and not narrow
    if not step.points and (for_nothing or _is_of_light(step.command)):
        return trail
    if is_fight(step.command):
        trail = [one for one in trail if one[2] or not _same_fight(one, step)]
    trail = [*trail, list(step)]
    for index in range(len(trail) - 1, -1, -1):
        room, _, points, to, *_ = trail[index]
        if points or room == to:
            break
        if room == step.to:
            asked = index > 0 and trail[index - 1][4] == QUESTIONED
            return trail[: index - asked]
    return trail


def _lightens(command: str) -> bool:
    """Whether the command puts something down wherever one is."""
    return parse(command).verb == "drop"


def _is_of_light(command: str) -> bool:
    """Whether the command turns a lamp on or off."""
    parts = parse(command)
    lamp = "light-source" in classes(parts.object)
    return lamp and parts.verb in ("light", "extinguish")


def _same_fight(one: Row, step: TrailStep) -> bool:
    """Whether an entry of the trail is a blow in the same fight."""
    foe = parse(step.command).object
    blow = str(one[1])
    return one[0] == step.room and is_fight(blow) and parse(blow).object == foe
