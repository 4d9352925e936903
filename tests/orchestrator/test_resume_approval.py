"""A person between the agents and the game, in one process or several."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agents.actor import PlayerLeft
from orchestrator import play
from orchestrator.errors import ConfigError
from orchestrator.events import Event, TurnPlayed
from orchestrator.replay import replay
from orchestrator.resume import resume
from orchestrator.turns.approval import Approval, Question, read_answer

APPROVE = ["approve=true"]


def answering(*lines: str) -> Callable[[Question], Approval]:
    """Somebody who types these lines and leaves."""
    left = list(lines)

    def approve(question: Question) -> Approval:
        if not left:
            raise PlayerLeft("nobody there")
        return read_answer(left.pop(0))

    return approve


def commands(run: str) -> list[str]:
    entries = Path(run, "transcript.txt").read_text(encoding="utf-8").split("\n> ")[1:]
    return [entry.splitlines()[0] for entry in entries]


def test_who_accepts_everything_sees_the_same_run(tmp_path: Path) -> None:
    calm = play("workshop", steps=4, out=tmp_path, fresh=True)
    asked: list[Question] = []
    yes = play(
        "workshop",
        steps=4,
        settings=APPROVE,
        approver=lambda question: asked.append(question) or Approval(),
        out=tmp_path,
        fresh=True,
    )
    assert commands(yes["run_dir"]) == commands(calm["run_dir"])
    assert [question.command for question in asked] == commands(calm["run_dir"])


def test_a_command_is_edited_or_rejected_with_a_reason(tmp_path: Path) -> None:
    events: list[Event] = []
    result = play(
        "workshop",
        steps=2,
        settings=APPROVE,
        approver=answering("Examine Me", "/no I know this place", ""),
        out=tmp_path,
        watchers=(events.append,),
    )
    assert commands(result["run_dir"])[0] == "examine me"
    after = [event.after for event in events if isinstance(event, TurnPlayed)][1]
    rejected, accepted = after["decisions"]
    assert (rejected.accept, rejected.reason) == (False, "I know this place")
    assert accepted.proposed == after["command"] != rejected.proposed
    assert replay(result["run_dir"]).divergence is None


def test_a_run_waits_for_its_answer_in_another_process(tmp_path: Path) -> None:
    calm = play("workshop", steps=3, out=tmp_path)
    options: dict[str, Any] = {"steps": 3, "settings": APPROVE, "out": tmp_path}
    paused = play("workshop", approver=answering(""), **options)
    assert (paused["steps"], paused["end_reason"]) == (1, "player_left")
    paused = resume(paused["run_dir"], approver=answering())
    assert paused["steps"] == 1
    done = resume(paused["run_dir"], approver=answering("", ""))
    assert (done["steps"], done["end_reason"]) == (3, "steps")
    assert commands(done["run_dir"]) == commands(calm["run_dir"])


def test_somebody_must_be_there_to_be_asked(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="needs somebody to ask"):
        play("workshop", settings=APPROVE, out=tmp_path)
