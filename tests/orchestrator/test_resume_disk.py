"""Disks that are full or not to be written."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from orchestrator import play
from orchestrator.checkpoints.opening import read_turns
from orchestrator.errors import RunError
from orchestrator.events import Event, TurnPlayed
from orchestrator.fork import fork
from orchestrator.replay import replay
from orchestrator.resume import resume
from orchestrator.saved.runs import RunDirectory
from orchestrator.traces.writer import TraceWriter
from tests.command_line import zork


def mount(where: Path, options: str) -> None:
    command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(where)]
    if os.geteuid() or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("a disk of a chosen size needs root and the right to mount")


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """300 KB."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount(disk, "size=300k")
    yield disk
    subprocess.run(["umount", "-l", str(disk)], check=True)


def test_the_way_on_is_told_though_the_end_of_the_trace_cannot_be_written(
    half: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: TraceWriter) -> None:
        raise RunError("No space left on device")

    monkeypatch.setattr(TraceWriter, "close", full)
    done = zork("resume", str(half), "--steps", "1", "--quiet")
    assert done.returncode == 2
    assert f"what was played before is saved: mend it, then zork resume {half}" in done.stderr


@pytest.mark.slow
def test_what_was_reported_before_the_disk_was_full_is_there_and_goes_on(
    small_disk: Path, tmp_path: Path
) -> None:
    events: list[Event] = []
    with pytest.raises(RunError, match="No space left"):
        play("hollow", fresh=True, seed=5, steps=400, out=small_disk, watchers=(events.append,))
    reported = [event.after["turn"] for event in events if isinstance(event, TurnPlayed)]
    (there,) = small_disk.iterdir()
    with pytest.raises(RunError, match=r"No space left|is full"):
        resume(there)
    here = Path(shutil.copytree(there, tmp_path / "roomy"))
    run = RunDirectory(here)
    record = run.record()
    with read_turns(run, record) as saver:
        kept = [one.turn for one in saver.turns(record.thread)]
    assert kept == list(range(len(kept)))
    assert kept[-1] >= reported[-1] > 3
    resume(here, steps=3)
    calm = play("hollow", fresh=True, seed=5, steps=kept[-1] + 3, out=tmp_path)
    expected = Path(calm["run_dir"], "transcript.txt").read_bytes()
    assert run.transcript.read_bytes() == expected


def test_a_run_on_a_read_only_disk_is_read_but_not_played_on(
    half: Path, whole: Path, tmp_path: Path
) -> None:
    disk = tmp_path / "frozen"
    disk.mkdir()
    mount(disk, "size=4m")
    try:
        run = Path(shutil.copytree(half, disk / half.name))
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        with pytest.raises(RunError, match="Read-only file system"):
            resume(run, steps=1)
        assert replay(run).divergence is None
        result = fork(run, 10, steps=10, out=tmp_path / "forks")
        transcript = Path(result["run_dir"], "transcript.txt").read_bytes()
        assert transcript == (whole / "transcript.txt").read_bytes()
        with pytest.raises(RunError, match="cannot make a run directory"):
            play("hollow", fresh=True, steps=1, out=disk)
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=True)
