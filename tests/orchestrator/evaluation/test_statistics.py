"""Figures equal what numpy says of the same values, and intervals hold what they promise."""

from __future__ import annotations

import math

import numpy as np
import pytest

from orchestrator.evaluation import statistics
from orchestrator.evaluation.statistics import (
    Strata,
    area,
    detectable,
    difference,
    estimate,
    flipped,
    improvement,
    interval,
    iqm,
    mean,
    median,
    paired,
    shuffled,
)

STRATA = [[1.0, 2.0, 6.0, 3.0], [10.0, 10.0, 30.0, 20.0], [0.0, 0.0, 1.0, 0.0]]


def test_estimates_are_what_numpy_says() -> None:
    means = [np.mean(values) for values in STRATA]
    assert estimate(STRATA, mean).mean == np.mean(means)
    assert estimate(STRATA, median).mean == np.median(means)
    assert estimate(STRATA, iqm).mean == pytest.approx(np.sort(np.ravel(STRATA))[3:9].mean())
    assert estimate([[1, 2, 3, 4, 100, 200]], iqm).mean == pytest.approx((1 + 3 + 4 + 50) / 3)
    assert estimate([[1, 5, 3]], median).mean == 3


def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    rng = np.random.default_rng(3)
    held = 0
    for _ in range(500):
        strata = [list(rng.normal(place, 1 + place, 6)) for place in range(5)]
        low, high = estimate(strata)[1:3]
        held += low <= 2.0 <= high
    assert 0.92 <= held / 500 <= 0.98


def test_of_fewer_than_six_values_there_is_no_interval() -> None:
    for values in ([4], [4, 5], [4, 5, 6, 7, 9]):
        assert interval(values)[1:3] == (-math.inf, math.inf)
        assert detectable([values]) is None
    assert [str(interval(values)) for values in ([4], [4, 5])] == ["4.0", "4.5 (4.0, 5.0)"]
    assert str(interval([4] * 6)) == "4.0 (no spread)"
    assert detectable([[4] * 6]) is None


def test_strata_of_one_value_are_a_sample_of_strata() -> None:
    alone = [[1.0], [2.0], [4.0], [8.0], [3.0], [9.0]]
    whole = [[value for (value,) in alone]]
    for statistic in (mean, median, iqm):
        assert estimate(alone, statistic) == estimate(whole, statistic)
    assert detectable(alone) == detectable(whole)
    assert difference(alone, [[value + 1] for (value,) in alone]).mean == 1


def test_the_same_values_give_the_same_interval() -> None:
    assert estimate(STRATA, iqm) == estimate(STRATA, iqm)


def test_a_difference_of_two_samples() -> None:
    found = difference([[1, 2, 2, 2, 2, 3]], [[11, 12, 12, 12, 12, 13]])
    assert found.mean == 10
    assert 8 <= found.low < found.high <= 12
    assert found.excludes_zero
    assert not difference(STRATA, STRATA).excludes_zero


def test_what_is_counted_is_what_sampling_comes_near(monkeypatch: pytest.MonkeyPatch) -> None:
    """One value more or less makes the difference between the two."""
    rng = np.random.default_rng(4)
    gains = [list(rng.normal(0.4, 1, 8)) for _ in range(2)]
    sides = [list(rng.normal(place, 1, 7)) for place in (0, 0.8)]
    counted = flipped(gains), shuffled(sides[:1], sides[1:])
    monkeypatch.setattr(statistics, "COUNTED", 1)
    drawn = flipped(gains), shuffled(sides[:1], sides[1:])
    assert [chance.counted for chance in (*counted, *drawn)] == [True, True, False, False]
    assert [chance.p for chance in drawn] == pytest.approx([c.p for c in counted], abs=0.01)


@pytest.mark.slow
def test_chance_alone_is_found_out_as_seldom_as_it_should_be() -> None:
    """At 5 %, of samples that are skewed and of which one stratum scatters much more."""
    rng = np.random.default_rng(123)
    false = found = 0
    for _ in range(300):
        strata = [rng.exponential(10.0**place, 10) for place in range(3)]
        halves = [[list(values[:5]) for values in strata], [list(values[5:]) for values in strata]]
        false += shuffled(*halves).p < 0.05
        gains = [list(values) for values in rng.normal(1, 1, (3, 6))]
        found += flipped(gains).p < 0.05
    assert false / 300 < 0.09
    assert found / 300 > 0.9
    assert flipped([[0, 0], [0]]).p == 1


def test_an_interval_leaves_0_out_only_where_chance_alone_is_ruled_out() -> None:
    """Three episodes against three, or five pairs, cannot show anything at 5 %."""
    assert not difference([[1, 2, 3]], [[11, 12, 13]]).excludes_zero
    assert not paired([[9, 10, 11, 10, 10]]).excludes_zero
    assert paired([[9, 10, 11, 10, 10, 10]]).low > 8
    rng = np.random.default_rng(8)
    for _ in range(200):
        gains = [list(rng.choice([0, 0, 0, 5, 10, -5], 8)) for _ in range(3)]
        assert not (paired(gains).excludes_zero and flipped(gains).p >= 0.05)


@pytest.mark.parametrize(
    ("first", "second", "chance"),
    [([[1, 2]], [[3, 4]], 1.0), ([[1, 2]], [[1, 2]], 0.5), ([[3], [1]], [[1], [1]], 0.25)],
)
def test_the_chance_of_improvement(first: Strata, second: Strata, chance: float) -> None:
    assert improvement(first, second).mean == chance


@pytest.mark.slow
def test_what_a_plan_can_detect_it_detects_four_times_of_five() -> None:
    rng = np.random.default_rng(5)
    spread = [list(rng.normal(0, 3, 2000)) for _ in range(4)]
    shift = detectable([values[:20] for values in spread])
    assert shift is not None
    found = 0
    for _ in range(300):
        first = [list(rng.normal(0, 3, 20)) for _ in range(4)]
        second = [list(rng.normal(shift, 3, 20)) for _ in range(4)]
        found += difference(first, second).excludes_zero
    assert 0.7 <= found / 300 <= 0.9


def test_the_area_under_a_curve_is_its_mean_height() -> None:
    assert area([(0, 0), (10, 5), (20, 10)], 40) == (10 * 5 + 20 * 10) / 40
    assert area([(0, 3)], 10) == 3
    assert area([(0, 0), (50, 9)], 40) == 0
