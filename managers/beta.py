"""The Beta distribution, as far as learned rates of success need it."""

from __future__ import annotations

import math
import random
from typing import NamedTuple

_TERMS = 30
_HALVINGS = 40
_SURELY = 1.64
"""Standard deviations; one time in twenty a rate is further below its mean."""


class Beta(NamedTuple):
    """What is known about a rate: pseudo-counts of successes and failures, both above 0."""

    alpha: float = 1.0
    beta: float = 1.0

    @property
    def mean(self) -> float:
        return self.alpha / (self.alpha + self.beta)

    @property
    def least(self) -> float:
        """A rate that the true one is hardly below: the mean less a few standard deviations."""
        total = self.alpha + self.beta
        variance = self.alpha * self.beta / (total * total * (total + 1))
        return max(0.0, self.mean - _SURELY * math.sqrt(variance))

    def below(self, rate: float) -> float:
        """The probability that the rate is below `rate` (the regularised incomplete beta)."""
        if rate <= 0.0 or rate >= 1.0:
            return float(rate >= 1.0)
        if rate > (self.alpha + 1) / (self.alpha + self.beta + 2):
            return 1.0 - Beta(self.beta, self.alpha).below(1.0 - rate)
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
