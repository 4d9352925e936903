"""Variables that may decide what commands do, and what speaks for them: odds in bits."""

from __future__ import annotations

import math

from typing_extensions import TypedDict

from managers.learning.cases import CaseContext, evidence, renewed, tally

_MOST_BITS = 24
"""Contexts whose evidence on one variable is remembered."""
_MOST_ODDS = 50.0
"""Bits from which on a variable is as good as certain."""


class Variable(TypedDict):
    """A variable that is kept or on trial."""

    source: str
    chance: float
    """That it matters, before anything was seen."""
    kept: bool
    waited: int
    """Unexplained outcomes since it is on trial."""
    bits: dict[str, float]
    """Context -> evidence that the variable matters there."""


def with_evidence(name: str, variable: Variable, context: str, entry: CaseContext) -> Variable:
    """The variable with what a context says about it, given those that divide it already.

    Where the outcomes do not differ, a context says nothing.
    """
    told = [case for case in entry["cases"] if name in case["values"]]
    if len(tally(told)) < 2:
        return variable
    given = [one for one in entry["by"] if one != name]
    bits = round(evidence(told, given, name), 3)
    return {**variable, "bits": renewed(variable["bits"], context, bits, _MOST_BITS)}


def chance_of(variable: Variable) -> float:
    """The probability that the variable matters at all."""
    return 1 / (1 + 2 ** -min(odds_of(variable), _MOST_ODDS))


def odds_of(variable: Variable) -> float:
    """Log2 of the odds that the variable matters at all."""
    return math.log2(variable["chance"] / (1 - variable["chance"])) + said_for(variable)


def said_for(variable: Variable) -> float:
    """What all contexts say for it: in each it may matter or not, equally likely."""
    return sum(math.log2(0.5 + 0.5 * 2 ** min(bits, 99.0)) for bits in variable["bits"].values())
