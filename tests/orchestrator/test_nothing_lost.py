"""What must not cost a run its turns: a wrong clock, a death at the wrong moment, rot."""

from __future__ import annotations

import gzip
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.base import id as checkpoint_ids
from langgraph.store.sqlite import SqliteStore

from benchmarks.rot import flipped
from orchestrator import memory, play
from orchestrator.checkpoints.opening import open_sqlite, read_turns
from orchestrator.checkpoints.saver import Keep
from orchestrator.errors import RunError
from orchestrator.fork import fork
from orchestrator.replay import replay
from orchestrator.resume import resume
from orchestrator.saved.archive import export_run
from orchestrator.saved.runs import RunDirectory
from testing.fake_ollama import FakeOllama

ROOT = Path(__file__).parents[2]


def transcript(run: Path) -> bytes:
    return (run / "transcript.txt").read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("seconds", [-3600, -60, 60])
def test_a_clock_that_is_wrong_loses_nothing(
    half: Path, whole: Path, monkeypatch: pytest.MonkeyPatch, seconds: int
) -> None:
    now = time.time_ns
    with monkeypatch.context() as wrong:
        wrong.setattr(checkpoint_ids, "_last_v6_timestamp", None)
        wrong.setattr(time, "time_ns", lambda: now() + seconds * 10**9)
        resume(half, steps=4)
    monkeypatch.setattr(checkpoint_ids, "_last_v6_timestamp", None)
    assert resume(half, steps=4)["steps"] == 20
    assert transcript(half) == transcript(whole)
    run = RunDirectory(half)
    with read_turns(run, run.record()) as saver:
        assert [row.turn for row in saver.turns(run.record().thread)] == list(range(21))


def test_what_a_dead_process_left_half_written_is_taken_back(half: Path, whole: Path) -> None:
    """A rollback journal that is hot: changed pages are in the file already."""
    script = (
        "import os, sqlite3, sys\n"
        "database = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        "database.execute('PRAGMA journal_mode=DELETE')\n"
        "database.execute('PRAGMA cache_size=1')\n"
        "database.execute('BEGIN')\n"
        "database.execute('UPDATE checkpoints SET metadata = zeroblob(9000)')\n"
        "os._exit(0)\n"
    )
    database = half / "checkpoints.sqlite"
    subprocess.run([sys.executable, "-c", script, str(database)], check=True)
    assert (half / "checkpoints.sqlite-journal").stat().st_size > 0
    for number, use in enumerate((replay, fork, resume)):
        copy = Path(shutil.copytree(half, half.parent / f"copy{number}"))
        options: dict[str, Any] = {} if use is replay else {"steps": 8}
        result = use(copy, **options, **({"out": half.parent / "forks"} if use is fork else {}))
        if isinstance(result, dict):
            assert transcript(Path(result["run_dir"])) == transcript(whole)
    export_run(RunDirectory(half), half.parent / "packed.tar.gz")


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("strace") is None, reason="kills at system calls need strace")
def test_a_database_is_there_whole_or_not_at_all(tmp_path: Path) -> None:
    """The process dies at every seventh write, sync and rename while the file is made."""
    calls = "pwrite64,write,fsync,fdatasync,rename,ftruncate,unlink"
    program = (
        "import os, sys; from pathlib import Path\n"
        "from orchestrator.checkpoints.opening import open_sqlite\n"
        "from orchestrator.checkpoints.saver import Keep\n"
        "sys.stdout.flush(); path = Path(sys.argv[1])\n"
        "with open_sqlite(path, {}, Keep()): pass\n"
    )
    made = False
    for number in range(1, 99, 7):
        path = tmp_path / str(number) / "checkpoints.sqlite"
        path.parent.mkdir()
        inject = f"inject={calls}:signal=KILL:when={number}"
        command = ["strace", "-f", "-qq", "-o", os.devnull, "-e", f"trace={calls}", "-e", inject]
        options: dict[str, Any] = {"cwd": ROOT, "capture_output": True, "check": False}
        done = subprocess.run([*command, sys.executable, "-B", "-c", program, path], **options)
        if path.exists():
            made = True
            with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as database:
                names = {row[0] for row in database.execute("SELECT name FROM sqlite_master")}
            assert {"checkpoints", "writes", "dictionaries"} <= names
        with open_sqlite(path, {}, Keep()) as saver:
            assert saver.turns("thread") == []
        if done.returncode == 0:
            break
    assert made
    assert number > 20


def test_a_memory_that_was_being_made_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process dies when a column is there, and before that is noted."""
    store, subject = tmp_path / "memory.sqlite", memory.Subject("0" * 64, "offline")
    table, index, column, *rest = SqliteStore.MIGRATIONS
    assert "ADD COLUMN" in column
    with monkeypatch.context() as dying:
        steps = [table, index, f"{column}; SELECT death();", *rest]
        dying.setattr(SqliteStore, "MIGRATIONS", steps)
        with pytest.raises(RunError, match="no such function: death"):
            memory.remember(subject, {}, store)
    memory.remember(subject, {}, store)
    assert memory.load(subject, store) is not None


@pytest.mark.slow
def test_a_flipped_bit_is_refused_or_harmless(half: Path) -> None:
    """3,000 of them are a benchmark."""
    outcomes = list(flipped(half, 250, seed=1))
    assert outcomes.count("different") == 0
    assert outcomes.count("refused") > 50


def test_a_flipped_bit_in_the_record_is_refused(half: Path) -> None:
    path = half / "episode.json"
    text = path.read_text(encoding="utf-8")
    for old, new in (('"agent_seed": 5', '"agent_seed": 4'), ('"seed": 5', '"seed": 7')):
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")
        with pytest.raises(RunError, match="made with another seeds"):
            resume(half, steps=1)


class Failing:
    """Breaks down in the third turn, as long as it is told to."""

    def judge(self, briefing: Any) -> dict[str, bool]:
        if briefing.turn == 3 and os.environ.get("FAILING"):
            raise RuntimeError("the critic breaks down")
        return {"accept": True}


@pytest.mark.parametrize("change", ["channel = 'world'", "task_id = 'another'"])
def test_what_a_broken_turn_has_written_is_sealed_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    monkeypatch.setenv("FAILING", "1")
    settings = [f"nodes.critic.use={__name__}:Failing"]
    with pytest.raises(RuntimeError):
        play("workshop", fresh=True, settings=settings, steps=6, out=tmp_path)
    (run,) = tmp_path.iterdir()
    monkeypatch.delenv("FAILING")
    with closing(sqlite3.connect(run / "checkpoints.sqlite")) as database:
        database.execute(f"UPDATE writes SET {change}")
        database.commit()
    with pytest.raises(RunError, match="it is damaged"):
        resume(run)


@pytest.mark.parametrize("part", ["gone", "short", "wrong", "more"])
def test_a_damaged_transcript_is_made_again(half: Path, whole: Path, part: str) -> None:
    path = half / "transcript.txt"
    content = bytearray(path.read_bytes())
    content[200] ^= 1
    damaged = {"gone": b"", "short": content[:100], "wrong": content, "more": content + b"more"}
    path.write_bytes(damaged[part])
    resume(half, steps=8)
    assert transcript(half) == transcript(whole)


@pytest.mark.slow
def test_a_transcript_is_made_again_as_far_as_turns_are_kept(tmp_path: Path, whole: Path) -> None:
    keep = Keep.parse("last:5")
    run = Path(play("hollow", seed=5, steps=12, keep=keep, fresh=True, out=tmp_path)["run_dir"])
    path = run / "transcript.txt"
    content = path.read_bytes()
    path.write_bytes(content[:-300])
    forked = Path(fork(run, 10, steps=10, out=tmp_path / "forks")["run_dir"])
    assert transcript(forked) == transcript(whole)
    path.write_bytes(content[:50])
    with pytest.raises(RunError, match="damaged before turn 8, and the checkpoints of those"):
        resume(run, steps=8)


def test_resume_never_needs_the_trace(fake: FakeOllama, tmp_path: Path) -> None:
    """What the models have cost is told by the checkpoints."""
    options: dict[str, Any] = {"graph": "llm", "cache": False, "fresh": True, "out": tmp_path}
    calm = resume(play("workshop", steps=3, **options)["run_dir"], steps=3, cache=False)
    run = Path(play("workshop", steps=3, **options)["run_dir"])
    (run / "trace.jsonl").write_bytes(b'\xff{"post": {}}\n{"patch": {"id": 3}}\n[1]\n')
    (run / "trace.0001.jsonl.gz").write_bytes(gzip.compress(b"whatever")[:-6])
    resumed = resume(run, steps=3, cache=False)
    counted = ("llm_calls", "prompt_tokens", "completion_tokens")
    assert [resumed[name] for name in counted] == [calm[name] for name in counted]
    assert resumed["roles"].keys() == calm["roles"].keys()
    assert resumed["roles"]["actor"]["calls"] == calm["roles"]["actor"]["calls"]
