"""Figures over episodes, with numpy: means, medians, interquartile means and their intervals.

Episodes of one story are a stratum. Intervals are 95 % percentile intervals of a stratified
bootstrap, made right for few values in two known ways: from each stratum of n values n - 1 are
drawn with replacement (Rao and Wu 1988), and the percentiles are those that a t distribution has
where a normal one has 2.5 and 97.5 % (Hesterberg 2015, "expanded percentiles"), with
Satterthwaite's degrees of freedom. The resampling is seeded.

Whether two things are different is a question for a permutation test, whose level is exact however
few or skewed the values are. The interval of a difference is stretched to 0 where that test finds
none, so that an interval without 0 always means both.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 2000
SIGNIFICANT = 0.05
NORMAL = NormalDist()
POWER = NORMAL.inv_cdf(0.975) + NORMAL.inv_cdf(0.80)
"""Standard errors of a difference that shows at 5 % in 80 of 100 plans: z(0.975) + z(0.80)."""

Floats = NDArray[np.float64]
Values = Sequence[float]
Strata = Sequence[Values]
Statistic = Callable[[Sequence[Floats]], Floats]
"""Of strata whose last axis is the values; whatever axes are before are resamples."""


class Interval(NamedTuple):
    """An estimate and its 95 % interval."""

    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self:.1f}"

    def __format__(self, spec: str) -> str:
        """Each of the three numbers in the form of `spec`, for instance `.2f`."""
        spec = spec or ".1f"
        return f"{self.mean:{spec}} [{self.low:{spec}}, {self.high:{spec}}]"

    @property
    def excludes_zero(self) -> bool:
        """The difference of which this is an estimate is is more than chance makes."""
        return self.low > 0 or self.high < 0


def mean(strata: Sequence[Floats]) -> Floats:
    """The mean of the strata's means."""
    return np.asarray(np.mean(_means(strata), axis=0))


def median(strata: Sequence[Floats]) -> Floats:
    """The median of the strata's means; of a single stratum, of its values."""
    if len(strata) == 1:
        return np.asarray(np.median(strata[0], axis=-1))
    return np.asarray(np.median(_means(strata), axis=0))


def iqm(strata: Sequence[Floats]) -> Floats:
    """The mean of the middle half of all values; those on its border count in part."""
    values = np.sort(np.concatenate(strata, axis=-1), axis=-1)
    borders = np.linspace(0, 1, values.shape[-1] + 1).clip(0.25, 0.75)
    return np.asarray(np.average(values, axis=-1, weights=np.diff(borders)))


def estimate(strata: Strata, statistic: Statistic = mean, times: int = RESAMPLES) -> Interval:
    """A statistic with its interval; a stratum of one value has no spread."""
    arrays = [np.asarray(values, dtype=float) for values in strata]
    draws = statistic(_resampled(arrays, times=times))
    return _interval(float(statistic(arrays)), draws, _tail(arrays))


def interval(values: Values) -> Interval:
    """The mean of one sample with its interval."""
    return estimate([values])


def paired(differences: Strata) -> Interval:
    """The mean of paired differences; 0 is in its interval unless sign flips rule it out."""
    return _settled(estimate(differences), flipped(differences))


def difference(first: Strata, second: Strata) -> Interval:
    """Mean of the second less mean of the first, which are not paired.

    0 is in its interval unless shuffles rule it out.
    """
    before, after = _arrays(first), _arrays(second)
    draws = mean(_resampled(after, 2)) - mean(_resampled(before, 1))
    found = _interval(float(mean(after) - mean(before)), draws, _tail([*before, *after]))
    return _settled(found, shuffled(first, second))


def shuffled(first: Strata, second: Strata) -> float:
    """P of a permutation test: how often chance alone sets the means as far apart.

    Within each stratum the values are shuffled between the two.
    """
    rng = np.random.default_rng(3)
    gap = np.zeros(RESAMPLES + 1)
    for before, after in zip(_arrays(first), _arrays(second), strict=True):
        pool = np.concatenate([before, after])
        orders = rng.permuted(np.tile(pool, (RESAMPLES, 1)), axis=1)
        orders = np.vstack([pool, orders])
        size = len(before)
        gap += orders[:, size:].mean(axis=1) - orders[:, :size].mean(axis=1)
    return float(np.mean(np.abs(gap) >= np.abs(gap[0]) - 1e-9))


def flipped(differences: Strata) -> float:
    """P of a sign-flip test: how often chance alone makes paired differences as large."""
    rng = np.random.default_rng(3)
    gap = np.zeros(RESAMPLES + 1)
    for values in _arrays(differences):
        signs = np.vstack([np.ones(len(values)), rng.choice((-1, 1), (RESAMPLES, len(values)))])
        gap += (signs * values).mean(axis=1)
    return float(np.mean(np.abs(gap) >= np.abs(gap[0]) - 1e-9))


def improvement(first: Strata, second: Strata) -> Interval:
    """The chance that an episode of the second is better than one of the first; ties are half.

    The mean over the strata, of which the two have the same.
    """
    before, after = _arrays(first), _arrays(second)
    draws = _chance(_resampled(before, 1, 500), _resampled(after, 2, 500))
    return _interval(float(_chance(before, after)), draws, _tail([*before, *after]))


def detectable(strata: Strata) -> float:
    """The smallest difference of means that two samples as large as this one show.

    At 5 %, in 80 of 100 plans; 0 where nothing is known of the spread. For pairs, give their
    differences and divide by the square root of 2.
    """
    arrays = [values for values in _arrays(strata) if len(values) > 1]
    if not arrays:
        return 0.0
    variances = [np.var(values, ddof=1) / len(values) for values in arrays]
    return float(POWER * np.sqrt(2 * np.sum(variances)) / len(arrays))


def area(points: Sequence[tuple[float, float]], width: float) -> float:
    """The mean height of a staircase over `width`: points are (x, y), from there on."""
    steps = np.array([*(x for x, _ in points), width], dtype=float).clip(0, width)
    heights = np.array([y for _, y in points], dtype=float)
    return float(np.sum(np.diff(steps) * heights) / width) if width else float(heights[-1])


def _settled(found: Interval, p: float) -> Interval:
    if p < SIGNIFICANT:
        return found
    return found._replace(low=min(found.low, 0.0), high=max(found.high, 0.0))


def _arrays(strata: Strata) -> list[Floats]:
    return [np.asarray(values, dtype=float) for values in strata]


def _means(strata: Sequence[Floats]) -> Floats:
    return np.stack([np.mean(values, axis=-1) for values in strata])


def _resampled(arrays: Sequence[Floats], seed: int = 1, times: int = RESAMPLES) -> list[Floats]:
    """Every stratum `times` times, resampled; one of one value as it is."""
    rng = np.random.default_rng(seed)
    sizes = [max(1, len(values) - 1) for values in arrays]
    return [
        values[rng.integers(0, len(values), (times, size))]
        for values, size in zip(arrays, sizes, strict=True)
    ]


def _chance(before: Sequence[Floats], after: Sequence[Floats]) -> Floats:
    signs = [np.sign(b[..., :, None] - a[..., None, :]) for a, b in zip(before, after, strict=True)]
    return np.asarray(np.mean([(1 + sign.mean(axis=(-1, -2))) / 2 for sign in signs], axis=0))


def _tail(arrays: Sequence[Floats]) -> float:
    """The percentile that stands for 2.5 %; the smaller, the fewer values there are."""
    several = [values for values in arrays if len(values) > 1]
    spread = np.array([np.var(values, ddof=1) / len(values) for values in several])
    if not np.any(spread):
        return 0.025
    freedom = np.sum(spread) ** 2 / np.sum(
        spread**2 / np.array([len(values) - 1 for values in several])
    )
    z = NORMAL.inv_cdf(0.975)
    # Student's quantile from the normal one (Cornish and Fisher 1937).
    t = z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
    return NORMAL.cdf(-t)


def _interval(value: float, draws: Floats, tail: float) -> Interval:
    low, high = np.quantile(draws, (tail, 1 - tail))
    return Interval(value, float(low), float(high))
