"""What play has taught in general: how often actions work, and how rich rooms are.

Plain data in the state field `rates`: counts with general priors (Beta means, shrunk from the
kind of action over its verb to verb and noun); of a way only the first try. What a success is
worth stays as the table of actions has it (docs/no-help.md).
"""

from __future__ import annotations

from typing_extensions import TypedDict

from managers.language.actions import parse, table

_OF_KIND, _OF_VERB, _WITH_NOUN = 10.0, 6.0, 2.0
"""How many observations the prior of a kind, of its verb, and of verb and noun is worth."""
_PATIENCE = 10.0
"""Turns in a room that may bring nothing before it counts as poor."""


class RatesData(TypedDict):
    """The state field `rates`."""

    score: int
    counts: dict[str, list[int]]
    """Kind, `kind: verb` or `verb noun` -> successes and times, wherever it was."""
    places: dict[str, list[float]]
    """Room -> turns spent there, and what they have brought."""


class Rates:
    """A view of the plain data; `recorded` copies what it changes."""

    def __init__(self, data: RatesData | None = None) -> None:
        self.data: RatesData = data or {"score": 0, "counts": {}, "places": {}}
        self._usual: dict[tuple[str, str], float] = {}
        """Kind and verb to the chance of success, whatever the noun."""

    def probability(self, command: str, kind: str, noun: str = "") -> float:
        """The chance that `command` works: the posterior mean."""
        verb = parse(command).said
        chance = self._usual.get((kind, verb))
        if chance is None:
            of_kind = self._shrunk(kind, table().kinds[kind].success, _OF_KIND)
            chance = self._usual[kind, verb] = self._shrunk(f"{kind}: {verb}", of_kind, _OF_VERB)
        counted = noun and (key := f"{verb} {noun}") in self.data["counts"]
        return self._shrunk(key, chance, _WITH_NOUN) if counted else chance

    def _shrunk(self, key: str, prior: float, strength: float) -> float:
        worked, times = self.data["counts"].get(key, (0, 0))
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
        data, verb = self.data.copy(), parse(command).said
        if counting:
            counts = dict(data["counts"])
            for key in (kind, f"{kind}: {verb}", *([f"{verb} {noun}"] if noun else ())):
                successes, times = counts.get(key, (0, 0))
                counts[key] = [successes + worked, times + 1]
            data["counts"] = counts
        turns, gained = data["places"].get(place, (0, 0.0))
        data["places"] = {**data["places"], place: [turns + 1, gained + gain]}
        return Rates(data)
