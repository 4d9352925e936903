"""The Beta distribution, and the record of judgements that it is learned from."""

from __future__ import annotations

import math
import random
from typing import NamedTuple

from environments.game import Value

KEPT_PER_JUDGEMENT = 0.97
"""Weight of older judgements after one more; half of it is gone after 23."""
KEPT_PER_TURN = 0.998
"""Weight of all judgements after a turn without one; half of it is gone after 350."""
_TERMS = 30
_HALVINGS = 40


class Beta(NamedTuple):
    """What is known about a rate: pseudo-counts of successes and failures, both above 0.

    SciPy would do, but takes 140 MB and half a second to import.
    """

    alpha: float = 1.0
    beta: float = 1.0

    @property
    def mean(self) -> float:
        """The rate to be expected."""
        return self.alpha / (self.alpha + self.beta)

    def below(self, rate: float) -> float:
        """The probability that the rate is below `rate` (the regularised incomplete beta)."""
        if rate <= 0.0 or rate >= 1.0:
            return float(rate >= 1.0)
        if rate > (self.alpha + 1) / (self.alpha + self.beta + 2):
            return 1.0 - Beta(self.beta, self.alpha)._incomplete(1.0 - rate)
        return self._incomplete(rate)

    def _incomplete(self, rate: float) -> float:
        """The same by the continued fraction, which is quick for small rates."""
        front = math.exp(
            math.lgamma(self.alpha + self.beta)
            - math.lgamma(self.alpha)
            - math.lgamma(self.beta)
            + self.alpha * math.log(rate)
            + self.beta * math.log1p(-rate)
        )
        return front * _continued_fraction(self.alpha, self.beta, rate) / self.alpha

    def quantile(self, mass: float) -> float:
        """The rate with probability `mass` below it."""
        low, high = 0.0, 1.0
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            low, high = (middle, high) if self.below(middle) < mass else (low, middle)
        return (low + high) / 2

    def interval(self, mass: float = 0.95) -> tuple[float, float]:
        """The equal-tailed credible interval."""
        tail = (1 - mass) / 2
        return self.quantile(tail), self.quantile(1 - tail)

    def sample(self, rng: random.Random) -> float:
        """A rate drawn at random, for Thompson sampling."""
        return rng.betavariate(self.alpha, self.beta)


class TrackRecord(Value):
    """Judgements of one kind of answer; the older ones count less, so that a change is noticed.

    Weighted judgements are worth as many even ones as their effective sample size says: the
    squared sum of the weights by the sum of their squares (Kish, Survey Sampling, 1965). With
    that, intervals hold the rate of a constant oracle as often as they say.
    """

    judged: int = 0
    """All judgements ever, whatever their weight."""
    right: int = 0
    successes: float = 0.0
    """Weight of the judgements that were right."""
    failures: float = 0.0
    squares: float = 0.0
    """Sum of the squared weights."""
    turn: int = 0
    """Of the last judgement."""

    def after(self, right: bool, turn: int) -> TrackRecord:
        """The record with one more judgement."""
        kept = KEPT_PER_JUDGEMENT * _kept_over(turn - self.turn)
        return TrackRecord(
            judged=self.judged + 1,
            right=self.right + right,
            successes=self.successes * kept + right,
            failures=self.failures * kept + (not right),
            squares=self.squares * kept * kept + 1.0,
            turn=turn,
        )

    def posterior(self, turn: int, prior: Beta = Beta()) -> Beta:  # noqa: B008
        """What is known in a turn of how often the answers are right."""
        if not self.judged:
            return prior
        worth = (self.successes + self.failures) / self.squares * _kept_over(turn - self.turn)
        return Beta(prior.alpha + self.successes * worth, prior.beta + self.failures * worth)


def _kept_over(turns: int) -> float:
    return float(KEPT_PER_TURN ** max(0, turns))


def _continued_fraction(alpha: float, beta: float, rate: float) -> float:
    """1 / (1 + c1 / (1 + c2 / ...)) of the incomplete beta function (DLMF 8.17.22)."""
    value = 1.0
    for term in range(_TERMS + int(5 * math.sqrt(alpha + beta)), 0, -1):
        value = 1.0 + _coefficient(term, alpha, beta, rate) / value
    return 1.0 / value


def _coefficient(term: int, alpha: float, beta: float, rate: float) -> float:
    half = term // 2
    if term % 2:
        above = -(alpha + half) * (alpha + beta + half)
        return above * rate / ((alpha + 2 * half) * (alpha + 2 * half + 1))
    return half * (beta - half) * rate / ((alpha + 2 * half - 1) * (alpha + 2 * half))
