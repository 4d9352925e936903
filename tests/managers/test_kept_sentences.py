"""Sentences that a model's reading keeps are shown when the reply is long past."""

from __future__ import annotations

from environments.game import Observation
from managers.core.learner import learn
from managers.language.reading import ActionResult, ProgressReport, Reading
from managers.skills import all_skills
from managers.world.knowledge import Knowledge
from managers.world.queries import NOTE

BELL = "A bell rings at noon."


def noted(progress: ProgressReport | None) -> list[tuple[str, str, int]]:
    reading = Reading(
        turn=3,
        action_result=ActionResult(action="listen", result="success"),
        new_information=(BELL,),
        progress=progress,
    )
    known = learn(Knowledge.new(), 3, "listen", Observation(text=BELL), reading, all_skills()).after
    return [(one.subject, one.value, one.turn) for one in known.board.of(NOTE)]


def test_what_a_model_found_worth_keeping_is_kept_with_its_turn() -> None:
    assert noted(ProgressReport()) == [(BELL, "N3a", 3)]


def test_what_only_the_rules_did_not_understand_is_no_note() -> None:
    assert noted(None) == []
