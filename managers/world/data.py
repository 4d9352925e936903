"""The world's plain data, as it lies in the state."""

from __future__ import annotations

from typing import Any

from typing_extensions import TypedDict

HypothesisRow = list[Any]
"""Subject, predicate, object, confidence, evidence, and 1 where it was tested, and disproven."""


class _Known(TypedDict):
    name: str
    at: str
    """A room, `inventory`, the id of its holder, `gone` or `unknown`."""
    seen: int
    how: str
    sure: float


class ThingRow(_Known, total=False):
    """A thing as it lies in the state; what is at its default is left out."""

    aka: list[str]
    props: list[str]
    state: dict[str, bool]
    taken: int
    guess: int
    """Left out where its place is shown."""


class WorldData(TypedDict):
    """The state field `world`."""

    turn: int
    room: str
    dark: int
    inside: str
    """The vehicle or furniture the player is in."""
    count: int
    """How many hypotheses there ever were."""
    objects: dict[str, ThingRow]
    scenery: dict[str, list[str]]
    """Room -> what its prose mentions in passing."""
    hypotheses: dict[str, HypothesisRow]
    notes: list[list[Any]]
    """Turn, room and text of sentences that no rule understood."""
    unknown: dict[str, int]
    """Words the game does not know, and when it said so."""
    links: dict[str, list[str]]
    """What has turned out to need what: id of a thing or room -> ids it needed."""
    deeds: dict[str, list[str]]
    """Room -> the things to which something was done there."""
    listed: int
    """The turn in which the game listed last what is carried; -1 for never."""
    offered: dict[str, list[int]]
    """Commands that the emulator has seen work here: points and words of the reply."""


def empty_world() -> WorldData:
    """What is known before the first word of the story."""
    return {
        "turn": 0, "room": "", "dark": 0, "inside": "", "count": 0,
        "objects": {}, "scenery": {}, "hypotheses": {}, "notes": [], "unknown": {},
        "links": {}, "deeds": {}, "listed": -1, "offered": {},
    }  # fmt: skip
