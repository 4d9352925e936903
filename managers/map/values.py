"""What the map tells about rooms and the ways between them."""

from __future__ import annotations

from typing import NamedTuple


class Room(NamedTuple):
    """A place, shown as `L<n>`."""

    id: str
    title: str
    text: str
    """The beginning of its description, as first seen in the light."""
    visits: int
    first_turn: int
    last_turn: int
    dark: bool
    """It was dark when last seen."""
    exits: tuple[str, ...]
    """Directions its prose mentions."""
    maze: bool
    """Another room shares its title and description."""


class Passage(NamedTuple):
    """A way out of a room; non-compass moves are passages too."""

    command: str
    to: str
    seen: int
    """How often it was walked; 0 for a way back that is only supposed."""
    turn: int
    random: bool
    """It has led to different rooms."""


class Blocked(NamedTuple):
    """A direction that did not lead anywhere when it was tried last."""

    direction: str
    reason: str
    """As in `ActionResult.reason`."""
    text: str
    """The refusal's first words."""
    turn: int
    times: int
    """How often it was tried since it last worked."""


class Exit(NamedTuple):
    """A direction nobody has tried yet."""

    direction: str
    mentioned: bool
    """The room's prose speaks of it."""
