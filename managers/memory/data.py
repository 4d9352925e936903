"""What an episode keeps for later ones, and how far it has followed earlier ones: plain data."""

from __future__ import annotations

from typing import Any

from typing_extensions import TypedDict

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
    seen: list[str]
    bright: list[str]
    barred: list[str]
    feared: dict[str, dict[str, float]]
    """Room -> action -> harm that was expected there."""
    idle: int
    rest: int
    since: int
    arrived: int | None
    top: int
    finds: int
    fatal: int
    earned: list[list[str]]
    script: list[Row]
    """The line to retrace word for word, a `retrace.Entry` each."""
    history: list[Row]
    exact: bool


class MemoryData(TypedDict):
    """The state field `memory`."""

    trail: list[Row]
    """The commands that had an effect, without detours, a `TrailStep` each."""
    finds: list[list[str]]
    """Room and command of what brought something to light."""
    asked: Row
    """Room, command and turn of the last command that made the game ask back."""
    died: int
    guide: GuideData


def no_memory() -> MemoryData:
    """Before the first word of the story."""
    return {"trail": [], "finds": [], "asked": [], "died": 0, "guide": {}}
