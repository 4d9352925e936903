"""State variables that may decide what a command does: put on trial, kept, or dropped.

How much the cases of a context say for a variable is counted in bits: the Bayesian-Dirichlet
marginal likelihood of the cases with the context divided by its values against that of the context
undivided (Cooper and Herskovits 1992; Heckerman, Geiger and Chickering 1995). It carries its own
price for complexity: every part has to learn its outcomes anew. A context is looked at only because
its outcomes differ, so both likelihoods are divided by the probability of just that; else any
variable that changed between two different outcomes would seem to explain them. What comes out
is a fair bet against chance: k bits are reached by chance at most once in 2^k times (Ville).

A variable starts with the odds that its suggestion gives it, wins or loses the bits of every
context, and is kept at 95 %.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from typing_extensions import TypedDict

from managers.learning.cases import Case, CaseContext, Consequence, forgotten, tally

MOST_ON_TRIAL = 8
MOST_KEPT = 8
MOST_DROPPED = 24
ORACLE = "oracle"
_MOST_BY = 3
"""Variables that divide one context."""
_MOST_BITS = 24
"""Contexts whose evidence on one variable is remembered."""
_OPEN = 2.0
"""Bits of unexplained outcome from which on a context asks for a variable."""
_CHANCE = 0.1
"""How often what rules suggest matters."""
_CHANCES = (0.02, 0.8)
_SURE = math.log2(0.95 / 0.05)
_LEAD, _TIE = 2.0, 10.0
"""Bits by which a variable has to be better than the next, as both may mean the same; and bits
beyond being sure from which on equals are no longer told apart."""
_PATIENCE = 30
"""Unexplained outcomes after which a variable has to have said something."""
_IDLE = 30
"""Turns without a test that halve what a place on trial is worth."""
_CLEARLY = 1.5
"""How much likelier to matter a new variable has to be than the one it displaces."""
_REST = 10
"""Turns until what was dropped may be suggested again, or is no longer asked for unless needed."""
_WITHDRAWN = 200
"""Turns without a test after which a variable is no longer asked for."""
_LONGEST = 60
_LN2 = math.log(2)
_Counts = dict[tuple[str, float], int]


class Variable(TypedDict):
    """A variable that is kept or on trial."""

    source: str
    chance: float
    """That it matters, before anything was seen."""
    kept: bool
    tested: int
    """Unexplained outcomes with its value known."""
    last: int
    """Turn of the latest of them, or of the proposal."""
    bits: dict[str, float]
    """Context -> evidence that the variable matters there."""


class Dropped(TypedDict):
    """A variable that explained nothing."""

    times: int
    last: int
    """Turn when it was dropped."""


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


def contradiction_in(context: str, entry: CaseContext) -> Contradiction | None:
    """What the state leaves unexplained in one context, if that is worth a question."""
    bits = _unexplained(entry["cases"], entry["by"])
    if bits < _OPEN:
        return None
    place, _, command = context.partition("|")
    return Contradiction(place, command, tuple(tally(entry["cases"])), round(bits, 2))


class Review:
    """The variables judged by what was seen.

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

    def propose(self, text: str, source: str, accuracy: float) -> None:
        """Put a variable on trial, if a place is free or it is clearly likelier than one there.

        What was dropped may come back after a rest, while something is unexplained. Being suggested
        again makes a variable no likelier; by a better source, as likely as that says.

        Args:
            text: its name.
            source: `oracle`, or whoever else suggested it.
            accuracy: how often the oracle's suggestions proved useful, 0 to 1.
        """
        name, chance = " ".join(text.lower().split()), _CHANCE
        if source == ORACLE:
            chance = min(max(accuracy, _CHANCES[0]), _CHANCES[1])
        before = self.dropped.get(name)
        if before:
            if self.turn - before["last"] < _REST or not any(map(_is_open, self.contexts.values())):
                return
            chance *= 0.5 ** before["times"]
        old = self.variables.get(name)
        if old is not None and chance > old["chance"]:
            self.variables[name] = {**old, "source": source, "chance": chance}
        if old is None and 0 < len(name) <= _LONGEST and self._has_place(chance):
            self.variables[name] = Variable(
                source=source, chance=chance, kept=False, tested=0, last=self.turn, bits={}
            )

    def judge(self, context: str) -> None:
        """Weigh and keep variables by the latest outcome, which was seen in the context."""
        entry = self.contexts[context]
        if _is_open(entry):
            for name in entry["cases"][-1]["values"].keys() & self.variables.keys():
                self.variables[name]["tested"] += 1
                self.variables[name]["last"] = self.turn
        self._weigh(context)
        name = self._convincing(context)
        if name:
            self.variables[name]["kept"] = True
            self.verdicts.append(TrialVerdict(name, True, self.variables[name]["source"]))
        for other in [context, *(self.variables[name]["bits"] if name else ())]:
            if other in self.contexts:
                self._divide(other)
        for spent in [one for one in self.variables if self._is_spent(one)]:
            self._drop(spent)

    def tidy(self) -> None:
        """Ask no longer for variables on trial that have had nothing to explain for long."""
        trial = self._on_trial() if self.turn % _REST == 0 else []
        unexplained = {key for key, one in self.contexts.items() if trial and _is_open(one)}
        for name in trial:
            variable = self.variables[name]
            explained = unexplained.isdisjoint(variable["bits"] or unexplained)
            if self.turn - variable["last"] >= (_REST if explained else _WITHDRAWN):
                self._drop(name)

    def _has_place(self, chance: float) -> bool:
        """Whether a place on trial is free, or made free by the one that is worth least."""
        trial = self._on_trial()
        if len(trial) < MOST_ON_TRIAL:
            return True
        worths = {name: self._worth(self.variables[name]) for name in trial}
        least = min(worths, key=lambda name: worths[name])
        displaced = chance >= _CLEARLY * worths[least]
        if displaced:
            self._drop(least)
        return displaced

    def _worth(self, variable: Variable) -> float:
        """The chance that it matters, less while it is not tested."""
        idle = self.turn - variable["last"]
        return float(2 ** -(idle / _IDLE) / (1 + 2 ** -min(_odds(variable), 50.0)))

    def _weigh(self, context: str) -> None:
        """Note what the context says about each variable, given those that divide it."""
        entry = self.contexts[context]
        for name, variable in self.variables.items():
            bits = {key: value for key, value in variable["bits"].items() if key != context}
            if any(name in case["values"] for case in entry["cases"]):
                given = [one for one in entry["by"] if one != name]
                bits[context] = round(evidence(entry["cases"], given, name), 3)
            variable["bits"] = dict(list(bits.items())[-_MOST_BITS:])

    def _convincing(self, context: str) -> str:
        """The variable that is to be kept now; empty for none."""
        trial = self._on_trial()
        odds = {
            name: _odds(self.variables[name])
            for name in trial
            if context in self.variables[name]["bits"]
        }
        if not odds or len(self.variables) - len(trial) >= MOST_KEPT:
            return ""
        best = max(odds, key=lambda name: odds[name])
        rivals = [odds[name] for name in odds if name != best and self._alike(context, best, name)]
        lead = odds[best] - max(rivals, default=-math.inf)
        sure = odds[best] >= _SURE and (lead >= _LEAD or odds[best] >= _SURE + _TIE)
        return best if sure else ""

    def _alike(self, context: str, name: str, other: str) -> bool:
        """Whether the one leaves the other little to explain, so that either may be meant."""
        entry = self.contexts[context]
        left = evidence(entry["cases"], [*entry["by"], name], other)
        return left < self.variables[other]["bits"][context]

    def _divide(self, context: str) -> None:
        """Divide the context by the kept variables that explain it, as far as that pays."""
        entry, by = self.contexts[context], list[str]()
        rest = [name for name, variable in self.variables.items() if variable["kept"]]
        while rest and len(by) < _MOST_BY:
            bits = {name: evidence(entry["cases"], by, name) for name in rest}
            best = max(bits, key=lambda name: bits[name])
            if bits[best] <= 0:
                break
            by.append(best)
            rest.remove(best)
        if by != entry["by"]:
            self.contexts[context] = CaseContext(by=by, cases=entry["cases"])
            self._weigh(context)

    def _is_spent(self, name: str) -> bool:
        """It explains nothing any more, or has had its chance."""
        variable = self.variables[name]
        if variable["kept"]:
            return not any(name in entry["by"] for entry in self.contexts.values())
        said, tested = _said(variable), variable["tested"]
        return tested >= _PATIENCE and said < tested / _PATIENCE - 1

    def _drop(self, name: str) -> None:
        """Ask for a variable no longer; one that was tested has explained nothing."""
        variable = self.variables.pop(name)
        self.contexts = forgotten(self.contexts, name)
        if variable["tested"]:
            self.verdicts.append(TrialVerdict(name, False, variable["source"]))
            times = self.dropped.pop(name, {"times": 0, "last": 0})["times"]
            self.dropped[name] = Dropped(times=times + 1, last=self.turn)
            self.dropped = dict(list(self.dropped.items())[-MOST_DROPPED:])

    def _on_trial(self) -> list[str]:
        return [name for name, variable in self.variables.items() if not variable["kept"]]


def _odds(variable: Variable) -> float:
    """Log2 of the odds that the variable matters at all."""
    return math.log2(variable["chance"] / (1 - variable["chance"])) + _said(variable)


def _said(variable: Variable) -> float:
    """What all contexts say for it: in each it may matter or not, equally likely."""
    return sum(math.log2(0.5 + 0.5 * 2 ** min(bits, 99.0)) for bits in variable["bits"].values())


def _is_open(entry: CaseContext) -> bool:
    """Whether the outcomes of a context ask for a variable."""
    return _unexplained(entry["cases"], entry["by"]) >= _OPEN


def evidence(cases: Sequence[Case], given: Sequence[str], added: str) -> float:
    """Bits for dividing the cases by the values of `added` too, where `given` divide them already.

    Cases in which one of the values is not known say nothing. 0 if nothing is left to explain.
    """
    parts = _parts(cases, [*given, added])
    wholes: dict[tuple[str, ...], _Counts] = {}
    for values, part in parts.items():
        whole = wholes.setdefault(values[:-1], {})
        for one, count in part.items():
            whole[one] = whole.get(one, 0) + count
    if all(len(whole) == 1 for whole in wholes.values()):
        return 0.0
    kinds = len({one for whole in wholes.values() for one in whole})
    gain = sum(_likelihood(part, kinds) for part in parts.values())
    gain -= sum(_likelihood(whole, kinds) for whole in wholes.values())
    several = len(wholes) * math.log2(kinds)
    same = several + sum(_repeated(sum(whole.values()), kinds) for whole in wholes.values())
    divided = several + sum(_repeated(sum(part.values()), kinds) for part in parts.values())
    return gain + math.log2(1 - 2**same) - math.log2(1 - 2**divided)


def _unexplained(cases: Sequence[Case], by: Sequence[str]) -> float:
    """Bits of difference between outcomes that the values of `by` leave: counts times entropy."""
    if len({(case["effect"], case["reward"]) for case in cases}) < 2:
        return 0.0
    parts = _parts(cases, by).values()
    return sum(n * math.log2(sum(part.values()) / n) for part in parts for n in part.values())


def _parts(cases: Sequence[Case], names: Sequence[str]) -> dict[tuple[str, ...], _Counts]:
    """The outcomes by the values of these variables, where all are known."""
    parts: dict[tuple[str, ...], _Counts] = {}
    for case in cases:
        if all(name in case["values"] for name in names):
            counts = parts.setdefault(tuple(case["values"][name] for name in names), {})
            outcome = case["effect"], case["reward"]
            counts[outcome] = counts.get(outcome, 0) + case["count"]
    return parts


def _likelihood(counts: _Counts, kinds: int) -> float:
    """Log2 of the probability of these outcomes in their order, before any was seen."""
    total = sum(counts.values())
    return sum(_rising(count, kinds) for count in counts.values()) - _rising(total, 1)


def _repeated(times: int, kinds: int) -> float:
    """Log2 of the probability of one and the same outcome so many times."""
    return _rising(times, kinds) - _rising(times, 1)


def _rising(count: int, kinds: int) -> float:
    """Log2 of w (w + 1) ... (w + count - 1) with the prior weight w = 1/kinds of an outcome."""
    weight = 1 / kinds
    return (math.lgamma(count + weight) - math.lgamma(weight)) / _LN2
