"""The critic's verdicts are held against what comes of the commands, and it is heard by that."""

from __future__ import annotations

from pathlib import Path

import pytest

from managers.belief.calibration import CriticCalibration
from orchestrator.state import State
from orchestrator.turns.current import current_judgements
from tests.orchestrator.critics import FAILS, WORKS
from tests.playing import states_of

TURNS = 120


def turns(out: Path, against: str) -> list[State]:
    settings = (
        "nodes.actor.use=tests.orchestrator.critics:Wavering",
        "nodes.critic.use=tests.orchestrator.critics:Against",
        f"nodes.critic.command={against}",
        "nodes.objective_manager.enabled=false",
    )
    return states_of("workshop", out, settings=settings, steps=TURNS)[1:]


def asked(played: list[State]) -> int:
    return sum(
        any(one.turn == state["turn"] for one in state.get("judgements", [])) for state in played
    )


@pytest.mark.slow
def test_a_critic_that_foretells_failure_is_asked_to_the_end(tmp_path: Path) -> None:
    played = turns(tmp_path, FAILS)
    assert asked(played[-40:]) == 40
    calibration = CriticCalibration(played[-1]["calibration"])
    assert calibration.weight() > 0.7
    objected = calibration.record("objected")
    assert objected.right == objected.judged == TURNS / 2
    assert all(one.heeded for state in played[-10:] for one in current_judgements(state))


@pytest.mark.slow
def test_one_that_foretells_nothing_is_overruled_and_asked_less(tmp_path: Path) -> None:
    played = turns(tmp_path, WORKS)
    assert asked(played[:10]) >= 9
    assert asked(played[-60:]) <= 20
    calibration = CriticCalibration(played[-1]["calibration"])
    assert calibration.weight() == 0.0
    assert calibration.record("objected").right == 0
    overruled = [
        one for state in played[30:] for one in state.get("judgements", []) if not one.heeded
    ]
    assert overruled
    assert all(not one.verdict.accept for one in overruled)
