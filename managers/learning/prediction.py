"""What counts on several levels say of the next outcome: each level backs off to the one behind it.

A level is a table of outcomes and how often they were seen; levels do not share observations. What
stands behind a level weighs as much as one observation (a Dirichlet prior of concentration 1).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from random import Random

from managers.learning.cases import Outcome

Counts = Mapping[Outcome, int]


def predictive(levels: Sequence[Counts], effect: str, reward: float | None = None) -> float:
    """The probability of an effect, with a reward or with any, by the levels, nearest first."""
    chance = _by_its_letters(effect)
    if reward is not None:
        chance *= _by_its_letters(repr(reward))
    for counts in reversed(levels):
        agreeing = sum(
            count
            for one, count in counts.items()
            if one.effect == effect and reward in (None, one.reward)
        )
        chance = (agreeing + chance) / (sum(counts.values()) + 1)
    return chance


def mean_reward(levels: Sequence[Counts]) -> float:
    """The points to be expected; 0 before anything was seen."""
    mean = 0.0
    for counts in reversed(levels):
        total = sum(count * one.reward for one, count in counts.items())
        mean = (total + mean) / (sum(counts.values()) + 1)
    return mean


def success_rate(levels: Sequence[Counts]) -> float:
    """The probability that a command is neither refused nor deadly; 0.5 before any was seen."""
    rate = 0.5
    for counts in reversed(levels):
        works = sum(count for one, count in counts.items() if not one.failed)
        rate = (works + rate) / (sum(counts.values()) + 1)
    return rate


def drawn(levels: Sequence[Counts], rng: Random) -> Outcome:
    """An outcome by chance; where nothing was seen, it works or fails with nothing gained."""
    for counts in levels:
        total = sum(counts.values())
        if rng.random() * (total + 1) < total:
            return rng.choices(list(counts), weights=list(counts.values()))[0]
    return Outcome(rng.choice(("success", "failure")), 0.0)


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
