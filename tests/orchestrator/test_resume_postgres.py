"""The same with checkpoints in a real PostgreSQL."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from orchestrator import play
from orchestrator.checkpoints.opening import read_turns
from orchestrator.checkpoints.saver import Keep
from orchestrator.errors import ConfigError, RunError
from orchestrator.fork import fork
from orchestrator.replay import replay
from orchestrator.resume import resume
from orchestrator.saved.archive import export_run, import_run, remove_run
from orchestrator.saved.runs import RunDirectory
from tests.orchestrator.postgres_server import missing, server

ROOT = Path(__file__).parents[2]
pytestmark = [
    pytest.mark.skipif(bool(missing()), reason=missing() or "there is a server"),
    pytest.mark.xdist_group("postgres"),
]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with server() as address:
        yield address


@pytest.fixture
def database(address: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """The user's own, said where every command hears it."""
    monkeypatch.setenv("ZORK_CHECKPOINTS", address)
    return address


def transcript(run: Path) -> bytes:
    return (run / "transcript.txt").read_bytes()


def test_resume_fork_and_replay_are_exact(database: str, whole: Path, tmp_path: Path) -> None:
    expected = (whole / "transcript.txt").read_bytes()
    run = Path(
        play("hollow", fresh=True, seed=5, steps=12, database=database, out=tmp_path)["run_dir"]
    )
    assert not (run / "checkpoints.sqlite").exists()
    assert replay(run, seed=77).divergence is not None
    resume(run, steps=8)
    assert (run / "transcript.txt").read_bytes() == expected
    forked = Path(fork(run, 7, out=tmp_path)["run_dir"])
    assert (forked / "transcript.txt").read_bytes() == expected
    found = replay(run)
    assert (found.turns, found.checkpoints, found.divergence) == (20, 21, None)
    picky = ["nodes.critic.use=tests.orchestrator.trace_roles:PickyCritic"]
    for changes in ({"graph": "random"}, {"settings": picky}):
        other = Path(fork(run, 7, out=tmp_path, **changes)["run_dir"])
        old, new = (text.split(b"\n> ") for text in (expected, transcript(other)))
        assert new[:8] == old[:8]
        assert new[8:] != old[8:]


def test_killed_episodes_come_to_the_same_end(database: str) -> None:
    command = [sys.executable, "benchmarks/kills.py", "--kills", "3", "--steps", "8", "workshop"]
    run = subprocess.run(
        command,
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "ZORK_CHECKPOINTS": database},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr


def test_pruning_leaves_no_values_behind(database: str, tmp_path: Path) -> None:
    sizes = []
    for rule in ("all", "last:3"):
        options = {"keep": Keep.parse(rule), "database": database, "out": tmp_path}
        run = RunDirectory(Path(play("workshop", fresh=True, steps=15, **options)["run_dir"]))
        record = run.record()
        with read_turns(run, record) as saver:
            sizes.append(saver.size(record.thread))
            turns = [one.turn for one in saver.turns(record.thread)]
    assert turns == [13, 14, 15]
    assert sizes[1] < sizes[0] / 3


def test_an_exported_run_takes_its_checkpoints_along(
    database: str, whole: Path, tmp_path: Path
) -> None:
    result = play("hollow", fresh=True, seed=5, steps=12, database=database, out=tmp_path)
    run = RunDirectory(Path(result["run_dir"]))
    thread = run.record().thread
    export_run(run, tmp_path / "run.tar.gz")
    remove_run(run)
    there = import_run(tmp_path / "run.tar.gz", tmp_path / "there")
    assert there.record().thread == thread
    resume(there.path, steps=8)
    assert there.transcript.read_bytes() == (whole / "transcript.txt").read_bytes()


def test_addresses_that_lead_nowhere(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"cannot|refused|failed") as caught:
        play("workshop", fresh=True, database="postgresql://me:secret@127.0.0.1:1/x", out=tmp_path)
    assert "secret" not in str(caught.value)
    with pytest.raises(ConfigError, match="no address of a database") as wrong:
        play("workshop", fresh=True, database="postgresql://me:secret@[::x", out=tmp_path)
    assert "secret" not in str(wrong.value)
