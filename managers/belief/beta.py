"""The Beta distribution, and the record of judgements that it is learned from."""

from __future__ import annotations

from typing import NamedTuple

from environments.figures import Count, Faded
from environments.game import Value

KEPT_PER_JUDGEMENT = 0.97
"""Weight of older judgements after one more; half of it is gone after 23."""
KEPT_PER_TURN = 0.998
"""Weight of all judgements after a turn without one; half of it is gone after 350."""
BINS = 5


def bin_of(probability: float) -> int:
    """Which fifth of all probabilities it is in, from 0 to 4."""
    return max(0, min(BINS - 1, int(probability * BINS)))


class Beta(NamedTuple):
    """What is known about a rate: pseudo-counts of successes and failures, both above 0."""

    alpha: float = 1.0
    beta: float = 1.0

    @property
    def mean(self) -> float:
        """The rate to be expected."""
        return self.alpha / (self.alpha + self.beta)

    def weighing(self, judgements: float) -> Beta:
        """The same mean, as sure as after so many judgements."""
        return Beta(judgements * self.mean, judgements * (1.0 - self.mean))

    def below(self, rate: float) -> float:
        """The probability that the rate is below `rate` (the regularised incomplete beta)."""
        from scipy.special import betainc

        return float(betainc(self.alpha, self.beta, min(1.0, max(0.0, rate))))

    def quantile(self, mass: float) -> float:
        """The rate with probability `mass` below it."""
        if self == UNIFORM:
            return mass
        from scipy.special import betaincinv

        return float(betaincinv(self.alpha, self.beta, mass))

    def interval(self) -> tuple[float, float]:
        """The equal-tailed credible interval of 95 %."""
        return self.quantile(0.025), self.quantile(0.975)


UNIFORM = Beta()


class TrackRecord(Value):
    """Judgements of one kind of answer; the older ones count less, so that a change is noticed.

    Fading weights are worth as many full ones as the effective sample size says (Kish, Survey
    Sampling, 1965): their squared sum by the sum of their squares.
    """

    judged: Count = 0
    """All judgements ever, whatever their weight."""
    right: Count = 0
    successes: Faded = 0.0
    """Weight of the judgements that were right."""
    failures: Faded = 0.0
    squares: Faded = 0.0
    turn: Count = 0
    """Of the last judgement."""

    def after(self, right: bool, turn: int) -> TrackRecord:
        """The record with one more judgement."""
        kept = KEPT_PER_JUDGEMENT * KEPT_PER_TURN ** max(0, turn - self.turn)
        return TrackRecord(
            judged=self.judged + 1,
            right=self.right + right,
            successes=self.successes * kept + right,
            failures=self.failures * kept + (not right),
            squares=self.squares * kept * kept + 1.0,
            turn=turn,
        )

    def posterior(self, turn: int, prior: Beta = UNIFORM) -> Beta:
        """What is known in a turn of how often the answers are right."""
        if not self.judged:
            return prior
        kept = KEPT_PER_TURN ** max(0, turn - self.turn)
        worth = (self.successes + self.failures) / max(1.0, self.squares) * kept
        return Beta(prior.alpha + self.successes * worth, prior.beta + self.failures * worth)
