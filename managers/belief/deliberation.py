"""What following the oracle is worth, and whether its answer is worth its price.

An answer is worth by how much its recommendation is expected to exceed the best of the agent's own
options (Howard, Information Value Theory, 1966). How often recommendations help is drawn at random
(`OracleReliability.draw`), so that an oracle is asked while little is known of it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from pydantic import Field

from environments.game import Value
from managers.belief.beliefs import AgentBeliefs
from managers.belief.reliability import SORTS, OracleReliability
from managers.belief.wording import Sort
from managers.language.actions import canonical, same_action
from managers.language.reading import FailureAnalysis, ProgressReport, SituationUnderstanding

_HOPED, _HOPE = 6.0, 3.0
"""Points that a helpful recommendation brings before any was seen; how many seen ones it weighs."""
_HARMLESS = 1.0
"""So many recommendations that did no harm are supposed at first: one death tells much."""
_BROUGHT, _UTILITY = 0.25, 8.0
"""Points for each point of utility that the agent's own choices promise, before any was seen; how
many seen ones it weighs."""
_BROUGHT_AT_LEAST = 0.05
_PATIENCE = 3.0
"""Turns without anything new after which another answer is likely in two cases of three."""


class Deliberation(Value):
    """What an answer is worth and what it costs, in points."""

    worth: float
    price: float

    @property
    def ask(self) -> bool:
        """Whether the answer is worth its price."""
        return self.worth > self.price or not self.price


class Tariff(Value):
    """What asking costs."""

    tokens: int = Field(default=2500, ge=0)
    """Of one question with its answer."""
    price: float = Field(default=0.3, ge=0.0)
    """Points of score that a thousand tokens have to bring; 0 to ask every turn."""


class Advice(Value):
    """What the oracle answered in one turn, before the command was chosen.

    Failure and progress are those of the command before.
    """

    turn: int
    number: int
    """How often it has been asked in this episode."""
    deliberation: Deliberation
    """Why it was asked."""
    understanding: SituationUnderstanding
    failure: FailureAnalysis | None = None
    progress: ProgressReport | None = None
    variables: tuple[str, ...] = ()
    """State variables it suggests for the contradictions it was shown."""
    state: dict[str, str] = Field(default_factory=dict)
    """Values of the tracked variables, read off the situation."""


def value_of_advice(
    reliability: OracleReliability,
    rates: Mapping[Sort, float],
    sort: Sort,
    command: str = "",
    *,
    confidence: float | None = None,
    risky: bool = False,
) -> float:
    """What it is worth to follow a recommendation of a sort, in points of the options' utility.

    The chance that it helps, times what those brought that did, less the harm of the others; by
    what a point of utility of the agent's own choices brought. For every time that the command has
    done nothing before, the oracle has to be right once more. What may kill is worth something
    only on the word of an oracle that is surely right more often than not.
    """
    data = reliability.data
    rate = min(1.0, max(0.0, rates[sort] + reliability.shift(confidence)))
    right = data.gain_right.estimate(_HOPED, _HOPE)
    wrong = data.gain_wrong.estimate(0.0, _HARMLESS)
    own = max(_BROUGHT_AT_LEAST, data.gain_own.estimate(_BROUGHT, _UTILITY))
    worth = max(0.0, rate * right + (1.0 - rate) * wrong) / own
    worth *= rate ** data.ineffective.get(canonical(command), 0)
    # Where it may kill, an even chance is not enough.
    return worth * max(0.0, 2.0 * reliability.proven(sort) - 1.0) if risky else worth


def expected_gain(
    reliability: OracleReliability, rates: Mapping[Sort, float], best: float, *, risky: bool = False
) -> float:
    """By how much the next recommendation is expected to exceed the best of the own options."""
    counts = {sort: reliability.data.recommended.get(sort, 0) + 1 / len(SORTS) for sort in SORTS}
    total = sum(counts.values())
    worth = {sort: value_of_advice(reliability, rates, sort, risky=risky) for sort in SORTS}
    return sum(counts[sort] / total * max(0.0, worth[sort] - best) for sort in SORTS)


def deliberate(
    reliability: OracleReliability,
    rates: Mapping[Sort, float],
    best: float,
    beliefs: AgentBeliefs,
    last: Advice | None,
    tariff: Tariff,
    *,
    risky: bool = False,
) -> Deliberation:
    """Weigh an answer for the coming turn against `best`, the utility of the agent's best option.

    Of a reply to a question that is only its lead over the next one: that a question is to be
    answered does not tell how. `last` is the oracle's last answer; all is risky that may kill.
    """
    better = expected_gain(reliability, rates, best, risky=risky)
    price = tariff.tokens * tariff.price / 1000
    return Deliberation(worth=round(novelty(beliefs, last) * better, 3), price=price)


def novelty(beliefs: AgentBeliefs, last: Advice | None) -> float:
    """How likely another answer than the last one is.

    1 after progress and on a way the oracle has led to; else it grows with the turns.
    """
    asked = last.turn - 1 if last else -1
    if beliefs.last_progress > asked:
        return 1.0
    if last is not None and last.turn == beliefs.turn and beliefs.action_history:
        told = last.understanding.recommended_action
        if told and same_action(told, beliefs.action_history[-1]):
            return 1.0
    return 1.0 - math.exp(-(beliefs.turn - asked) / _PATIENCE)
