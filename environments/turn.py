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


class Turn(NamedTuple):
    """One command's outcome in the emulator."""

    text: str
    snapshot: bytes
    key: bool = False
    """The story waits for a single key."""
    halted: bool = False
    """The story did something illegal; the worker must be replaced."""
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
    tree_hash: bytes = b""
    """Digest of the object table."""
    tree: Tree | None = None
