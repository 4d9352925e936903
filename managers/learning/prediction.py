"""What counts on several levels say of the next outcome: each level backs off to the one behind it.

What stands behind a level weighs as much as a few observations (a Dirichlet prior).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from random import Random
from typing import NamedTuple

from managers.learning.cases import Consequence


class Level(NamedTuple):
    """Outcomes and how often they were seen, summed up."""

    counts: Mapping[Consequence, int]
    total: int
    reward: float
    """All points together."""
    works: int
    """How often it was neither a refusal nor a death."""
    prior: float
    """The observations that the level behind it is worth."""

    @classmethod
    def of(cls, counts: Mapping[Consequence, int], prior: float = 1.0) -> Level:
        """The level of these counts."""
        return cls(
            counts,
            sum(counts.values()),
            sum(count * one.reward for one, count in counts.items()),
            sum(count for one, count in counts.items() if not one.failed),
            prior,
        )


class Draw(NamedTuple):
    """What a command comes to if the model is as it was drawn."""

    success: float
    """Probability that it is neither refused nor deadly."""
    reward: float
    """Points to be expected."""


def predictive(levels: Sequence[Level], effect: str, reward: float | None = None) -> float:
    """The probability of an effect, with a reward or with any, by the levels, nearest first."""
    chance = _by_its_letters(effect)
    if reward is not None:
        chance *= _by_its_letters(repr(reward))
    for level in reversed(levels):
        if reward is None:
            agreeing = sum(count for one, count in level.counts.items() if one.effect == effect)
        else:
            agreeing = level.counts.get(Consequence(effect, reward), 0)
        chance = (agreeing + level.prior * chance) / (level.total + level.prior)
    return chance


def mean_reward(levels: Sequence[Level]) -> float:
    """The points to be expected; 0 before anything was seen."""
    mean = 0.0
    for level in reversed(levels):
        mean = (level.reward + level.prior * mean) / (level.total + level.prior)
    return mean


def success_rate(levels: Sequence[Level]) -> float:
    """The probability that a command is neither refused nor deadly; 0.5 before any was seen."""
    rate = 0.5
    for level in reversed(levels):
        rate = (level.works + level.prior * rate) / (level.total + level.prior)
    return rate


def drawn(
    weights: Mapping[Consequence, float], rest: float, elsewhere: Sequence[Level], rng: Random
) -> Draw:
    """One distribution drawn from the Dirichlet posterior, summed up.

    Args:
        weights: what was seen, with observations real and of the prior.
        rest: the weight of all that was not; it comes out as something seen elsewhere.
        elsewhere: levels from which that is drawn.
        rng: where chance comes from.
    """
    shares = [(one, rng.gammavariate(weight, 1.0)) for one, weight in weights.items()]
    shares.append((_outcome(elsewhere, rng), rng.gammavariate(max(rest, 1e-9), 1.0)))
    total = sum(share for _, share in shares) or 1.0
    success = sum(share for one, share in shares if not one.failed)
    return Draw(success / total, sum(share * one.reward for one, share in shares) / total)


def _outcome(levels: Sequence[Level], rng: Random) -> Consequence:
    """An outcome by chance; where nothing was seen, it works or fails with nothing gained."""
    for level in levels:
        if rng.random() * (level.total + level.prior) < level.total:
            return rng.choices(list(level.counts), weights=list(level.counts.values()))[0]
    return Consequence(rng.choice(("success", "failure")), 0.0)


def information(weights: Sequence[float]) -> float:
    """The bits that one draw is expected to tell of a Dirichlet distribution with these weights.

    The entropy of the draw, less its expected entropy if the distribution were known.
    """
    total = sum(weights)
    shares = [(weight, weight / total) for weight in weights if weight > 0]
    nats = sum(
        share * (_digamma(weight + 1) - _digamma(total + 1) - math.log(share))
        for weight, share in shares
    )
    return max(nats, 0.0) / math.log(2)


def _by_its_letters(text: str) -> float:
    """A prior over all texts that adds up to 1: 256 bytes and an end, all equally likely."""
    return 257.0 ** -(len(text.encode()) + 1)


def _digamma(x: float) -> float:
    """The derivative of the logarithm of the gamma function, for x >= 1."""
    shift = 0.0
    while x < 6:
        shift -= 1 / x
        x += 1
    square = 1 / (x * x)
    series = square * (1 / 12 - square * (1 / 120 - square / 252))
    return shift + math.log(x) - 0.5 / x - series
