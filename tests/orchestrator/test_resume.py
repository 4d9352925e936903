"""Runs go on exactly where they stood, and say so if they cannot."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from environments.game import GameError
from orchestrator import play
from orchestrator.checkpoints.opening import read_turns
from orchestrator.errors import RunError
from orchestrator.events import Event, TurnPlayed
from orchestrator.replay import replay
from orchestrator.resume import resume
from orchestrator.saved.runs import RunDirectory

ROOT = Path(__file__).parents[2]


def transcript(run: Path) -> bytes:
    return (run / "transcript.txt").read_bytes()


def edit(run: Path, **changes: Any) -> None:
    path = run / "episode.json"
    record = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**record, **changes}), encoding="utf-8")


def test_a_run_that_spent_its_steps_goes_on_as_if_it_had_never_stopped(
    half: Path, whole: Path
) -> None:
    result = resume(half, steps=3)
    assert (result["steps"], result["end_reason"]) == (15, "steps")
    resume(half, steps=5)
    assert transcript(half) == transcript(whole)
    sessions = RunDirectory(half).record().sessions
    assert [session.from_turn for session in sessions] == [0, 12, 15]


@pytest.mark.slow
def test_killed_episodes_come_to_the_same_end() -> None:
    """Kills at random calls, within commits, and by SIGKILL; 200 of them are a benchmark."""
    command = [sys.executable, "benchmarks/kills.py", "--kills", "4", "--steps", "8", "workshop"]
    run = subprocess.run(
        command,
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "0"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert ": 0 differ" in run.stdout


def test_resuming_is_exact_where_replaying_the_commands_would_not_be(
    half: Path, whole: Path
) -> None:
    assert replay(half).divergence is None
    astray = replay(half, seed=77).divergence
    assert astray is not None
    assert astray.turn <= 12
    resume(half, steps=8)
    assert transcript(half) == transcript(whole)


def test_what_was_written_of_a_turn_in_flight_is_taken_back(half: Path, whole: Path) -> None:
    with (half / "transcript.txt").open("ab") as file:
        file.write(b"\n> half a tu")
    with (half / "trace.jsonl").open("ab") as file:
        file.write(b'{"post": {"id"')
    edit(half, status="running")
    resume(half, steps=8)
    assert transcript(half) == transcript(whole)


@pytest.mark.slow
def test_a_log_of_the_database_that_was_cut_anywhere_costs_turns_but_no_exactness(
    half: Path, whole: Path, tmp_path: Path
) -> None:
    """What a power failure leaves: a write-ahead log that ends in the middle of a page."""
    script = (
        "import os, sqlite3, sys; from pathlib import Path\n"
        "from orchestrator import play\n"
        "play('hollow', fresh=True, seed=5, steps=12, out=Path(sys.argv[1]), trace=False,"
        " watchers=(lambda e: getattr(e, 'after', {}).get('turn') == 8 and os._exit(0),))\n"
    )
    subprocess.run([sys.executable, "-c", script, str(tmp_path)], check=True, cwd=ROOT)
    (run,) = tmp_path.glob("*-hollow-*")
    log = (run / "checkpoints.sqlite-wal").read_bytes()
    for part in (0.4, 0.77):
        torn = Path(shutil.copytree(run, tmp_path / f"torn{part}"))
        (torn / "checkpoints.sqlite-wal").write_bytes(log[: int(len(log) * part)])
        resume(torn, steps=None)
        result = resume(torn, steps=8)
        assert result["steps"] == 20
        assert transcript(torn) == transcript(whole)


class Failing:
    """Breaks down once, in the third turn."""

    def judge(self, briefing: Any) -> dict[str, bool]:
        marker = Path(os.environ["FAILED_ONCE"])
        if briefing.turn == 3 and not marker.exists():
            marker.touch()
            raise RuntimeError("the critic breaks down")
        return {"accept": True}


def test_a_turn_that_broke_off_is_finished_and_not_begun_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAILED_ONCE", str(tmp_path / "failed"))
    settings = [f"nodes.critic.use={__name__}:Failing"]
    with pytest.raises(RuntimeError, match="breaks down"):
        play("workshop", fresh=True, settings=settings, steps=6, out=tmp_path / "broken")
    (broken,) = (tmp_path / "broken").iterdir()
    events: list[Event] = []
    resume(broken, watchers=(events.append,))
    calm = play("workshop", fresh=True, settings=settings, steps=6, out=tmp_path / "calm")
    assert transcript(broken) == transcript(Path(calm["run_dir"]))
    played = [event.after["turn"] for event in events if isinstance(event, TurnPlayed)]
    assert played == [4, 5, 6]


def test_the_story_is_found_by_its_content_on_another_machine(
    half: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit(half, story_path="/nowhere/story.z5", story_sha256="0" * 64)
    with pytest.raises(GameError, match="say where it is: --game PATH"):
        resume(half, steps=1)
    with pytest.raises(GameError, match="is not the story of this run"):
        resume(half, steps=1, game="workshop")
    own = tmp_path / "stories"
    own.mkdir()
    story = own / "renamed.z5"
    story.write_bytes((ROOT / "game_files" / "hollow.z5").read_bytes())
    record = play(str(story), fresh=True, seed=5, steps=2, out=tmp_path / "runs")
    story.rename(own / "moved.z5")
    monkeypatch.setenv("ZORK_STORIES", str(own))
    assert resume(record["run_dir"], steps=1)["steps"] == 3


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"versions": {"jericho": "1.0"}}, "--any-version"),
        ({"seed": "many"}, "seed: input should be a valid integer"),
        ({"format": 99}, "format: input should be 1"),
        ({"config": {}}, "config.sequence: field required"),
        ({"thread": "another"}, "its checkpoints are gone"),
        ({"checkpoints": ""}, "was played without checkpoints"),
    ],
)
def test_a_record_that_does_not_fit_is_refused(
    half: Path, changes: dict[str, Any], message: str
) -> None:
    edit(half, **changes)
    with pytest.raises(RunError) as caught:
        resume(half, steps=1)
    assert message in str(caught.value)


def test_another_config_than_the_checkpoints_is_refused(half: Path) -> None:
    config = RunDirectory(half).record().config.model_dump(mode="json")
    config["edges"]["critic"]["at_most"] = 9
    edit(half, config=config)
    with pytest.raises(RunError, match="made with another config"):
        resume(half, steps=1)


def test_any_version_may_be_accepted(half: Path, whole: Path) -> None:
    edit(half, versions={"jericho": "1.0"})
    resume(half, steps=8, any_version=True)
    assert transcript(half) == transcript(whole)


@pytest.mark.slow
def test_a_second_process_is_turned_away(half: Path, whole: Path) -> None:
    """The first is stopped in mid-play, so that it holds the run for as long as it takes."""
    program = "from orchestrator.cli import main; main()"
    command = [sys.executable, "-c", program, "resume", str(half), "--steps", "8"]
    options: dict[str, Any] = {
        "cwd": ROOT,
        "env": os.environ | {"PYTHONPATH": str(ROOT)},
        "stdout": subprocess.PIPE,
        "stderr": subprocess.STDOUT,
        "text": True,
    }
    first = subprocess.Popen(command, **options)
    try:
        assert first.stdout is not None
        while "  13  " not in first.stdout.readline():
            assert first.poll() is None
        first.send_signal(signal.SIGSTOP)
        second = subprocess.run(command, **options, check=False)
        assert second.returncode == 2
        assert "another process is playing this run" in second.stdout
        assert RunDirectory(half).status(RunDirectory(half).record()) == "playing"
    finally:
        first.send_signal(signal.SIGCONT)
        first.communicate()
    assert first.returncode == 0
    assert transcript(half) == transcript(whole)


@pytest.mark.slow
@pytest.mark.parametrize("made", ["", "DELETE FROM checkpoints", "DROP TABLE checkpoints"])
def test_a_process_killed_while_it_made_the_database_lost_nothing(
    half: Path, whole: Path, made: str
) -> None:
    (half / "transcript.txt").unlink()
    if made:
        with closing(sqlite3.connect(half / "checkpoints.sqlite")) as database:
            database.executescript(f"DROP TABLE writes; {made}")
    else:
        (half / "checkpoints.sqlite").write_bytes(b"")
    edit(half, status="running", max_steps=20)
    resume(half)
    assert transcript(half) == transcript(whole)


def test_what_is_over_or_unknown_is_said(half: Path) -> None:
    with pytest.raises(RunError, match="has played its 12 turns; give --steps N"):
        resume(half)
    with pytest.raises(RunError, match="no run 'nothing'"):
        resume("nothing", out=half.parent)


def test_a_run_that_was_killed_after_its_last_turn_gets_its_result(half: Path) -> None:
    edit(half, status="running")
    result = resume(half)
    assert (result["steps"], result["end_reason"]) == (12, "steps")


def test_checkpoints_stay_one_a_turn(half: Path) -> None:
    resume(half, steps=2)
    run = RunDirectory(half)
    record = run.record()
    with read_turns(run, record) as saver:
        assert [kept.turn for kept in saver.turns(record.thread)] == list(range(15))
