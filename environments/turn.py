"""What the worker reports of one command; plain values, so that they cross the pipe quickly."""

from __future__ import annotations

from typing import NamedTuple

Named = tuple[int, str]
"""An object's number and name."""


class Tree(NamedTuple):
    """The object tree around the protagonist."""

    room: Named | None
    place: Named | None
    """What the protagonist is directly in: the room, or a vehicle or piece of furniture."""
    inventory: list[Named]
    visible: list[Named]
    digest: bytes
    """Where things are and how they are (see `TreeDigest`)."""


class Turn(NamedTuple):
    """One command's outcome in the emulator."""

    text: str
    snapshot: bytes
    key: bool = False
    """The story waits for a single key."""
    halted: bool = False
    """The story did something illegal: nothing else here counts, and the worker is spoilt."""
    fault: str = ""
    """Why nothing was typed, where the text is not the story's own."""
    ended: bool = False
    died: bool = False
    won: bool = False
    room: str | None = None
    """Title, score and moves as the status line shows them."""
    score: int | None = None
    moves: int | None = None
    points: int = 0
    """Score and moves for the record, read where the story keeps them."""
    turns: int = 0
    maximum: int | None = None
    """The highest possible score, where the story told it."""
    tree: Tree | None = None


class Probe(NamedTuple):
    """What a command did that was tried and rolled back; empty where it was not sent."""

    reply: str = ""
    tree: bytes = b""
    """Changed bytes of the object table: pairs of offset (two bytes) and value (one)."""
    events: tuple[int, ...] = ()
    """Moves and attribute changes in their order, as kind << 32 | object << 16 | destination
    or attribute; kind 0 moves, 1 sets, 2 clears. libfrotz keeps the first 16 of each kind."""
    variables: tuple[int, ...] = ()
    """Where the object table is as before or did what it does idly: changed bytes of global
    variables and properties, as address << 8 | new value."""
    points: int = 0
    """Gain of score, where the status line shows it."""
    ended: bool = False
    died: bool = False
    fault: bool = False
    """The emulator did not survive the command."""


class Surroundings(NamedTuple):
    """Object numbers around the protagonist, 0 where unknown."""

    player: int
    room: int
    held: list[int]
    """All that the protagonist carries, also inside other things."""
    near: list[int]
    """All that the room contains but for the protagonist and what is held."""
