"""A map as its layout takes it: rooms, ways, exits, things, the player and the path."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

Cell = tuple[int, int]
"""Column and row; north is up, so that rows grow southwards."""

COMPASS: Mapping[str, Cell] = {
    "north": (0, -1), "south": (0, 1), "east": (1, 0), "west": (-1, 0),
    "northeast": (1, -1), "northwest": (-1, -1), "southeast": (1, 1), "southwest": (-1, 1),
}  # fmt: skip
"""One step in each direction of the compass."""

OPPOSITE: Mapping[str, str] = {
    "north": "south", "south": "north", "east": "west", "west": "east",
    "northeast": "southwest", "southwest": "northeast",
    "northwest": "southeast", "southeast": "northwest",
    "up": "down", "down": "up", "in": "out", "out": "in",
}  # fmt: skip

SHORT: Mapping[str, str] = {
    "north": "n", "south": "s", "east": "e", "west": "w", "northeast": "ne", "northwest": "nw",
    "southeast": "se", "southwest": "sw", "up": "up", "down": "dn", "in": "in", "out": "out",
}  # fmt: skip
"""How a way is labelled."""


class Place(NamedTuple):
    """A room."""

    id: str
    title: str
    dark: bool = False
    things: tuple[str, ...] = ()
    """What lies there, as far as is known."""
    failed: tuple[tuple[int, str], ...] = ()
    """What did not work there last: turn and command."""


class RoomWay(NamedTuple):
    """A way out of a room, by a direction or by a command such as `climb tree`."""

    start: str
    end: str
    command: str
    walked: bool = True
    """False for a way back that is only supposed."""
    random: bool = False
    """It has led to different rooms."""


class Exit(NamedTuple):
    """A direction that leads nowhere yet."""

    room: str
    direction: str
    kind: Literal["untried", "blocked"]
    why: str = ""
    """The refusal's words, of a blocked one."""


class Chart(NamedTuple):
    """All that a picture of the map shows."""

    places: tuple[Place, ...] = ()
    """In the order of their discovery."""
    ways: tuple[RoomWay, ...] = ()
    exits: tuple[Exit, ...] = ()
    here: str = ""
    """Where the player is; empty before the first room."""
    path: tuple[str, ...] = ()
    """The rooms of the last turns, the latest last."""
