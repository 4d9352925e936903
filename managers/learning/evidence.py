"""How much the cases say for variables that may decide the outcome, in bits.

The criterion is the Bayesian-Dirichlet marginal likelihood of the cases with the context divided by
the variables' values against that of the context undivided (Cooper and Herskovits 1992; Heckerman,
Geiger and Chickering 1995; divided context by context as in Chickering, Heckerman and Meek 1997).
It carries its own price for complexity: every part has to learn its outcomes anew. The prior is
Perks' (a total of one observation, spread evenly over the outcomes seen).

A context is looked at only because its outcomes differ. Both likelihoods are therefore divided by
the probability of just that; else any variable that changed between two different outcomes would
seem to explain them. What comes out is a fair bet against chance: on average over all that chance
can do, 2 to the power of the evidence is 1, so that k bits are reached by chance at most once in
2^k times however often one looks (Ville's inequality).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

from managers.learning.cases import Case

_LN2 = math.log(2)
_Counts = dict[tuple[str, float], int]
_Parts = dict[tuple[str, ...], dict[tuple[str, ...], _Counts]]


def evidence(cases: Sequence[Case], given: Sequence[str], added: Sequence[str]) -> float:
    """Bits for dividing the cases by the values of `added` too, where `given` divide them already.

    Cases in which one of the values is not known say nothing. 0 if nothing is left to explain.
    """
    parts = _parts(cases, given, added)
    wholes = {key: _merged(inner.values()) for key, inner in parts.items()}
    if all(len(whole) == 1 for whole in wholes.values()):
        return 0.0
    kinds = len({one for whole in wholes.values() for one in whole})
    gain, same, same_divided = 0.0, 0.0, 0.0
    for key, whole in wholes.items():
        gain -= _likelihood(whole, kinds)
        same += math.log2(kinds) + _repeated(sum(whole.values()), kinds)
        same_divided += math.log2(kinds)
        for part in parts[key].values():
            gain += _likelihood(part, kinds)
            same_divided += _repeated(sum(part.values()), kinds)
    return gain + math.log2(1 - 2**same) - math.log2(1 - 2**same_divided)


def unexplained(cases: Sequence[Case], by: Sequence[str]) -> float:
    """Bits of difference between outcomes that the values of `by` leave: counts times entropy."""
    if len(cases) < 2:
        return 0.0
    first = cases[0]["effect"], cases[0]["reward"]
    if all((case["effect"], case["reward"]) == first for case in cases):
        return 0.0
    return sum(_entropy(whole[()]) for whole in _parts(cases, by, ()).values())


def _parts(cases: Sequence[Case], given: Sequence[str], added: Sequence[str]) -> _Parts:
    parts: _Parts = {}
    for case in cases:
        values = case["values"]
        try:
            outer = tuple([values[name] for name in given])
            inner = tuple([values[name] for name in added])
        except KeyError:
            continue
        counts = parts.setdefault(outer, {}).setdefault(inner, {})
        outcome = case["effect"], case["reward"]
        counts[outcome] = counts.get(outcome, 0) + case["count"]
    return parts


def _merged(parts: Collection[_Counts]) -> _Counts:
    if len(parts) == 1:
        return next(iter(parts))
    merged: _Counts = {}
    for part in parts:
        for outcome, count in part.items():
            merged[outcome] = merged.get(outcome, 0) + count
    return merged


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


def _entropy(counts: _Counts) -> float:
    total = sum(counts.values())
    return sum(count * math.log2(total / count) for count in counts.values())
