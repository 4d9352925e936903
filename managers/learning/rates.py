"""What play has taught of actions in general: chances of success, and what they are worth.

Counts with general priors (Beta means, shrunk from the kind of action over its verb to verb
and noun), kept as plain data in the state field `rates`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from typing_extensions import TypedDict

from managers.language.actions import parse, table

_STRENGTH = {"kind": 10.0, "verb": 6.0, "noun": 2.0}
"""How many observations each prior is worth."""
_PATIENCE = 10.0
"""Turns in a room that may bring nothing before it counts as poor."""
Counts = list[float]
"""Successes, times, and what they have brought in sum."""


class RatesData(TypedDict):
    """The state field `rates`."""

    score: int
    kinds: dict[str, Counts]
    verbs: dict[str, Counts]
    nouns: dict[str, Counts]
    places: dict[str, list[float]]
    """Room -> turns spent there, and what they have brought."""


class Rates:
    """A view of the plain data; `recorded` copies what it changes."""

    def __init__(self, data: RatesData) -> None:
        self.data = data
        self._usual: dict[tuple[str, str], float] = {}

    @classmethod
    def empty(cls) -> Rates:
        """Before anything was tried."""
        return cls({"score": 0, "kinds": {}, "verbs": {}, "nouns": {}, "places": {}})

    def probability(self, command: str, kind: str, noun: str = "") -> float:
        """The chance that `command` works: the posterior mean."""
        verb = parse(command).said
        chance = self._usual.get((kind, verb))
        if chance is None:
            chance = self._usual[kind, verb] = self._of_verb(kind, verb)
        nouns = self.data["nouns"]
        return _shrunk(nouns.get(f"{verb} {noun}"), chance, _STRENGTH["noun"]) if noun else chance

    def _of_verb(self, kind: str, verb: str) -> float:
        """The chance of a verb, whatever it is done to."""
        chance = table().kinds[kind].success
        chance = _shrunk(self.data["kinds"].get(kind), chance, _STRENGTH["kind"])
        return _shrunk(self.data["verbs"].get(f"{kind}: {verb}"), chance, _STRENGTH["verb"])

    def worth(self, kind: str) -> float:
        """What a success of this class has been worth, in points of score."""
        prior = table().kinds[kind].worth
        entry = self.data["kinds"].get(kind)
        if entry is None:
            return prior
        successes, _, gained = entry
        weight = 2 * _STRENGTH["kind"]
        return (prior * weight + gained) / (weight + successes)

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
        """The statistics with one more action; `counting` is for its kind, verb and noun."""
        data: RatesData = {**self.data}
        if counting:
            verb, won = parse(command).said, gain if worked else 0.0
            data["kinds"] = _counted(data["kinds"], kind, worked, won)
            data["verbs"] = _counted(data["verbs"], f"{kind}: {verb}", worked, won)
            if noun:
                data["nouns"] = _counted(data["nouns"], f"{verb} {noun}", worked, won)
        turns, gained = data["places"].get(place, (0, 0.0))
        data["places"] = {**data["places"], place: [turns + 1, gained + gain]}
        return Rates(data)


def _shrunk(entry: Sequence[float] | None, prior: float, strength: float) -> float:
    """The mean of successes and times with a prior that weighs as much as its strength."""
    return prior if entry is None else (entry[0] + strength * prior) / (entry[1] + strength)


def _counted(
    counts: Mapping[str, Counts], key: str, success: bool, gain: float
) -> dict[str, Counts]:
    successes, times, gained = counts.get(key, (0, 0, 0.0))
    return {**counts, key: [successes + success, times + 1, gained + gain]}
