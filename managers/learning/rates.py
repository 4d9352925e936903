"""What play has taught in general: how often actions work, and how rich rooms are.

Plain data in the state field `rates`. What is done to something counts for that verb and noun,
anything else, as ways nobody has mentioned, for its kind. What a success is worth stays as the
table of actions has it: to learn that helps on no story (docs/tried.md).
"""

from __future__ import annotations

from typing_extensions import TypedDict

from managers.language.actions import parse, table

_STRENGTH, _OF_A_KIND = 2.0, 10.0
"""How many observations the prior chance is worth, of a verb with a noun and of a kind."""
_PATIENCE = 10.0
"""Turns in a room that may bring nothing before it counts as poor."""


class RatesData(TypedDict):
    """The state field `rates`."""

    score: int
    counts: dict[str, list[int]]
    """Verb and noun, as `open box`, or else a kind -> successes and times, wherever it was."""
    places: dict[str, list[float]]
    """Room -> turns spent there, and what they have brought."""


class Rates:
    """A view of the plain data; `recorded` copies what it changes."""

    def __init__(self, data: RatesData) -> None:
        self.data = data

    @classmethod
    def empty(cls) -> Rates:
        """Before anything was tried."""
        return cls({"score": 0, "counts": {}, "places": {}})

    def probability(self, command: str, kind: str, noun: str = "") -> float:
        """The chance that `command` works: the mean of a Beta with the kind's chance as prior."""
        prior, strength = table().kinds[kind].success, _STRENGTH if noun else _OF_A_KIND
        worked, times = self.data["counts"].get(_key(command, kind, noun), (0, 0))
        return (worked + strength * prior) / (times + strength)

    def richness(self, room: str) -> float:
        """What a turn in the room has brought, compared with what one expects; 1 if unknown."""
        turns, gained = self.data["places"].get(room, (0, 0.0))
        return (max(0.0, gained) + _PATIENCE) / (turns + _PATIENCE)

    def recorded(
        self,
        place: str,
        command: str,
        kind: str,
        noun: str,
        *,
        worked: bool,
        gain: float,
        counting: bool = True,
    ) -> Rates:
        """The statistics with one more action; `counting` is for all but the room."""
        data: RatesData = {**self.data}
        if counting:
            key = _key(command, kind, noun)
            successes, times = data["counts"].get(key, (0, 0))
            data["counts"] = {**data["counts"], key: [successes + worked, times + 1]}
        turns, gained = data["places"].get(place, (0, 0.0))
        data["places"] = {**data["places"], place: [turns + 1, gained + gain]}
        return Rates(data)


def _key(command: str, kind: str, noun: str) -> str:
    return f"{parse(command).said} {noun}" if noun else kind
