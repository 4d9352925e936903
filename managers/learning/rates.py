"""What play has taught in general: how often a verb works on a noun, and how rich rooms are.

Plain data in the state field `rates`. The chance of a kind of action and what a success of it is
worth stay as the table of actions has them: learning those helps on no story (docs/tried.md).
"""

from __future__ import annotations

from typing_extensions import TypedDict

from managers.language.actions import parse, table

_STRENGTH = 2.0
"""How many observations the kind's prior chance is worth."""
_PATIENCE = 10.0
"""Turns in a room that may bring nothing before it counts as poor."""


class RatesData(TypedDict):
    """The state field `rates`."""

    score: int
    nouns: dict[str, list[int]]
    """Verb and noun, as `open box` -> successes and times, wherever it was."""
    places: dict[str, list[float]]
    """Room -> turns spent there, and what they have brought."""


class Rates:
    """A view of the plain data; `recorded` copies what it changes."""

    def __init__(self, data: RatesData) -> None:
        self.data = data

    @classmethod
    def empty(cls) -> Rates:
        """Before anything was tried."""
        return cls({"score": 0, "nouns": {}, "places": {}})

    def probability(self, command: str, kind: str, noun: str = "") -> float:
        """The chance that `command` works: the mean of a Beta with the kind's chance as prior."""
        prior = table().kinds[kind].success
        if not noun:
            return prior
        worked, times = self.data["nouns"].get(_key(command, noun), (0, 0))
        return (worked + _STRENGTH * prior) / (times + _STRENGTH)

    def richness(self, room: str) -> float:
        """What a turn in the room has brought, compared with what one expects; 1 if unknown."""
        turns, gained = self.data["places"].get(room, (0, 0.0))
        return (max(0.0, gained) + _PATIENCE) / (turns + _PATIENCE)

    def recorded(
        self,
        place: str,
        command: str,
        noun: str,
        *,
        worked: bool,
        gain: float,
        counting: bool = True,
    ) -> Rates:
        """The statistics with one more action; `counting` is for its verb and noun."""
        data: RatesData = {**self.data}
        if counting and noun:
            key = _key(command, noun)
            successes, times = data["nouns"].get(key, (0, 0))
            data["nouns"] = {**data["nouns"], key: [successes + worked, times + 1]}
        turns, gained = data["places"].get(place, (0, 0.0))
        data["places"] = {**data["places"], place: [turns + 1, gained + gain]}
        return Rates(data)


def _key(command: str, noun: str) -> str:
    return f"{parse(command).said} {noun}"
