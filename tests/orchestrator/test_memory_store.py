"""The store of what was learned: made whole, mended, and nothing lost if it is full."""

from __future__ import annotations

import json
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

import pytest
from langgraph.store.sqlite import SqliteStore
from typer.testing import CliRunner

import orchestrator
from orchestrator import memory
from orchestrator.cli.main import make_app
from orchestrator.errors import RunError
from orchestrator.events import Event, TurnPlayed
from orchestrator.memory import Subject
from orchestrator.resume import resume

play = partial(orchestrator.play, fresh=False)
"""As `zork play` does."""

SUBJECT = Subject("0" * 64, "offline")
LEARNED: dict[str, Any] = {"format": 0}
STEPS = len(SqliteStore.MIGRATIONS)
STEPS_OF_ONE = 6


def half_made(path: Path, done: int, noted: int) -> None:
    """A store whose maker was killed: so many steps done, so many of them noted."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("CREATE TABLE store_migrations (v INTEGER PRIMARY KEY)")
        for step, sql in enumerate(SqliteStore.MIGRATIONS[:done]):
            database.executescript(sql)
            if step < noted:
                database.execute("INSERT INTO store_migrations VALUES (?)", (step,))


def one_episode(out: Path, **options: Any) -> dict[str, Any]:
    return play("morning", seed=4, out=out, **{"steps": STEPS_OF_ONE, **options})


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> tuple[Subject, dict[str, Any]]:
    """What an episode has left, and of what."""
    result = one_episode(tmp_path_factory.mktemp("runs"))
    subject = Subject(result["story_sha256"], result["graph"])
    return subject, memory.load(subject)


@pytest.mark.parametrize("done", range(STEPS + 1))
def test_a_store_that_was_half_made_is_made_whole(
    done: int, learned: tuple[Subject, dict[str, Any]]
) -> None:
    subject, known = learned
    for noted in {done, max(0, done - 1)}:
        half_made(memory.store_path(), done, noted)
        (memory.store_path().with_suffix(".new")).write_bytes(b"left by a kill")
        memory.remember(subject, known)
        assert memory.load(subject) == known
        assert memory.forget(subject)
        memory.store_path().unlink()


def test_what_a_half_made_store_holds_is_kept(learned: tuple[Subject, dict[str, Any]]) -> None:
    subject, known = learned
    memory.remember(subject, known)
    with closing(sqlite3.connect(memory.store_path(), isolation_level=None)) as database:
        database.execute("DELETE FROM store_migrations WHERE v > 1")
    assert memory.load(subject) == known


@pytest.mark.slow
@pytest.mark.parametrize(
    "milliseconds", [2, *(pytest.param(one, marks=pytest.mark.slow) for one in (0, 10))]
)
def test_a_kill_while_the_store_is_made_costs_nothing(milliseconds: int, tmp_path: Path) -> None:
    path = tmp_path / "home" / "memory.sqlite"
    code = (
        "import sys; from pathlib import Path; from orchestrator import memory\n"
        "print(flush=True)\n"
        "memory.load(memory.Subject('0' * 64, 'offline'), Path(sys.argv[1]))\n"
    )
    path.parent.mkdir()
    half_made(path, 3, 2)
    child = subprocess.Popen([sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE)
    assert child.stdout is not None
    child.stdout.readline()
    time.sleep(milliseconds / 1000)
    child.send_signal(signal.SIGKILL)
    child.wait()
    child.stdout.close()
    assert memory.load(SUBJECT, path) == {}


def test_doctor_tells_of_a_damaged_store_and_clear_sets_it_aside(tmp_path: Path) -> None:
    one_episode(tmp_path)
    memory.store_path().write_bytes(b"no database" * 1000)
    told = " ".join(CliRunner().invoke(make_app(), ["doctor"]).output.split())
    assert told.count("zork memory clear") == 2
    assert "ZORK_HOME" not in told
    asked = CliRunner().invoke(make_app(), ["memory", "clear", "--game", "morning"], input="n")
    assert "what was learned of all stories" in asked.output
    cleared = CliRunner().invoke(make_app(), ["memory", "clear", "--game", "morning", "--yes"])
    assert cleared.exit_code == 0, cleared.output
    assert "memory.damaged" in cleared.output
    assert "memory.damaged" not in CliRunner().invoke(make_app(), ["doctor"]).output
    assert one_episode(tmp_path)["memory"]["episodes"] == 0


def test_a_store_that_is_whole_is_not_set_aside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one_episode(tmp_path)
    whole = memory.store_path().read_bytes()
    monkeypatch.setattr(memory, "opened", on_a_full_disk)
    cleared = CliRunner().invoke(make_app(), ["memory", "clear", "--game", "morning", "--yes"])
    assert isinstance(cleared.exception, RunError)
    assert "disk is full; set ZORK_HOME" in str(cleared.exception)
    assert memory.store_path().read_bytes() == whole


def on_a_full_disk(_path: Path) -> NoReturn:
    raise sqlite3.OperationalError("database or disk is full")


def losing(steps: int, take_away: Callable[[], object]) -> Callable[[Event], None]:
    """A watcher that takes the store away after the last turn."""

    def watch(event: Event) -> None:
        if isinstance(event, TurnPlayed) and event.after["turn"] == steps:
            take_away()

    return watch


def blocked() -> None:
    """Nothing can be written where the store is."""
    home = memory.store_path().parent
    shutil.rmtree(home)
    home.write_text("in the way", encoding="utf-8")


def freed() -> None:
    memory.store_path().parent.unlink()


def test_what_cannot_be_remembered_is_kept_beside_the_run_and_merged_at_the_next_start(
    tmp_path: Path,
) -> None:
    result = one_episode(tmp_path, watchers=(losing(STEPS_OF_ONE, blocked),))
    kept = Path(result["run_dir"], "learned.json")
    assert result["end_reason"] == "steps"
    assert "learned.json" in result["unremembered"]
    assert json.loads(kept.read_bytes())["runs"] == [result["thread"]]
    freed()
    again = one_episode(tmp_path, steps=1)
    assert again["memory"]["episodes"] == 1
    assert not kept.exists()
    subject = Subject(result["story_sha256"], result["graph"])
    assert memory.load(subject)["runs"] == [result["thread"], again["thread"]]


def test_a_resumed_run_leaves_what_it_could_not_leave_before(tmp_path: Path) -> None:
    result = one_episode(tmp_path, watchers=(losing(STEPS_OF_ONE, blocked),))
    freed()
    again = resume(result["run_dir"], steps=2)
    assert "unremembered" not in again
    assert not Path(result["run_dir"], "learned.json").exists()
    assert len(memory.load(Subject(result["story_sha256"], result["graph"]))["runs"]) == 1


def test_a_memory_of_another_story_stays_where_it_is(tmp_path: Path) -> None:
    result = one_episode(tmp_path, watchers=(losing(STEPS_OF_ONE, blocked),))
    freed()
    play("workshop", steps=1, out=tmp_path)
    assert Path(result["run_dir"], "learned.json").exists()


def test_a_home_that_cannot_be_written_is_noticed_before_play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("ZORK_HOME", str(tmp_path / "file"))
    with pytest.raises(RunError, match="ZORK_HOME"):
        one_episode(tmp_path / "runs")
    assert not (tmp_path / "runs").exists()
    assert list(tmp_path.iterdir()) == [tmp_path / "file"]


def test_the_memory_of_another_story_is_not_imported(tmp_path: Path) -> None:
    one_episode(tmp_path)
    file = str(tmp_path / "memory.json")
    runner, app = CliRunner(), make_app()
    assert runner.invoke(app, ["memory", "export", file, "--game", "morning"]).exit_code == 0
    refused = runner.invoke(app, ["memory", "import", file, "--game", "hollow"])
    assert isinstance(refused.exception, RunError)
    assert "another story" in str(refused.exception)
    taken = runner.invoke(app, ["memory", "import", file, "--game", "morning"])
    assert "1 episode" in taken.output
