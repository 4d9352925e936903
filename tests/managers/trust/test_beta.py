"""The Beta distribution, and records of judgements of which the older ones count less."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from managers.belief.beta import Beta, TrackRecord


@pytest.mark.parametrize(("alpha", "beta"), [(1, 1), (2, 5), (81, 21), (3, 400)])
@pytest.mark.parametrize("rate", [0.01, 0.3, 0.5, 0.8, 0.99])
def test_the_beta_distribution_agrees_with_its_binomial_sum(
    alpha: int, beta: int, rate: float
) -> None:
    trials = alpha + beta - 1
    exact = sum(
        math.comb(trials, k) * rate**k * (1 - rate) ** (trials - k)
        for k in range(alpha, trials + 1)
    )
    assert Beta(alpha, beta).below(rate) == pytest.approx(exact, abs=1e-9)


@settings(max_examples=50, deadline=None)
@given(st.floats(0.05, 300), st.floats(0.05, 300), st.floats(0.01, 0.99))
def test_a_quantile_has_its_mass_below_it(alpha: float, beta: float, mass: float) -> None:
    known = Beta(alpha, beta)
    rate = known.quantile(mass)
    assert 0.0 <= rate <= 1.0
    if 1e-6 < rate < 1 - 1e-6:
        assert known.below(rate) == pytest.approx(mass, abs=1e-4)


def recorded(judgements: list[tuple[bool, int]]) -> TrackRecord:
    """The record after judgements, each so many turns after the one before."""
    record, turn = TrackRecord(), 0
    for right, later in judgements:
        turn += later
        record = record.after(right, turn)
    return record


JUDGEMENTS = st.lists(st.tuples(st.booleans(), st.integers(0, 60)), max_size=80)


@settings(max_examples=50, deadline=None)
@given(JUDGEMENTS)
def test_a_record_is_never_worth_more_judgements_than_it_has(
    judgements: list[tuple[bool, int]],
) -> None:
    record = recorded(judgements)
    posterior = record.posterior(record.turn)
    assert 2.0 <= posterior.alpha + posterior.beta <= 2.0 + len(judgements) + 1e-6
    assert record.judged == len(judgements)
    assert record.right == sum(right for right, _ in judgements)


@settings(max_examples=50, deadline=None)
@given(JUDGEMENTS.filter(bool), st.data())
def test_a_right_answer_in_place_of_a_wrong_one_raises_the_rate(
    judgements: list[tuple[bool, int]], data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(judgements) - 1))
    wrong, right = list(judgements), list(judgements)
    wrong[at], right[at] = (False, judgements[at][1]), (True, judgements[at][1])
    low, high = recorded(wrong), recorded(right)
    assert low.posterior(low.turn).mean < high.posterior(high.turn).mean


def test_what_was_judged_long_ago_says_less() -> None:
    record = recorded([(False, 1)] * 30)
    now, later = record.posterior(record.turn), record.posterior(record.turn + 1500)
    assert now.mean < 0.05
    assert 0.1 < later.mean < 0.5
    assert later.quantile(0.975) > 3 * now.quantile(0.975)


@pytest.mark.parametrize(("before", "after"), [(0.9, 0.1), (0.1, 0.9)])
def test_a_change_is_noticed_within_forty_judgements(before: float, after: float) -> None:
    rng, record = random.Random(3), TrackRecord()
    for number in range(340):
        record = record.after(rng.random() < (before if number < 300 else after), number)
    assert abs(record.posterior(record.turn).mean - after) < 0.35
