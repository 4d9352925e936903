"""Steering a running episode from elsewhere: pause, step, judge."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from orchestrator import play
from orchestrator.errors import ConfigError
from orchestrator.saved.runs import RunDirectory
from orchestrator.viewer.controls import Controls, fork_aside
from orchestrator.viewer.runs import RunView


def until(true: Callable[[], Any], seconds: float = 20) -> Any:
    end = time.monotonic() + seconds
    while not (found := true()):
        assert time.monotonic() < end, "nothing happened in time"
        time.sleep(0.01)
    return found


def played(controls: Controls, out: Path, **options: Any) -> Thread:
    told = {"watchers": (controls,), "approver": controls.approve, "out": out, "fresh": True}
    thread = Thread(target=lambda: play("morning", seed=2, **told, **options), daemon=True)
    thread.start()
    return thread


def view(controls: Controls, out: Path) -> RunView:
    found = RunView(RunDirectory(out / controls.run))
    found.refresh()
    return found


def test_commands_are_accepted_edited_rejected_and_then_left_alone(tmp_path: Path) -> None:
    controls = Controls("browser", asks=True)
    thread = played(controls, tmp_path, steps=5, settings=["approve=true"])
    first = until(lambda: controls.stand()["question"])
    controls.take({"do": "accept"})
    until(lambda: (controls.stand()["question"] or {}).get("turn") == 2)
    controls.take({"do": "edit", "text": " inventory "})
    third = until(lambda: (q := controls.stand()["question"]) and q["turn"] == 3 and q)
    controls.take({"do": "reject", "text": "not that"})
    until(lambda: (q := controls.stand()["question"]) and q["command"] != third["command"])
    controls.take({"do": "go"})
    thread.join(20)
    assert controls.stand()["over"]
    run = view(controls, tmp_path)
    decisions = [run.frame(turn).proposals[-1].decision for turn in range(1, 6)]
    assert [one.by for one in decisions] == ["browser", "browser", "", "", ""]
    assert decisions[0].command == first["command"]
    assert run.rows[2].command == "inventory"
    rejected = run.frame(3).proposals[0].decision
    assert (rejected.accept, rejected.by, rejected.reason) == (False, "browser", "not that")


def test_a_run_without_approval_pauses_between_turns_and_steps(tmp_path: Path) -> None:
    controls = Controls("browser")
    controls.take({"do": "pause"})
    thread = played(controls, tmp_path, steps=4)
    until(lambda: controls.run)
    until(lambda: view(controls, tmp_path).rows[-1].turn == 1)
    time.sleep(0.3)
    assert view(controls, tmp_path).rows[-1].turn == 1
    controls.take({"do": "step"})
    until(lambda: view(controls, tmp_path).rows[-1].turn == 2)
    time.sleep(0.3)
    assert view(controls, tmp_path).rows[-1].turn == 2
    controls.take({"do": "go"})
    thread.join(20)
    assert view(controls, tmp_path).rows[-1].turn == 4


def test_who_leaves_has_the_command_in_question_not_played(tmp_path: Path) -> None:
    controls = Controls("dashboard", asks=True)
    thread = played(controls, tmp_path, steps=5, settings=["approve=true"])
    until(lambda: controls.stand()["question"])
    controls.leave()
    thread.join(20)
    results = RunDirectory(tmp_path / controls.run).record().results()
    assert (results["end_reason"], results["steps"]) == ("stopped", 0)


def test_a_fork_on_the_side_asks_nobody(tmp_path: Path) -> None:
    controls = Controls("browser", asks=True)
    thread = played(controls, tmp_path, steps=2, settings=["approve=true"])
    until(lambda: controls.stand()["question"])
    controls.take({"do": "go"})
    thread.join(20)
    forked = RunDirectory(tmp_path / fork_aside(RunDirectory(tmp_path / controls.run), 1, tmp_path))
    assert until(lambda: forked.record().results().get("steps")) == 2


@pytest.mark.parametrize("request_", [{"do": "accept"}, {"do": "dance"}, {}])
def test_what_cannot_be_done_is_said(request_: dict[str, str]) -> None:
    with pytest.raises(ConfigError):
        Controls("browser").take(request_)
