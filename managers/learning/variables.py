"""State variables on trial: the odds that each decides outcomes, and who gets a place.

A variable starts with the odds that its suggestion gives it and wins or loses the bits of evidence
that the contexts give (`managers.learning.evidence`). Places on trial go to those most likely to
matter; one that is not put to the test loses its claim in time.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping

from typing_extensions import TypedDict

MOST_ON_TRIAL = 8
MOST_DROPPED = 24
ORACLE = "oracle"
_CHANCE = 0.1
"""How often what rules suggest matters."""
_CHANCES = (0.02, 0.8)
_RATES = (0.05, 0.5, 0.9)
"""In which share of the contexts a variable may matter; all three are weighed."""
_IDLE = 30
"""Turns without a test that halve what a place on trial is worth."""
_CLEARLY = 1.5
"""How much likelier to matter a new variable has to be than the one it displaces."""
_REST = 10
"""Turns until what was dropped may be suggested again."""
_LONGEST = 60


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


def named(text: str) -> str:
    """A variable's name as it is tracked; empty if it is none."""
    name = " ".join(text.lower().split())
    return name if len(name) <= _LONGEST else ""


def chance_of(source: str, accuracy: float) -> float:
    """The probability that what was suggested matters.

    Args:
        source: `oracle`, or whoever else suggested it.
        accuracy: how often the oracle's suggestions proved useful, 0 to 1.
    """
    low, high = _CHANCES
    return min(max(accuracy, low), high) if source == ORACLE else _CHANCE


def odds(variable: Variable) -> float:
    """Log2 of the odds that the variable matters at all."""
    prior = math.log2(variable["chance"] / (1 - variable["chance"]))
    return prior + _log2_mean(_by_rate(variable["bits"].values()))


def local_odds(variable: Variable) -> float:
    """Log2 of the odds that a variable that matters does so in one more context."""
    weights = _by_rate(variable["bits"].values())
    most = max(weights)
    shares = [2 ** (weight - most) for weight in weights]
    rate = sum(r * share for r, share in zip(_RATES, shares, strict=True)) / sum(shares)
    return math.log2(rate / (1 - rate))


def worth(variable: Variable, turn: int) -> float:
    """What its place on trial is worth: the chance that it matters, less while it is not tested."""
    return 2 ** -((turn - variable["last"]) / _IDLE) / (1 + 2 ** -min(odds(variable), 50.0))


def _by_rate(bits: Collection[float]) -> list[float]:
    return [sum(math.log2(1 - rate + rate * 2 ** min(b, 99.0)) for b in bits) for rate in _RATES]


def _log2_mean(logs: list[float]) -> float:
    most = max(logs)
    return most + math.log2(sum(2 ** (log - most) for log in logs) / len(logs))


def on_trial(variables: Mapping[str, Variable]) -> list[str]:
    """The variables that are not kept yet."""
    return [name for name, variable in variables.items() if not variable["kept"]]


def with_dropped(dropped: Mapping[str, Dropped], name: str, turn: int) -> dict[str, Dropped]:
    """The variables dropped, one more of them for the first time or again."""
    times = dropped[name]["times"] if name in dropped else 0
    rest = {key: value for key, value in dropped.items() if key != name}
    rest[name] = Dropped(times=times + 1, last=turn)
    return dict(list(rest.items())[-MOST_DROPPED:])


def may_return(dropped: Dropped, turn: int) -> bool:
    """Whether a variable that was dropped has rested long enough to be tried again."""
    return turn - dropped["last"] >= _REST


def admitted(
    variables: Mapping[str, Variable], name: str, source: str, chance: float, turn: int
) -> dict[str, Variable]:
    """The variables with one more on trial, if a place is free or it is clearly likelier than one.

    Being suggested again makes a variable no likelier; by a better source, as likely as that says.
    """
    old = variables.get(name)
    if old is not None:
        better = {**old, "source": source, "chance": chance} if chance > old["chance"] else old
        return {**variables, name: better}
    left = dict(variables)
    if len(on_trial(left)) >= MOST_ON_TRIAL:
        worths = {one: worth(left[one], turn) for one in on_trial(left)}
        least = min(worths, key=lambda one: worths[one])
        if chance < _CLEARLY * worths[least]:
            return left
        del left[least]
    new = Variable(source=source, chance=chance, kept=False, tested=0, last=turn, bits={})
    return {**left, name: new}
