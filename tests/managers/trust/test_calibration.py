"""Whether a critic can tell what fails, and how far it is heard."""

from __future__ import annotations

import random

import pytest

from managers.belief.calibration import CalibrationData, CriticCalibration, Forecast

FAILING = 0.4
"""How often commands fail."""


def learned(hits: float, false_alarms: float, seed: int, turns: int = 300) -> CriticCalibration:
    """After turns with a critic that objects to so much of what fails, and of what works.

    What it objects to is played all the same in one turn of four.
    """
    rng, calibration = random.Random(seed), CriticCalibration()
    for turn in range(1, turns + 1):
        fails = rng.random() < FAILING
        objects = rng.random() < (hits if fails else false_alarms)
        if not objects or rng.random() < 0.25:
            calibration.update(Forecast("", not objects), fails, turn)
    return calibration


def asked(calibration: CriticCalibration, turns: int = 300) -> float:
    return sum(calibration.asks("", random.Random(f"turn {n}")) for n in range(turns)) / turns


@pytest.mark.parametrize("seed", range(5))
def test_a_critic_that_tells_what_fails_is_asked_and_heeded(seed: int) -> None:
    good = learned(0.8, 0.05, seed)
    assert good.weight() > 0.5
    assert asked(good) > 0.98


@pytest.mark.parametrize("seed", range(5))
def test_one_that_does_not_is_asked_less_and_less_but_not_never(seed: int) -> None:
    assert asked(learned(0.5, 0.5, seed, 0)) > 0.9
    assert 0.02 < asked(learned(0.5, 0.5, seed, 600)) < 0.7
    contrary = asked(learned(0.1, 0.6, seed))
    assert 0.02 < contrary < 0.25


def test_one_that_has_learned_better_is_heard_again() -> None:
    calibration = learned(0.1, 0.6, 1)
    for turn in range(301, 361):
        calibration.update(Forecast("", turn % 2 == 0), turn % 2 == 1, turn)
    assert asked(calibration) > 0.9


def test_the_parts_of_a_critic_are_told_apart() -> None:
    calibration = CriticCalibration()
    for turn in range(1, 40):
        calibration.update(Forecast("rules", accept=False), True, turn)
        calibration.update(Forecast("model", accept=False), False, turn)
        calibration.update(Forecast("rules", accept=True), turn % 3 == 0, turn)
        calibration.update(Forecast("model", accept=True), turn % 3 == 0, turn)
    assert calibration.heeds("rules", random.Random(1))
    assert not calibration.heeds("model", random.Random(1))
    assert calibration.record("objected").judged == 78
    assert calibration.record("objected", "rules").right == 39


def test_opinions_that_others_voted_on_count_for_their_sources_alone() -> None:
    calibration = CriticCalibration()
    calibration.update(Forecast("", accept=True), True, 1)
    calibration.update(Forecast("strict", accept=False, final=False), True, 1)
    assert calibration.record("objected", "strict").right == 1
    assert calibration.record("objected").judged == 0
    assert sum(point.plays for point in calibration.curve()) == 1


def test_an_update_leaves_the_data_it_was_made_from() -> None:
    data = learned(0.5, 0.5, 1, 10).data
    before = data.model_dump_json()
    CriticCalibration(data).update(Forecast("", True), True, 11)
    assert data.model_dump_json() == before
    assert CalibrationData.model_validate_json(before) == data
