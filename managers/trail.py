"""What led to where the episode stands: the commands that had an effect, without detours.

Kept as plain data in the state field `dynamics`, bounded; what an episode can pass on.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from managers.text.directions import direction_of

_LONGEST = 240
_IDLE = frozenset({"examine", "read", "look", "inventory", "search"})
"""Kinds that tell something and change nothing."""


class Step(NamedTuple):
    """A command that had an effect, and where."""

    room: str
    command: str
    points: int


def lengthened(trail: list[list[Any]], step: Step, *, kind: str, here: str) -> list[list[Any]]:
    """The trail after a successful command; walking that led back `here` is forgotten.

    Once it is full, it stays as it is: what came first is needed for what came later.
    """
    idle = kind in _IDLE or (direction_of(step.command) and step.room == here)
    if len(trail) >= _LONGEST or (idle and not step.points):
        return trail
    trail = [*trail, list(step)]
    after = here
    for index in range(len(trail) - 1, -1, -1):
        room, _, points = trail[index]
        if points or room == after:
            break
        if room == here:
            return trail[:index]
        after = room
    return trail


def best_part(trail: list[list[Any]]) -> tuple[list[Step], int]:
    """The steps up to the highest score, and that score; none where nothing scored."""
    best, total, length = 0, 0, 0
    for number, (_, _, points) in enumerate(trail, start=1):
        total += points
        if total > best:
            best, length = total, number
    return [Step(*entry) for entry in trail[:length]], best
