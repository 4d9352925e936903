"""What play has taught so far: chances of success, worth of actions, and deadly ones.

Counts with general priors (Beta means, shrunk from the action class over its verb to verb
and noun), kept as plain data in the state field `dynamics`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from managers.affordances import affordances, verb_of
from managers.text.commands import parse_command

_STRENGTH = {"kind": 10.0, "lately": 6.0, "verb": 6.0, "noun": 2.0}
"""How many observations each prior is worth."""
_KEPT = 0.93
"""What is left of what a class of actions did lately after one more: about the last 14 count."""


_CREDIBLE = 0.6
_PATIENCE = 10.0
"""Turns in a room that may bring nothing before it counts as poor."""


class Outcome(NamedTuple):
    """What one command brought, in the terms the statistics are kept in."""

    place: str
    """The room it was played in."""
    scope: str
    """Where the attempt is remembered: the room, or the inventory for carried things."""
    command: str
    kind: str
    noun: str
    success: bool
    gain: float
    harm: float = 0.0
    """From 0 (none) to 1 (death)."""
    hindered: bool = False
    """Something stood in its way for the time being: too much carried, a lid, the dark."""


class Tried(NamedTuple):
    """How often a command was tried in a room, how often it worked, and when last."""

    times: int = 0
    successes: int = 0
    turn: int = -1
    hindered: int = 0
    """How often something stood in its way for the time being."""


_UNTRIED = Tried()


class Dynamics:
    """A view of the plain data; `record` copies what it changes."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data
        self._nouns: dict[str, list[float]] = data["nouns"]
        self._estimates: dict[tuple[str, str], float] = {}
        self._kinds: dict[str, float] = {}
        self._worth: dict[str, float] = {}

    @classmethod
    def empty(cls) -> Dynamics:
        tables = ("kinds", "verbs", "nouns", "tried", "places", "harm")
        return cls({"turn": 0, "score": 0} | {name: {} for name in tables})

    def probability(self, command: str, kind: str, noun: str = "") -> float:
        """The chance that `command` works: the posterior mean."""
        verb, usage = usage_of(command, noun)
        estimate = self._estimates.get((kind, verb))
        if estimate is None:
            estimate = self._shrunk(
                "verbs", f"{kind}: {verb}", self._usual(kind), _STRENGTH["verb"]
            )
            self._estimates[kind, verb] = estimate
        entry = self._nouns.get(usage)
        return estimate if entry is None else _shrunk(entry, estimate, _STRENGTH["noun"])

    def _usual(self, kind: str) -> float:
        """The chance that anything of this class works."""
        estimate = self._kinds.get(kind)
        if estimate is None:
            estimate = affordances().kinds[kind].success
            estimate = self._shrunk("kinds", kind, estimate, _STRENGTH["kind"])
            estimate = self._shrunk("lately", kind, estimate, _STRENGTH["lately"])
            self._kinds[kind] = estimate
        return estimate

    def worth(self, kind: str) -> float:
        """What a success of this class has been worth, in points of score."""
        worth = self._worth.get(kind)
        if worth is None:
            worth = self._worth[kind] = self._learned_worth(kind)
        return worth

    def _learned_worth(self, kind: str) -> float:
        prior = affordances().kinds[kind].worth
        entry = self.data["kinds"].get(kind)
        if entry is None:
            return prior
        successes, _, gained = entry
        weight = 2 * _STRENGTH["kind"]
        return float((prior * weight + gained) / (weight + successes))

    def danger(self, room: str, command: str) -> float:
        """The chance of dying of `command` in `room`, from the harm it has done there."""
        if room not in self._harmful:
            return 0.0
        harm = self.data["harm"].get(f"{room}|{essence(command)}", 0.0)
        return harm / (self.tried(room, command).times + 1) if harm else 0.0

    @cached_property
    def _harmful(self) -> frozenset[str]:
        """The rooms where anything has done harm."""
        return frozenset(key.partition("|")[0] for key in self.data["harm"])

    def richness(self, room: str) -> float:
        """What a turn in the room has brought, compared with what one expects; 1 if unknown."""
        turns, gained = self.data["places"].get(room, (0, 0.0))
        return float((max(0.0, gained) + _PATIENCE) / (turns + _PATIENCE))

    @property
    def turn(self) -> int:
        """The last turn that was learned from."""
        return int(self.data["turn"])

    def tried(self, room: str, command: str) -> Tried:
        """What became of the command in the room."""
        entry = self.data["tried"].get(room, {}).get(essence(command))
        return Tried(*entry) if entry else _UNTRIED

    def used(self, verb: str) -> bool:
        """Whether the verb was tried by itself in this episode."""
        return any(verb in commands for commands in self.data["tried"].values())

    @property
    def credibility(self) -> float:
        """The chance that the game knows a noun its prose mentions in passing."""
        known, used = self.data.get("mentioned", (0, 0))
        return float((known + _CREDIBLE * _STRENGTH["kind"]) / (used + _STRENGTH["kind"]))

    def noted(self, mentioned: bool, known: bool) -> Dynamics:
        """The statistics after a noun was used of which only the prose spoke, or none was."""
        if not mentioned:
            return self
        before, used = self.data.get("mentioned", (0, 0))
        return Dynamics({**self.data, "mentioned": [before + known, used + 1]})

    def record(self, outcome: Outcome, turn: int, *, counting: bool = True) -> Dynamics:
        """What is known with one more outcome; `counting` is for its class, verb and noun."""
        data = {**self.data, "turn": turn}
        if counting:
            data |= self._counts(outcome)
        for scope in dict.fromkeys((outcome.scope, outcome.place)):
            data["tried"] = _tried(data["tried"], scope, outcome, turn)
        turns, gained = data["places"].get(outcome.place, (0, 0.0))
        data["places"] = {**data["places"], outcome.place: [turns + 1, gained + outcome.gain]}
        if outcome.harm:
            key = f"{outcome.place}|{essence(outcome.command)}"
            data["harm"] = {**data["harm"], key: data["harm"].get(key, 0.0) + outcome.harm}
        return Dynamics(data)

    def objected_to(self, room: str, commands: Iterable[str]) -> Dynamics:
        """What is known when somebody was kept from playing the commands: tried, in effect."""
        here = dict(self.data["tried"].get(room, {}))
        for command in map(essence, commands):
            times, *rest = here.get(command, _UNTRIED)
            here[command] = [times + 1, *rest]
        return Dynamics({**self.data, "tried": {**self.data["tried"], room: here}})

    def _counts(self, outcome: Outcome) -> dict[str, Any]:
        gain = outcome.gain if outcome.success else 0.0
        verb = verb_of(outcome.command)
        keys = {"kinds": outcome.kind, "verbs": f"{outcome.kind}: {verb}"}
        if outcome.noun and not outcome.hindered:
            keys["nouns"] = f"{verb} {outcome.noun}"
        counts = {
            table: _counted(self.data[table], key, outcome.success, gain)
            for table, key in keys.items()
        }
        return {**counts, "lately": _faded(self.data.get("lately", {}), outcome)}

    def _shrunk(self, table: str, key: str, prior: float, strength: float) -> float:
        entry = self.data.get(table, {}).get(key)
        return prior if entry is None else _shrunk(entry, prior, strength)


def _shrunk(entry: Sequence[float], prior: float, strength: float) -> float:
    """The mean of successes and times with a prior that weighs as much as its strength."""
    return (entry[0] + strength * prior) / (entry[1] + strength)


def _counted(table: dict[str, Any], key: str, success: bool, gain: float) -> dict[str, Any]:
    successes, times, gained = table.get(key, (0, 0, 0.0))
    return {**table, key: [successes + success, times + 1, gained + gain]}


def _faded(table: dict[str, Any], outcome: Outcome) -> dict[str, Any]:
    successes, times = table.get(outcome.kind, (0.0, 0.0))
    entry = [_KEPT * successes + outcome.success, _KEPT * times + 1]
    return {**table, outcome.kind: [round(count, 3) for count in entry]}


def _tried(table: dict[str, Any], scope: str, outcome: Outcome, turn: int) -> dict[str, Any]:
    here = table.get(scope, {})
    command = essence(outcome.command)
    times, successes, _, hindered = Tried(*here.get(command, ()))
    hindered += outcome.hindered
    entry = [times + 1, successes + outcome.success, turn, *([hindered] if hindered else [])]
    return {**table, scope: {**here, command: entry}}


@lru_cache(maxsize=8192)
def usage_of(command: str, noun: str) -> tuple[str, str]:
    """The verb, and the verb with the noun, as they are counted."""
    verb = verb_of(command)
    return verb, f"{verb} {noun}"


@lru_cache(maxsize=4096)
def essence(command: str) -> str:
    """A command in the words that count: `open the window` -> `open window`."""
    parts = parse_command(command)
    if parts.direction or not parts.object:
        return parts.direction or command
    return " ".join([verb_of(command), *(name for name in (parts.object, parts.second) if name)])
