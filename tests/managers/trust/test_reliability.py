"""How often an oracle is right, learned by kind of answer and by stated confidence."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.trust import RATES, covers, per_hundred
from managers.belief.reliability import (
    KINDS,
    SCEPTICISM,
    AnswerKind,
    OracleReliability,
    ReliabilityData,
)

CONFIDENCES = st.one_of(st.none(), st.floats(0, 1))
UPDATES = st.lists(st.tuples(st.sampled_from(KINDS), st.booleans(), CONFIDENCES), max_size=60)


def test_reliability_learning() -> None:
    """Of an oracle that helps in seven of ten cases just that is learned."""
    rng, reliability = random.Random(7), OracleReliability()
    for _ in range(100):
        reliability.update_recommendation(rng.random() < 0.7)
    assert 0.6 < reliability.recommendation_accuracy < 0.8


@pytest.mark.parametrize("rate", RATES)
def test_the_interval_covers_a_constant_rate_as_often_as_it_says(rate: float) -> None:
    """With 5 to 60 judgements."""
    assert 93 <= per_hundred(lambda seed: covers(rate, seed), 400) <= 98


def test_the_interval_stays_calibrated_with_many_judgements() -> None:
    """Plain sums of fading weights would cover in 99 of 100 cases after 200 judgements."""
    covered = 0
    for seed in range(200):
        rng, reliability = random.Random(seed), OracleReliability()
        for _ in range(200):
            reliability.update_recommendation(rng.random() < 0.5)
        covered += 0.025 <= reliability.posterior("recommendation").below(0.5) <= 0.975
    assert 0.93 <= covered / 200 <= 0.98


@settings(max_examples=50, deadline=None)
@given(UPDATES)
def test_judgements_of_one_kind_say_nothing_of_another(
    updates: list[tuple[AnswerKind, bool, float | None]],
) -> None:
    all_, alone = OracleReliability(), OracleReliability()
    for kind, right, sure in updates:
        all_.update(kind, right, sure)
        if kind == "goal":
            alone.update(kind, right, sure)
    assert all_.posterior("goal") == alone.posterior("goal")


@settings(max_examples=50, deadline=None)
@given(UPDATES, CONFIDENCES)
def test_rates_are_probabilities_and_credence_is_the_more_sceptical(
    updates: list[tuple[AnswerKind, bool, float | None]], sure: float | None
) -> None:
    reliability = OracleReliability()
    for kind, right, stated in updates:
        reliability.update(kind, right, stated)
    for kind in KINDS:
        assert 0.0 < reliability.rate(kind, sure, SCEPTICISM) <= reliability.rate(kind, sure) < 1.0


@settings(max_examples=50, deadline=None)
@given(UPDATES, st.lists(st.text("abc ", max_size=8), max_size=90))
def test_what_is_known_survives_a_checkpoint_and_is_bounded(
    updates: list[tuple[AnswerKind, bool, float | None]], commands: list[str]
) -> None:
    reliability = OracleReliability(turn=3)
    for kind, right, sure in updates:
        reliability.update(kind, right, sure)
    for command in commands:
        reliability.note_effect(command, did=False)
    data = reliability.data
    assert ReliabilityData.model_validate_json(data.model_dump_json()) == data
    assert len(data.ineffective) <= 60
    before = data.model_dump_json()
    reliability.update_goal(True, 0.5)
    reliability.note_effect("x", did=True)
    assert data.model_dump_json() == before


def test_a_stated_confidence_means_what_it_turned_out_to_mean() -> None:
    """One oracle is right in nine of ten answers it is sure of, and in one of the others."""
    rng, informative, boastful = random.Random(1), OracleReliability(), OracleReliability()
    for _ in range(60):
        sure = rng.random() < 0.5
        right = rng.random() < (0.9 if sure else 0.1)
        informative.update_recommendation(right, confidence=0.9 if sure else 0.3)
        boastful.update_recommendation(rng.random() < 0.1, confidence=0.95)
    assert informative.rate("recommendation", 0.9) > 0.75
    assert informative.rate("recommendation", 0.3) < 0.25
    assert boastful.rate("recommendation", 0.95) < 0.25
    assert boastful.rate("recommendation") == boastful.rate("recommendation", 0.95)
    assert OracleReliability().rate("goal", 1.0) == 0.5, "nothing is known of it yet"


def test_confidence_in_an_easy_kind_is_not_held_against_a_hard_one() -> None:
    reliability = OracleReliability()
    for number in range(40):
        reliability.update_recommendation(number % 10 > 0, confidence=0.9)
        reliability.update_blocker(number % 10 == 0, confidence=0.5)
    assert reliability.shift(0.9) == pytest.approx(0.0, abs=0.02)
    assert reliability.rate("recommendation", 0.5) == pytest.approx(0.88, abs=0.05)


def test_one_sort_of_recommendation_starts_from_what_is_known_of_all() -> None:
    reliability = OracleReliability()
    for _ in range(20):
        reliability.update_recommendation(False, "vague")
    assert reliability.posterior("specific").mean < 0.1
    for _ in range(10):
        reliability.update_recommendation(True, "specific")
    assert reliability.posterior("specific").mean > 0.8
    assert reliability.posterior("vague").mean < 0.1


def test_what_is_proven_counts_what_was_seen_and_not_what_is_hoped() -> None:
    fresh, good = OracleReliability(), OracleReliability()
    for _ in range(6):
        good.update_recommendation(True, "specific")
    assert fresh.proven("specific") < 0.1
    assert good.proven("specific") > 0.6
    assert 0.5 < good.proven("vague") < good.proven("specific"), "who is right in most things"
    for _ in range(6):
        good.update_recommendation(True, "listed")
        good.update_recommendation(False, "vague")
    assert good.proven("vague") < 0.3


def test_a_new_episode_keeps_the_knowledge_and_nothing_to_judge() -> None:
    reliability = OracleReliability(turn=200)
    for _ in range(10):
        reliability.update_goal(True, 0.8)
    reliability.replace(advanced=200)
    anew = reliability.for_new_episode()
    assert anew.goal_accuracy == reliability.goal_accuracy
    assert anew.data.followed == ()
    assert anew.data.advanced is None
    assert OracleReliability(anew.data, turn=1).goal_accuracy == pytest.approx(
        reliability.goal_accuracy, abs=0.01
    )


def test_the_summary_counts_what_was_judged() -> None:
    reliability = OracleReliability()
    assert reliability.get_summary()["recommendation_accuracy"] == 0.5
    for kind, good in (("goal", True), ("goal", False), ("blocker", True), ("variable", False)):
        getattr(reliability, f"update_{kind}")(good)
    reliability.update("progress", True)
    summary = reliability.get_summary()
    assert (reliability.goals_pursued, reliability.goals_achieved) == (2, 1)
    assert (reliability.blockers_identified, reliability.blockers_resolved) == (1, 1)
    assert (reliability.variables_suggested, reliability.variables_useful) == (1, 0)
    assert (summary["total_goals"], summary["total_recommendations"]) == (2, 0)
    assert summary["total_progress"] == 1
    low, high = summary["goal_interval"]  # type: ignore[misc]
    assert low < reliability.goal_accuracy < high
    assert reliability.variable_accuracy < 0.5 < reliability.posterior("progress").mean
    assert reliability.recommendations_followed == reliability.recommendations_helped == 0
