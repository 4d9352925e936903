import pytest

from managers.dynamics import Dynamics, Outcome


def outcome(command="open box", *, success=True, gain=0.0, harm=0.0):
    return Outcome("L1", "L1", command, "open", "box", success, gain, harm)


def test_probability_follows_what_happens():
    dynamics = Dynamics.empty()
    prior = dynamics.probability("open box", "open", "box")
    for turn in range(8):
        dynamics = dynamics.record(outcome(success=False), turn)
    assert dynamics.probability("open box", "open", "box") < prior / 2
    assert dynamics.probability("open gate", "open", "gate") < prior


def test_an_unseen_noun_borrows_from_its_verb():
    dynamics = Dynamics.empty()
    for turn in range(8):
        dynamics = dynamics.record(outcome(), turn)
    assert dynamics.probability("open gate", "open", "gate") > 0.6


def test_worth_follows_the_gains_of_successes():
    dynamics = Dynamics.empty()
    prior = dynamics.worth("open")
    for turn in range(6):
        dynamics = dynamics.record(outcome(gain=20.0), turn)
    assert dynamics.worth("open") > prior


def test_attempts_are_known_by_verb_and_name():
    dynamics = Dynamics.empty().record(outcome("open the small box", success=False), 7)
    assert dynamics.tried("L1", "open small box").times == 1
    assert dynamics.tried("L1", "open small box").turn == 7
    assert dynamics.tried("L1", "open large box").times == 0
    assert dynamics.tried("L2", "open small box").times == 0


@pytest.mark.parametrize(("harm", "least", "most"), [(1.0, 0.4, 0.6), (0.3, 0.1, 0.2), (0, 0, 0)])
def test_danger_is_estimated_from_harm(harm, least, most):
    dynamics = Dynamics.empty().record(outcome(harm=harm), 1)
    assert least <= dynamics.danger("L1", "open box") <= most


def test_rooms_that_bring_nothing_get_poor():
    dynamics = Dynamics.empty()
    for turn in range(20):
        dynamics = dynamics.record(outcome(), turn)
    assert dynamics.richness("L1") < 0.5
    assert dynamics.richness("L2") == 1.0


def test_losing_points_makes_a_room_no_poorer_than_nothing_at_all():
    lost, idle = Dynamics.empty(), Dynamics.empty()
    for turn in range(3):
        lost, idle = lost.record(outcome(gain=-10.0), turn), idle.record(outcome(), turn)
    assert lost.richness("L1") == idle.richness("L1") > 0


def test_record_leaves_the_old_statistics_alone():
    before = Dynamics.empty()
    before.record(outcome(), 1)
    assert before.data == Dynamics.empty().data


def test_a_room_that_cost_points_is_no_better_than_one_that_brought_nothing():
    dynamics = Dynamics.empty()
    for turn in range(3):
        dynamics = dynamics.record(outcome()._replace(gain=-10.0), turn)
    assert 0 < dynamics.richness("L1") < 1
