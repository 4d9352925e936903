"""Figures over episodes, with numpy: means, medians, interquartile means and their intervals.

Episodes of one story are a stratum; what is given here as several values is taken to be independent
(`scores.clustered` sees to it). Intervals are 95 % percentile intervals of a stratified bootstrap,
made right for few values in two known ways: from each stratum of n values n - 1 are drawn with
replacement (Rao and Wu 1988), and the percentiles are those that a t distribution has where a
normal one has 2.5 and 97.5 % (Hesterberg 2015, "expanded percentiles"), with Satterthwaite's
degrees of freedom. Where a stratum has a single value, and so no spread of its own, the strata's
means are one stratum ("collapsed strata", Cochran 1977). Of fewer than `FEWEST` values no interval
is told. The resampling is seeded.

Whether two things are different is a question for a permutation test, whose level is exact however
few or skewed the values are. It counts all signs or orders where there are at most `COUNTED`, and
draws `DRAWN` of them, from a fixed seed, where there are more. The interval of a difference is
stretched to 0 where that test finds none, so that an interval without 0 always means both.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import combinations
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 2000
COUNTED = 1 << 16
"""So many signs or orders of values are counted through; of more, some are drawn."""
DRAWN = 20_000
SIGNIFICANT = 0.05
FEWEST = 6
"""The fewest pairs whose signs can show anything at 5 %: of five, 2 of 32 are as extreme."""
NORMAL = NormalDist()
POWER = NORMAL.inv_cdf(0.975) + NORMAL.inv_cdf(0.80)
"""Standard errors of a difference that shows at 5 % in 80 of 100 plans: z(0.975) + z(0.80)."""

Floats = NDArray[np.float64]
Values = Sequence[float]
Strata = Sequence[Values]
Statistic = Callable[[Sequence[Floats]], Floats]
"""Of strata whose last axis is the values; whatever axes are before are resamples."""


class Interval(NamedTuple):
    """An estimate and its 95 % interval; of too few values there is none, and it is unbounded."""

    mean: float
    low: float
    high: float
    few: tuple[float, ...] = ()
    """The values, where they are too few for an interval."""

    def __str__(self) -> str:
        return f"{self:.1f}"

    def __format__(self, spec: str) -> str:
        """Each number in the form of `spec`, for instance `.2f`; what is no interval says so."""
        spec = spec or ".1f"
        if self.few:
            told = f"({', '.join(f'{value:{spec}}' for value in self.few)})"
        elif not self.told:
            told = "(too few for an interval)"
        elif self.low == self.high:
            told = "(no spread)"
        else:
            told = f"[{self.low:{spec}}, {self.high:{spec}}]"
        return f"{self.mean:{spec}}" + (f" {told}" if len(self.few) != 1 else "")

    @property
    def told(self) -> bool:
        """There were values enough for an interval."""
        return math.isfinite(self.low)

    @property
    def drawn(self) -> tuple[float, float]:
        """Its ends in a chart; the estimate itself where there is none."""
        return (self.low, self.high) if self.told else (self.mean, self.mean)

    @property
    def excludes_zero(self) -> bool:
        """The difference of which this is an estimate is more than chance makes."""
        return self.low > 0 or self.high < 0


class Chance(NamedTuple):
    """How often chance alone makes a difference as large as one that was seen."""

    p: float
    counted: bool = True
    """Of all signs or orders there are; else of some that were drawn."""


def mean(strata: Sequence[Floats]) -> Floats:
    """The mean of the strata's means."""
    return np.asarray(np.mean(_means(strata), axis=0))


def unweighted(strata: Sequence[Floats]) -> Floats:
    """The mean of all values, whatever their stratum."""
    return np.asarray(np.mean(np.concatenate(strata, axis=-1), axis=-1))


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
    """A statistic of some strata, with its interval."""
    arrays = _arrays(strata)
    value, values = float(statistic(arrays)), np.concatenate(arrays)
    if len(values) < FEWEST:
        return _untold(value, values)
    spread = _with_spread(arrays)
    return _interval(value, statistic(_resampled(spread, times=times)), _tail(spread))


def interval(values: Values) -> Interval:
    """The mean of one sample with its interval."""
    return estimate([values])


def paired(differences: Strata) -> Interval:
    """The mean of paired differences; 0 is in its interval unless sign flips rule it out."""
    return _settled(estimate(differences), flipped(differences))


def difference(first: Strata, second: Strata) -> Interval:
    """Mean of the second less mean of the first, which are not paired and have the same strata.

    0 is in its interval unless shuffles rule it out. Where a stratum has a single value, the
    strata's means are what is compared.
    """
    before, after = _arrays(first), _arrays(second)
    gaps = _means(after) - _means(before)
    if min(sum(map(len, side)) for side in (before, after)) < FEWEST:
        return _untold(float(np.mean(gaps)))
    if any(len(values) < 2 for values in (*before, *after)):
        found = interval(gaps.tolist())
    else:
        draws = mean(_resampled(after, 2)) - mean(_resampled(before, 1))
        found = _interval(float(np.mean(gaps)), draws, _tail([*before, *after]))
    return _settled(found, shuffled(first, second))


def shuffled(first: Strata, second: Strata) -> Chance:
    """A permutation test of two samples: within each stratum values change sides."""
    strata = [*zip(_arrays(first), _arrays(second), strict=True)]
    orders = math.prod(math.comb(len(a) + len(b), len(a)) for a, b in strata)
    seen = sum(b.mean() - a.mean() for a, b in strata)
    gaps = np.zeros(1)
    if orders <= COUNTED:
        for before, after in strata:
            gaps = np.add.outer(gaps, _all_gaps(before, after)).ravel()
        return Chance(_as_large(gaps, seen))
    rng = np.random.default_rng(3)
    for before, after in strata:
        gaps = gaps + _some_gaps(before, after, rng)
    return Chance(_as_large(np.append(gaps, seen), seen), counted=False)


def flipped(differences: Strata) -> Chance:
    """A sign-flip test of paired differences: their signs change at random."""
    strata = _arrays(differences)
    parts = np.concatenate([values / len(values) for values in strata])
    parts = parts[parts != 0]  # Its sign changes nothing.
    if 2 ** len(parts) <= COUNTED:
        gaps = np.zeros(1)
        for part in parts:
            gaps = np.concatenate([gaps + part, gaps - part])
        return Chance(_as_large(gaps, parts.sum()))
    rng = np.random.default_rng(3)
    gaps = np.zeros(DRAWN)
    for part in parts:
        gaps += part * rng.choice((-1, 1), DRAWN)
    return Chance(_as_large(np.append(gaps, parts.sum()), parts.sum()), counted=False)


def improvement(first: Strata, second: Strata) -> Interval:
    """The chance that an episode of the second is better than one of the first; ties are half.

    The mean over the strata, of which the two have the same.
    """
    before, after = _arrays(first), _arrays(second)
    value = float(_chance(before, after))
    if min(sum(map(len, side)) for side in (before, after)) < FEWEST:
        return _untold(value)
    if any(len(values) < 2 for values in (*before, *after)):
        return interval([float(_chance([a], [b])) for a, b in zip(before, after, strict=True)])
    draws = _chance(_resampled(before, 1, 500), _resampled(after, 2, 500))
    return _interval(value, draws, _tail([*before, *after]))


def detectable(strata: Strata) -> float | None:
    """The smallest difference of means that two samples as large as this one show.

    At 5 %, in 80 of 100 plans; None where nothing is known of the spread, as the values are too few
    or all the same. For pairs, give their differences and divide by the square root of 2.
    """
    if sum(map(len, strata)) < FEWEST:
        return None
    arrays = _with_spread(_arrays(strata))
    variance = sum(np.var(values, ddof=1) / len(values) for values in arrays)
    return float(POWER * np.sqrt(2 * variance) / len(arrays)) or None


def area(points: Sequence[tuple[float, float]], width: float) -> float:
    """The mean height of a staircase over `width`: points are (x, y), from there on."""
    steps = np.array([*(x for x, _ in points), width], dtype=float).clip(0, width)
    heights = np.array([y for _, y in points], dtype=float)
    return float(np.sum(np.diff(steps) * heights) / width) if width else float(heights[-1])


def _settled(found: Interval, chance: Chance) -> Interval:
    if chance.p < SIGNIFICANT:
        return found
    return found._replace(low=min(found.low, 0.0), high=max(found.high, 0.0))


def _untold(value: float, values: Sequence[float] | Floats = ()) -> Interval:
    return Interval(value, -math.inf, math.inf, tuple(map(float, values)))


def _arrays(strata: Strata) -> list[Floats]:
    return [np.asarray(values, dtype=float) for values in strata]


def _with_spread(arrays: Sequence[Floats]) -> Sequence[Floats]:
    """Strata that have a spread each: where one is a single value, their means are one stratum."""
    return arrays if all(len(values) > 1 for values in arrays) else [_means(arrays)]


def _as_large(gaps: Floats, seen: float) -> float:
    return float(np.mean(np.abs(gaps) >= abs(seen) - 1e-9))


def _all_gaps(before: Floats, after: Floats) -> Floats:
    """What is between two samples, for every way in which their values can be on the two sides."""
    pool, size = np.concatenate([before, after]), len(before)
    sums = np.array([sum(chosen) for chosen in combinations(pool.tolist(), size)])
    return np.asarray((pool.sum() - sums) / len(after) - sums / size)


def _some_gaps(before: Floats, after: Floats, rng: np.random.Generator) -> Floats:
    """The same for ways drawn at random."""
    pool, size = np.concatenate([before, after]), len(before)
    orders = rng.permuted(np.tile(pool, (DRAWN, 1)), axis=1)
    return np.asarray(orders[:, size:].mean(axis=1) - orders[:, :size].mean(axis=1))


def _means(strata: Sequence[Floats]) -> Floats:
    return np.stack([np.mean(values, axis=-1) for values in strata])


def _resampled(arrays: Sequence[Floats], seed: int = 1, times: int = RESAMPLES) -> list[Floats]:
    """Every stratum `times` times, resampled."""
    rng = np.random.default_rng(seed)
    return [values[rng.integers(0, len(values), (times, len(values) - 1))] for values in arrays]


def _chance(before: Sequence[Floats], after: Sequence[Floats]) -> Floats:
    signs = [np.sign(b[..., :, None] - a[..., None, :]) for a, b in zip(before, after, strict=True)]
    return np.asarray(np.mean([(1 + sign.mean(axis=(-1, -2))) / 2 for sign in signs], axis=0))


def _tail(arrays: Sequence[Floats]) -> float:
    """The percentile that stands for 2.5 %; the smaller, the fewer values there are."""
    spread = np.array([np.var(values, ddof=1) / len(values) for values in arrays])
    if not np.any(spread):
        return 0.025
    freedom = np.sum(spread) ** 2 / np.sum(
        spread**2 / np.array([len(values) - 1 for values in arrays])
    )
    z = NORMAL.inv_cdf(0.975)
    # Student's quantile from the normal one (Cornish and Fisher 1937).
    t = z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
    return NORMAL.cdf(-t)


def _interval(value: float, draws: Floats, tail: float) -> Interval:
    low, high = np.quantile(draws, (tail, 1 - tail))
    return Interval(value, float(low), float(high))
