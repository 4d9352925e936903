"""What was seen of a command, as cases: state's values, outcome, count; and what cases speak for.

How much the cases of a context say for a variable is counted in bits: the Bayesian-Dirichlet
marginal likelihood of the cases with the context divided by its values against that of the context
undivided (Cooper and Herskovits 1992; Heckerman, Geiger and Chickering 1995). Every part has to
learn its outcomes anew, which is the price for complexity. A context is looked at only because its
outcomes differ, so both likelihoods are divided by the probability of just that. Chance reaches
k bits at most once in 2^k times (Ville).

All of it is plain data; no function changes what it is given.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Annotated, NamedTuple, NotRequired, TypeVar

from pydantic import Field
from typing_extensions import TypedDict

from environments.figures import Amount, Count, Odds

UNKNOWN = "unknown"
"""What a variable is where its value is not known; never counted as a value."""
OTHER = "other"
"""The effect that stands for all beyond the first few different ones."""
MOST_CASES = 60
_MOST_OUTCOMES = 6
LONGEST = 80
"""Characters of an effect or a value that count."""
_MOST_CONTEXTS = 24
_MOST_ODDS = 50.0
"""Bits from which on a variable is as good as certain."""
_T = TypeVar("_T")


class Consequence(NamedTuple):
    """What a command came to: its effect and the points it brought."""

    effect: str
    reward: float

    @property
    def failed(self) -> bool:
        """Whether it was a refusal or a death."""
        return self.effect.startswith(("failure", "death"))

    def __str__(self) -> str:
        return f"{self.effect} ({self.reward:+g} points)" if self.reward else self.effect


class Case(TypedDict):
    """An outcome together with the values known before it."""

    values: dict[str, str]
    effect: str
    reward: Amount
    count: Annotated[Count, Field(ge=1)]


class CaseContext(TypedDict):
    """One command in one place."""

    by: list[str]
    """The variables that its outcomes depend on."""
    cases: list[Case]
    """The latest last."""
    scored: NotRequired[bool]
    """Whether it has brought points since the story began."""


class Variable(TypedDict):
    """A variable that is kept or on trial."""

    source: str
    chance: Odds
    """That it matters, before anything was seen."""
    kept: bool
    waited: Count
    """Unexplained outcomes since it is on trial."""
    bits: dict[str, Amount]
    """Context -> evidence that the variable matters there."""


def tally(cases: Iterable[Case]) -> Counter[Consequence]:
    """How often each outcome was seen."""
    counts = Counter[Consequence]()
    for case in cases:
        counts[Consequence(case["effect"], case["reward"])] += case["count"]
    return counts


def with_case(cases: Sequence[Case], values: dict[str, str], seen: Consequence) -> list[Case]:
    """The cases with one more observation at the end, counted with the case that is the same."""
    outcomes = tally(cases)
    if seen not in outcomes and len(outcomes) >= _MOST_OUTCOMES:
        seen = seen._replace(effect=f"failure: {OTHER}" if seen.failed else OTHER)
    others, count = list[Case](), 1
    for case in cases:
        if (case["values"], case["effect"], case["reward"]) == (values, *seen):
            count += case["count"]
        else:
            others.append(case)
    one = Case(values=values, effect=seen.effect, reward=seen.reward, count=count)
    return [*others, one][-MOST_CASES:]


def renewed(table: Mapping[str, _T], key: str, value: _T, most: int) -> dict[str, _T]:
    """The table with the entry at its end; those not touched for longest give way."""
    others = [entry for entry in table.items() if entry[0] != key]
    return dict([*others, (key, value)][-most:])


# -- evidence -----------------------------------------------------------------


def evidence(cases: Sequence[Case], given: Sequence[str], added: str) -> float:
    """Bits for dividing the cases by the values of `added` too, where `given` divide them already.

    Cases in which one of the values is not known say nothing. 0 if nothing is left to explain.
    """
    telling = [case for case in cases if added in case["values"]]
    parts, wholes = _parts(telling, [*given, added]), _parts(telling, given)
    if all(len(whole) == 1 for whole in wholes):
        return 0.0
    kinds = len({one for whole in wholes for one in whole})
    gain = sum(_likelihood(part.values(), kinds) for part in parts)
    gain -= sum(_likelihood(whole.values(), kinds) for whole in wholes)
    # That each whole, or each part of it, has but one outcome, whichever that is.
    several = len(wholes) * math.log2(kinds)
    same = several + sum(_likelihood([whole.total()], kinds) for whole in wholes)
    divided = several + sum(_likelihood([part.total()], kinds) for part in parts)
    return gain + math.log2(1 - 2**same) - math.log2(1 - 2**divided)


def unexplained(cases: Sequence[Case], by: Sequence[str]) -> float:
    """Bits of difference between outcomes that the values of `by` leave: counts times entropy."""
    parts = _parts(cases, by)
    return sum(n * math.log2(part.total() / n) for part in parts for n in part.values())


def _parts(cases: Sequence[Case], names: Sequence[str]) -> list[Counter[Consequence]]:
    """The outcomes for each combination of these variables' values, where all are known."""
    parts: dict[tuple[str | None, ...], list[Case]] = {}
    for case in cases:
        values = tuple([case["values"].get(name) for name in names])
        if None not in values:
            parts.setdefault(values, []).append(case)
    return [tally(part) for part in parts.values()]


def _likelihood(counts: Collection[int], kinds: int) -> float:
    """Log2 of the probability of outcomes so often each, in their order, before any was seen."""
    return sum(_rising(count, kinds) for count in counts) - _rising(sum(counts), 1)


def _rising(count: int, kinds: int) -> float:
    """Log2 of w (w + 1) ... (w + count - 1) with the prior weight w = 1/kinds of an outcome."""
    weight = 1 / kinds
    return (math.lgamma(count + weight) - math.lgamma(weight)) / math.log(2)


# -- variables ----------------------------------------------------------------


def with_evidence(name: str, variable: Variable, context: str, entry: CaseContext) -> Variable:
    """The variable with what a context says about it, given those that divide it already.

    Where the outcomes do not differ, a context says nothing.
    """
    told = [case for case in entry["cases"] if name in case["values"]]
    if len(tally(told)) < 2:
        return variable
    given = [one for one in entry["by"] if one != name]
    bits = round(evidence(told, given, name), 3)
    return {**variable, "bits": renewed(variable["bits"], context, bits, _MOST_CONTEXTS)}


def chance_of(variable: Variable) -> float:
    """The probability that the variable matters at all."""
    return 1 / (1 + 2 ** -min(odds_of(variable), _MOST_ODDS))


def odds_of(variable: Variable) -> float:
    """Log2 of the odds that the variable matters at all."""
    return math.log2(variable["chance"] / (1 - variable["chance"])) + said_for(variable)


def said_for(variable: Variable) -> float:
    """What all contexts say for it: in each it may matter or not, equally likely."""
    return sum(math.log2(0.5 + 0.5 * 2 ** min(bits, 99.0)) for bits in variable["bits"].values())
