"""How far an oracle is trusted, by what became of its answers."""

from __future__ import annotations

import math
import random

import pytest

from managers.beta import Beta
from managers.reliability import OracleReliability


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


def test_a_credible_interval_holds_its_mass() -> None:
    posterior = Beta(7.5, 2.5)
    low, high = posterior.interval(0.9)
    assert posterior.below(high) - posterior.below(low) == pytest.approx(0.9, abs=1e-9)
    assert posterior.below(low) == pytest.approx(0.05, abs=1e-9)


def test_reliability_learning() -> None:
    """Of an oracle that helps in seven of ten cases just that is learned."""
    rng, reliability = random.Random(7), OracleReliability()
    for _ in range(100):
        reliability.update_recommendation(rng.random() < 0.7)
    assert 0.6 < reliability.recommendation_accuracy < 0.8


@pytest.mark.parametrize("rate", [0.9, 0.5, 0.1])
def test_the_interval_covers_the_true_rate(rate: float) -> None:
    """In 100 runs of 200 judged answers at least 90 times."""
    covered = 0
    for run in range(100):
        rng, reliability = random.Random(run), OracleReliability()
        for _ in range(200):
            reliability.update_recommendation(rng.random() < rate)
        low, high = reliability.posterior("recommendation").interval()
        covered += low <= rate <= high
    assert covered >= 90


def test_seventy_percent_are_learned_as_seventy_percent() -> None:
    rng, reliability = random.Random(1), OracleReliability()
    for _ in range(100):
        reliability.update_recommendation(rng.random() < 0.7)
    assert 0.6 < reliability.recommendation_accuracy < 0.8


def judged(good: float, answers: int = 100, seed: int = 1) -> OracleReliability:
    """After recommendations of which a share brought a point, and own plans that brought less.

    The plans were worth 1 in the planner's utility, and brought a point one time in four.
    """
    rng, reliability = random.Random(seed), OracleReliability()
    for _ in range(answers):
        helped = rng.random() < good
        reliability.update_recommendation(helped)
        reliability.update("planned", helped)
        reliability.note_followed(float(helped))
        reliability.note_own(1.0, float(rng.random() < 0.25))
    return reliability


def test_a_recommendation_promises_what_following_has_brought_in_the_planners_terms() -> None:
    good, fair, bad = judged(0.9), judged(0.4), judged(0.05)
    assert good.promise().planned > 4.0
    assert 0.5 < fair.promise().planned < 3.0
    assert bad.promise().planned < 0.2
    assert 0.2 < good.payoff.realism < 0.35


def test_an_unknown_oracle_is_given_its_chance_and_a_bad_one_hardly_any() -> None:
    rng = random.Random(5)
    unknown, bad = OracleReliability(), judged(0.05, 20)
    assert sum(unknown.promise(rng).planned > 4.0 for _ in range(1000)) > 500
    assert sum(bad.promise(rng).planned > 1.0 for _ in range(1000)) < 200


def test_what_is_surely_right_counts_what_was_seen_and_not_what_is_hoped() -> None:
    assert OracleReliability().promise().rates[0] < 0.1
    assert judged(0.0, 8).promise().rates[0] == 0.0
    assert judged(1.0, 5).promise().rates[0] > 0.6
    assert judged(1.0, 5).promise().rates[2] > 0.6, "who is right in most things"
    assert 0.2 < judged(0.5, 20).promise().rates[0] < 0.5


@pytest.mark.parametrize("seed", range(5))
def test_few_recommendations_tell_a_good_oracle_from_a_useless_one(seed: int) -> None:
    good, useless = judged(0.9, 5, seed), judged(0.0, 5, seed)
    assert good.promise().planned > 4.0
    assert useless.promise().planned < 2.5


def test_an_oracle_that_turns_bad_or_good_is_noticed() -> None:
    reliability = judged(0.95, 200)
    for _ in range(100):
        reliability.update_recommendation(False)
    assert reliability.recommendation_accuracy < 0.4
    for _ in range(100):
        reliability.update_recommendation(True)
    assert reliability.recommendation_accuracy > 0.6


def test_one_that_was_given_up_gets_another_chance_when_turns_have_passed() -> None:
    data = judged(0.0, 30).data
    soon, late = OracleReliability(data, turn=1), OracleReliability(data, turn=1500)
    rng = random.Random(2)
    assert sum(soon.promise(rng).planned > 1.0 for _ in range(1000)) < 20
    assert sum(late.promise(rng).planned > 1.0 for _ in range(1000)) > 200
    assert late.recommendations_followed == 30


def test_the_summary_counts_what_was_judged() -> None:
    reliability = OracleReliability()
    assert reliability.get_summary()["recommendation_accuracy"] == 0.5
    for kind, good in (("goal", True), ("goal", False), ("blocker", True), ("variable", False)):
        getattr(reliability, f"update_{kind}")(good)
    summary = reliability.get_summary()
    assert (reliability.goals_pursued, reliability.goals_achieved) == (2, 1)
    assert (reliability.blockers_identified, reliability.blockers_resolved) == (1, 1)
    assert (reliability.variables_suggested, reliability.variables_useful) == (1, 0)
    assert (summary["total_goals"], summary["total_recommendations"]) == (2, 0)
    assert summary["goal_interval"][0] < summary["goal_accuracy"] < summary["goal_interval"][1]


def test_an_update_leaves_the_data_it_was_made_from() -> None:
    data = judged(0.5, 10).data
    before = repr(data)
    OracleReliability(data, turn=3).update_recommendation(True)
    assert repr(data) == before
