"""Something that could be done somewhere, before it is known whether it pays."""

from __future__ import annotations

from typing import NamedTuple

HELD = "inventory"
"""The place under which attempts with carried things are remembered."""


class Prospect(NamedTuple):
    """A command in a room, with what its generator knows about its chances."""

    room: str
    """Where it has to be done, `L<n>`; for carried things the present room."""
    command: str
    kind: str
    noun: str = ""
    scale: float = 1.0
    """How much more or less than usual for its kind a success is worth."""
    chance: float = 1.0
    """How much less likely than usual for its kind it works."""
    place: str = ""
    """Where attempts at it are remembered, if not in `room`."""
    purpose: str = ""
    """What it is for, if not what its kind usually is for."""
    odds: float = 0.0
    """That it works, where more is known of it than of its kind; 0 where not."""
    objective: str = ""
    """The objective in whose plan it is the next step, `O<n>`."""

    @property
    def scope(self) -> str:
        return self.place or self.room
