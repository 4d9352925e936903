"""Variables judged by what was seen: kept where they explain outcomes, dropped where they do not.

A variable is kept at 95 %, also as one of a pair that explains only together. In each context the
kept variables divide the cases as far as that pays.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from managers.learning.cases import CaseContext, Consequence, forgotten, tally
from managers.learning.evidence import evidence, unexplained
from managers.learning.variables import (
    Dropped,
    Variable,
    local_odds,
    odds,
    on_trial,
    with_dropped,
)

MOST_KEPT = 8
MOST_BY = 3
"""Variables that divide one context."""
MOST_BITS = 24
"""Contexts whose evidence on one variable is remembered."""
CONTRADICTION = 2.0
"""Bits of unexplained outcome from which on a context asks for a variable."""
_SURE = math.log2(0.95 / 0.05)
_LEAD = 2.0
"""Bits by which a variable has to be better than the next, as both may mean the same."""
_TIE = 10.0
"""Bits beyond being sure from which on equals are no longer told apart."""
_PATIENCE = 30
"""Unexplained outcomes after which a variable has to have said something."""
_GRACE = 10
"""Turns for which all has to be explained without a variable until it goes."""
_WITHDRAWN = 200
"""Turns without one after which a variable is no longer asked for."""


class Contradiction(NamedTuple):
    """The same command in the same state with different outcomes."""

    place: str
    command: str
    outcomes: tuple[Consequence, ...]
    bits: float
    """How much the state leaves unexplained: observations times entropy."""

    def __str__(self) -> str:
        return f"`{self.command}` in {self.place}: {' or '.join(map(str, self.outcomes))}"


class TrialVerdict(NamedTuple):
    """What became of a variable on trial."""

    name: str
    useful: bool
    source: str


def is_open(entry: CaseContext) -> bool:
    """Whether the outcomes of a context ask for a variable."""
    return unexplained(entry["cases"], entry["by"]) >= CONTRADICTION


def contradiction_in(context: str, entry: CaseContext) -> Contradiction | None:
    """What the state leaves unexplained in one context, if that is worth a question."""
    bits = unexplained(entry["cases"], entry["by"])
    if bits < CONTRADICTION:
        return None
    place, _, command = context.partition("|")
    return Contradiction(place, command, tuple(tally(entry["cases"])), round(bits, 2))


class Review:
    """The variables judged by the contexts observed since the last review.

    Attributes:
        contexts, variables, dropped: as they are after it.
        verdicts: what became of variables.
    """

    def __init__(
        self,
        contexts: Mapping[str, CaseContext],
        variables: Mapping[str, Variable],
        dropped: Mapping[str, Dropped],
        turn: int,
    ) -> None:
        self.contexts = dict(contexts)
        self.variables: dict[str, Variable] = {name: {**one} for name, one in variables.items()}
        self.dropped = dict(dropped)
        self.turn = turn
        self.verdicts: list[TrialVerdict] = []
        self._freed: list[str] = []
        """Kept variables that a context is no longer divided by."""
        self._known: dict[tuple[str, tuple[str, ...], tuple[str, ...]], float] = {}

    def judge(self, context: str) -> None:
        """Weigh, keep and drop variables by what was seen in one context."""
        self._weigh(context)
        names = self._convincing(context)
        self._keep(names, context)
        self._divide(context)
        for name in self._spent():
            self._drop(name)

    def tidy(self) -> None:
        """Ask no longer for variables on trial that have had nothing to explain for long.

        One that was tested has then been judged; one that never was is no worse for it.
        """
        idle = {name: self.turn - self.variables[name]["last"] for name in on_trial(self.variables)}
        due = self.turn % _GRACE == 0 and max(idle.values(), default=0) >= _GRACE
        explained = due and not any(is_open(entry) for entry in self.contexts.values())
        for name, turns in idle.items():
            if explained and turns >= _GRACE and self.variables[name]["tested"]:
                self._drop(name)
            elif turns >= (_GRACE if explained else _WITHDRAWN):
                self._forget(name)

    def _weigh(self, context: str) -> None:
        """Note what the context says about each variable, given those that divide it."""
        entry = self.contexts[context]
        for name, variable in self.variables.items():
            bits = {key: value for key, value in variable["bits"].items() if key != context}
            if len(bits) < len(variable["bits"]) or any(
                name in c["values"] for c in entry["cases"]
            ):
                given = [one for one in entry["by"] if one != name]
                bits[context] = round(self._evidence(context, given, name), 3)
                variable["bits"] = dict(list(bits.items())[-MOST_BITS:])

    def _convincing(self, context: str) -> list[str]:
        """What is to be kept now: a variable, a pair, or nothing."""
        trial = [n for n in on_trial(self.variables) if context in self.variables[n]["bits"]]
        room = MOST_KEPT - (len(self.variables) - len(on_trial(self.variables)))
        ranked = sorted(((odds(self.variables[n]), n) for n in trial), reverse=True)
        if not ranked or not room:
            return []
        best, name = ranked[0]
        pair, names = self._best_pair(context, trial) if room > 1 else (-math.inf, [])
        if pair >= _SURE + max(best, 0.0):
            return names
        lead = best - max(
            (value for value, other in ranked[1:] if self._alike(context, name, other)),
            default=-math.inf,
        )
        return [name] if best >= _SURE and (lead >= _LEAD or best >= _SURE + _TIE) else []

    def _alike(self, context: str, name: str, other: str) -> bool:
        """Whether the one leaves the other little to explain, so that either may be meant."""
        entry = self.contexts[context]
        left = self._evidence(context, [*entry["by"], name], other)
        return left < self.variables[other]["bits"][context]

    def _best_pair(self, context: str, trial: list[str]) -> tuple[float, list[str]]:
        """The two that explain most together, with their odds; looked for now and then."""
        entry = self.contexts[context]
        if sum(case["count"] for case in entry["cases"]) % 4 or len(entry["by"]) > MOST_BY - 2:
            return -math.inf, []
        elsewhere = {name: self._elsewhere(name, context) for name in trial}
        ranked = sorted(
            (
                self._evidence(context, entry["by"], *pair) + sum(elsewhere[one] for one in pair),
                pair,
            )
            for pair in combinations(trial, 2)
        )[-2:]
        ahead = len(ranked) < 2 or ranked[1][0] - ranked[0][0] >= _LEAD
        return (ranked[-1][0], list(ranked[-1][1])) if ranked and ahead else (-math.inf, [])

    def _elsewhere(self, name: str, context: str) -> float:
        """The odds that a variable matters in this context, by all others."""
        variable = self.variables[name]
        rest = {key: value for key, value in variable["bits"].items() if key != context}
        others: Variable = {**variable, "bits": rest}
        return odds(others) + min(local_odds(others), 0.0)

    def _keep(self, names: list[str], context: str) -> None:
        for name in names:
            self.variables[name]["kept"] = True
            self._judged(name, useful=True)
        if len(names) > 1:
            entry = self.contexts[context]
            self._set_by(context, [*entry["by"], *names])
        for other in [other for name in names for other in self.variables[name]["bits"]]:
            if other in self.contexts:
                self._divide(other)

    def _divide(self, context: str) -> None:
        """Divide the context by the kept variables that explain it, as far as that pays."""
        entry = self.contexts[context]
        by = self._needed(context)
        kept = [name for name, variable in self.variables.items() if variable["kept"]]
        while len(by) < MOST_BY and (rest := [name for name in kept if name not in by]):
            gains = {name: self._gain(context, by, name) for name in rest}
            best = max(gains, key=lambda name: gains[name])
            if gains[best] <= 0:
                break
            by.append(best)
        if by != entry["by"]:
            self._set_by(context, by)

    def _needed(self, context: str) -> list[str]:
        """The variables that divide the context, without those that add nothing to the others."""
        by = [name for name in self.contexts[context]["by"] if name in self.variables]
        while by:
            gains = {name: self._gain(context, [o for o in by if o != name], name) for name in by}
            worst = min(gains, key=lambda name: gains[name])
            if gains[worst] > 0:
                break
            by.remove(worst)
        return by

    def _gain(self, context: str, given: list[str], name: str) -> float:
        bits = self._evidence(context, given, name)
        return bits + local_odds(self.variables[name]) if bits else 0.0

    def _evidence(self, context: str, given: Sequence[str], *added: str) -> float:
        key = (context, tuple(given), added)
        if key not in self._known:
            self._known[key] = evidence(self.contexts[context]["cases"], given, added)
        return self._known[key]

    def _set_by(self, context: str, by: list[str]) -> None:
        entry = self.contexts[context]
        self._freed += [name for name in entry["by"] if name not in by]
        self.contexts[context] = CaseContext(by=by, cases=entry["cases"])
        self._weigh(context)

    def _spent(self) -> list[str]:
        """Variables that have to go: kept ones that nothing needs any more, and useless ones."""
        used = {name for entry in self.contexts.values() for name in entry["by"]}
        freed, self._freed = self._freed, []
        return [
            name
            for name, one in self.variables.items()
            if (name in freed and name not in used if one["kept"] else self._had_its_chance(one))
        ]

    def _had_its_chance(self, variable: Variable) -> bool:
        bits, tested = variable["bits"], variable["tested"]
        if bits and not any(self._is_open(context) for context in bits):
            return self.turn - variable["last"] >= _GRACE
        said = odds(variable) - odds({**variable, "bits": {}})
        return tested >= _PATIENCE and said < tested / _PATIENCE - 1

    def _is_open(self, context: str) -> bool:
        entry = self.contexts.get(context)
        return entry is None or is_open(entry)

    def _drop(self, name: str) -> None:
        self._judged(name, useful=False)
        self._forget(name)
        self.dropped = with_dropped(self.dropped, name, self.turn)

    def _judged(self, name: str, *, useful: bool) -> None:
        self.verdicts.append(TrialVerdict(name, useful, self.variables[name]["source"]))

    def _forget(self, name: str) -> None:
        del self.variables[name]
        self.contexts = forgotten(self.contexts, name)
