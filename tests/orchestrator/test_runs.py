"""Runs are listed, shown, packed, unpacked, replayed and removed."""

from __future__ import annotations

import fcntl
import io
import json
import os
import tarfile
import threading
from pathlib import Path

import pytest
from typer.testing import CliRunner

from orchestrator.cli.main import make_app
from orchestrator.errors import RunError
from orchestrator.replay import replay
from orchestrator.resume import resume
from orchestrator.saved.archive import export_run, import_run
from orchestrator.saved.runs import RunDirectory


def zork(*arguments: str) -> str:
    result = CliRunner().invoke(make_app(), list(arguments), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def test_runs_are_listed_shown_and_removed(half: Path) -> None:
    out = ("--out", str(half.parent))
    assert half.name in zork("runs", "list", *out)
    shown = zork("runs", "show", half.name, *out)
    assert shown.startswith("Wreckers' Hollow, offline, seed 5: ")
    assert "12 of 12 commands played; " in shown
    assert f"zork view {half}" in shown
    assert "turns 0-12" in shown
    assert "checkpoints.sqlite" in shown
    zork("runs", "rm", half.name, "--yes", *out)
    assert not half.exists()


def test_a_run_that_is_being_played_is_neither_removed_nor_packed(half: Path) -> None:
    run = RunDirectory(half)
    with run.locked():
        assert run.status(run.record()) == "playing"
        with pytest.raises(RunError, match="another process"):
            export_run(run, half.parent / "x.tar.gz")
        result = CliRunner().invoke(make_app(), ["runs", "rm", str(half), "--yes"])
        assert isinstance(result.exception, RunError)
    assert half.exists()


def test_who_looks_at_a_run_is_in_nobodys_way(half: Path) -> None:
    """Another one who looks does not take it for played, and who wants to play it waits."""
    run = RunDirectory(half)
    looking = os.open(half, os.O_RDONLY)
    fcntl.flock(looking, fcntl.LOCK_SH)
    assert run.status(run.record()) == "steps"
    threading.Timer(0.05, os.close, [looking]).start()
    with run.locked():
        assert run.status(run.record()) == "playing"


def test_an_exported_run_is_resumed_elsewhere(half: Path, whole: Path, tmp_path: Path) -> None:
    packed = tmp_path / "run.tar.gz"
    export_run(RunDirectory(half), packed)
    there = import_run(packed, tmp_path / "there")
    assert there.path.name == half.name
    resume(there.path, steps=8)
    assert there.transcript.read_bytes() == (whole / "transcript.txt").read_bytes()
    with pytest.raises(RunError, match="is there already"):
        import_run(packed, tmp_path / "there")


def test_an_export_that_fails_leaves_no_half_archive(half: Path, tmp_path: Path) -> None:
    (half / "checkpoints.sqlite").write_bytes(b"no database at all" * 100)
    with pytest.raises(RunError):
        export_run(RunDirectory(half), tmp_path / "run.tar.gz")
    assert not list(tmp_path.glob("run.tar.gz*"))


def test_an_export_takes_the_place_of_no_folder_pipe_or_file_of_the_run(
    half: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    pipe, trace = tmp_path / "pipe", half / "trace.jsonl"
    os.mkfifo(pipe)
    told = trace.read_bytes()
    for target, reason in (
        (Path(), "is a folder; name a file"),
        (tmp_path, "is a folder; name a file"),
        (pipe, "is a pipe or a device; name a file"),
        (trace, "is read itself"),
    ):
        with pytest.raises(RunError, match=reason):
            export_run(RunDirectory(half), target)
    assert pipe.is_fifo()
    assert trace.read_bytes() == told


@pytest.mark.parametrize(
    "command",
    [
        *("view RUN --export RUN/episode.json", "view RUN --export RUN/trace.jsonl"),
        *("trace export RUN -o RUN/episode.json", "trace export RUN -o RUN/trace.jsonl"),
        *("world show RUN --map RUN/transcript.txt", "runs export RUN RUN/checkpoints.sqlite"),
    ],
)
def test_nothing_is_written_over_a_run_that_is_read(command: str, half: Path) -> None:
    before = {path.name: path.read_bytes() for path in RunDirectory(half).files()}
    arguments = command.replace("RUN", str(half)).split()
    result = CliRunner().invoke(make_app(), arguments)
    assert "is read itself, and would be lost" in str(result.exception)
    assert {path.name: path.read_bytes() for path in RunDirectory(half).files()} == before


def test_an_archive_can_reach_nothing_outside(tmp_path: Path) -> None:
    evil = tmp_path / "evil.tar.gz"
    for name in ("../../evil/episode.json", "run/evil.sh", "/etc/episode.json/x"):
        with tarfile.open(evil, "w:gz") as tar:
            member = tarfile.TarInfo(name)
            member.size = 2
            tar.addfile(member, io.BytesIO(b"{}"))
        with pytest.raises(RunError, match="no file of a run"):
            import_run(evil, tmp_path / "out")
    evil.write_bytes(b"no archive at all")
    with pytest.raises(RunError, match="cannot be imported"):
        import_run(evil, tmp_path / "out")
    assert list((tmp_path / "out").iterdir()) == []


def test_a_replay_verifies_every_answer(whole: Path) -> None:
    found = replay(whole)
    assert (found.turns, found.checkpoints, found.divergence) == (20, 21, None)
    assert "20 turns answered as recorded" in zork("replay", str(whole))


def test_a_replay_says_where_it_diverges(half: Path) -> None:
    path = half / "transcript.txt"
    entries = path.read_text(encoding="utf-8").split("\n> ")
    command = entries[5].splitlines()[0]
    entries[5] = f"{command}\nSomething that never happened.\n"
    path.write_text("\n> ".join(entries), encoding="utf-8")
    divergence = replay(half).divergence
    assert divergence is not None
    assert (divergence.turn, divergence.command) == (5, command)
    assert divergence.difference.recorded == "Something that never happened."
    result = CliRunner().invoke(make_app(), ["replay", str(half)])
    assert result.exit_code == 1
    assert "-Something that never happened." in result.output


@pytest.mark.parametrize("size", [0, 20])
def test_a_replay_of_no_opening_is_refused(size: int, half: Path) -> None:
    os.truncate(half / "transcript.txt", size)
    with pytest.raises(RunError, match="has no whole opening"):
        replay(half)


def test_a_replay_ends_before_an_entry_that_was_cut_off(half: Path) -> None:
    path = half / "transcript.txt"
    path.write_bytes(path.read_bytes()[:-5])
    found = replay(half)
    assert (found.turns, found.divergence) == (11, None)


def test_a_record_is_on_the_disk_before_it_stands_in_its_place(
    half: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[tuple[str, str]] = []
    sync = os.fsync

    def noted(handle: int) -> None:
        name = Path(f"/proc/self/fd/{handle}").readlink().name
        synced.append((name, json.loads((half / "episode.json").read_bytes())["status"]))
        sync(handle)

    monkeypatch.setattr(os, "fsync", noted)
    run = RunDirectory(half)
    run.write_episode({**run.record().header(), "status": "running"})
    part, folder = synced
    assert (part[0].endswith(".part"), part[1]) == (True, "ended")
    assert folder == (half.name, "running")
