"""What the dynamics model counts, expects and finds contradictory."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from managers.belief.dynamics import DynamicsModel


class State(NamedTuple):
    """A state as the model sees it."""

    location: str
    tracked_state: dict[str, str]


HALL = State("L1 Hall", {})
SHED = State("L2 Shed", {})
HIGH, LOW, UNREAD = (State("L1 Ford", {"tide": value}) for value in ("high", "low", "unknown"))


def ford(visits: int = 24) -> DynamicsModel:
    """Wading brings 5 points at low tide and is refused at high tide; the model knows it."""
    model = DynamicsModel()
    model.propose(["tide"], "oracle")
    for turn in range(1, visits + 1):
        if turn % 2:
            model.observe(LOW, "wade", "success", 5.0)
        else:
            model.observe(HIGH, "wade", "failure: refused")
        model.review()
    assert model.kept == ["tide"]
    return model


def test_counts_are_kept_by_place_and_not_by_title() -> None:
    model = DynamicsModel()
    model.observe(State("L1 Maze", {}), "north", "to L2")
    model.observe(State("L1 Maze of twigs", {}), "north", "failure: no_exit")
    assert model.observation_count(State("L1", {}), "north") == 2
    assert model.failure_count(State("L1", {}), "north") == 1
    assert model.observation_count(State("L2 Maze", {}), "north") == 0


def test_the_expected_reward_leans_on_what_the_action_brought_elsewhere() -> None:
    model = DynamicsModel()
    assert model.expected_reward(HALL, "dig") == 0.0
    for number in range(8):
        model.observe(HALL, f"take thing {number}", "success")
    for _ in range(2):
        model.observe(HALL, "dig", "success", 4.0)
    here, elsewhere, other = (
        model.expected_reward(*asked) for asked in ((HALL, "dig"), (SHED, "dig"), (HALL, "sing"))
    )
    assert 2.0 < here < 4.0
    assert 0.0 == other < elsewhere < here


def test_a_surprise_known_from_elsewhere_is_likelier_than_an_unheard_of_one() -> None:
    model = DynamicsModel()
    model.observe(HALL, "dig", "success")
    for _ in range(3):
        model.observe(SHED, "dig", "failure: fixed")
    known = model.probability(HALL, "dig", "failure: fixed")
    assert known > 0.2
    assert known > 1e6 * model.probability(HALL, "dig", "failure: cursed")


def test_one_effect_with_different_rewards_is_a_contradiction() -> None:
    model = DynamicsModel()
    model.observe(HALL, "dig", "success", 5.0)
    assert model.contradiction(HALL, "dig") is None
    model.observe(HALL, "dig", "success", 0.0)
    found = model.contradiction(HALL, "dig")
    assert found is not None
    assert model.contradictions() == [found]
    assert str(found) == "`dig` in L1: success (+5 points) or success"
    assert found.bits == pytest.approx(2.0)
    assert model.probability(HALL, "dig", "success", 5.0) < 0.5
    assert model.probability(HALL, "dig", "success") > 0.6


def test_contradictions_come_with_the_least_explained_first() -> None:
    model = DynamicsModel()
    for number, command in enumerate(("sing", "dance", "dig"), 1):
        for _ in range(number):
            model.observe(HALL, command, "success")
            model.observe(HALL, command, "failure: refused")
    assert [one.command for one in model.contradictions()] == ["dig", "dance", "sing"]


def test_beyond_the_first_few_outcomes_points_and_failures_are_still_told_apart() -> None:
    model = DynamicsModel()
    for number in range(8):
        model.observe(HALL, "dig", f"to L{number}")
    model.observe(HALL, "dig", "death", -10.0)
    assert model.observation_count(HALL, "dig") == 9
    assert model.failure_count(HALL, "dig") == 1
    assert model.probability(HALL, "dig", "other", 0.0) > 0.1
    assert model.probability(HALL, "dig", "failure: other", -10.0) > 0.09
    assert model.expected_reward(HALL, "dig") == pytest.approx(-10 / 9, abs=0.15)


def test_a_split_keeps_what_was_learned_rewards_too() -> None:
    model = DynamicsModel()
    model.propose(["tide"], "oracle")
    turn = 0
    while not model.kept:
        turn += 1
        before = model.data
        model.observe(LOW if turn % 2 else HIGH, "wade", "success", 5.0 * (turn % 2))
        observed = DynamicsModel(model.data)
        model.review()
    assert turn < 20
    assert before["variables"]["tide"]["kept"] is False
    total = observed.observation_count(LOW, "wade")
    assert total == turn
    assert model.observation_count(LOW, "wade") == (turn + 1) // 2
    assert model.observation_count(HIGH, "wade") == turn // 2
    assert model.observation_count(UNREAD, "wade") == total
    assert model.expected_reward(LOW, "wade") >= 4.0
    assert model.expected_reward(HIGH, "wade") < 1.0
    assert model.expected_reward(UNREAD, "wade") == observed.expected_reward(UNREAD, "wade")


def test_the_unknown_is_no_value() -> None:
    """A variable that was read only after the story had changed explains nothing."""
    model = DynamicsModel()
    model.propose(["tide"], "oracle")
    for turn in range(1, 61):
        state, effect = (UNREAD, "failure: refused") if turn <= 30 else (LOW, "success")
        model.observe(state, "wade", effect)
        model.review()
    assert model.kept == []
    assert model.observation_count(State("L1", {"tide": "unknown"}), "wade") == 60


def test_a_state_whose_variable_is_unknown_is_judged_by_all_its_values() -> None:
    model = ford()
    assert model.probability(LOW, "wade", "success") > 0.9
    assert model.probability(HIGH, "wade", "success") < 0.1
    assert model.probability(UNREAD, "wade", "success") == pytest.approx(0.5, abs=0.05)
    assert model.failure_count(UNREAD, "wade") == model.failure_count(HIGH, "wade") == 12
    assert model.failure_count(LOW, "wade") == 0


def test_an_observation_teaches_less_the_more_was_seen_and_the_surer_one_is() -> None:
    model, left = DynamicsModel(), []
    for _ in range(6):
        left.append(model.information(HALL, "dig"))
        model.observe(HALL, "dig", "success")
    assert left == sorted(left, reverse=True)
    assert left[0] == 0.5, "nothing is known"
    assert left[-1] < 0.2
    for _ in range(3):
        model.observe(HALL, "toss", "success")
        model.observe(HALL, "toss", "failure")
    assert model.information(HALL, "toss") > model.information(HALL, "dig")


def test_learning_leaves_the_data_it_started_from() -> None:
    data = ford().data
    before = repr(data)
    later = DynamicsModel(data)
    for turn in range(25, 60):
        later.propose([f"mist {turn}"], "oracle")
        later.observe(State("L1 Ford", {"tide": "low", "mist 25": "true"}), "wade", "death", -1.0)
        later.review()
    assert repr(data) == before
    assert repr(later.data) != before
