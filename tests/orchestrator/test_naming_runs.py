"""Runs are named by `last`, by a part of their id, and listed whole at any width."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import shlex
import shutil
import struct
import subprocess
import sys
import termios
from contextlib import suppress
from pathlib import Path

import pytest
from typer.testing import CliRunner

from orchestrator.cli.listing import run_rows
from orchestrator.cli.main import make_app
from orchestrator.errors import RunError
from orchestrator.saved.record import LONGEST
from orchestrator.saved.runs import RunDirectory, list_runs
from orchestrator.viewer.runs import head, heads, recap_of
from tests.orchestrator.test_escapes import STYLES
from tests.orchestrator.test_mistakes import zork


@pytest.fixture
def three(half: Path) -> Path:
    """A folder with three runs; the one in the middle was played last."""
    for number, name in enumerate(("20250101-000000-alpha", "20250102-000000-beta"), start=1):
        there = half.parent / name
        shutil.copytree(half, there)
        record = json.loads((there / "episode.json").read_text(encoding="utf-8"))
        text = json.dumps({**record, "run_id": name})
        (there / "episode.json").write_text(text, encoding="utf-8")
        for file in ("episode.json", "transcript.txt"):
            os.utime(there / file, (2e9 + number, 2e9 + number))
    return half.parent


def test_a_run_is_found_by_last_by_prefix_and_by_part(three: Path) -> None:
    find = RunDirectory.find
    assert find("last", three).path.name == "20250102-000000-beta"
    assert find("20250101", three).path.name == "20250101-000000-alpha"
    assert find("alpha", three).path.name == "20250101-000000-alpha"
    assert find(three / "20250101-000000-alpha").path.name == "20250101-000000-alpha"
    with pytest.raises(RunError, match=r"fits several.*alpha.*beta"):
        find("2025010", three)
    with pytest.raises(RunError, match="did you mean"):
        find("20250101-000000-alhpa", three)
    with pytest.raises(RunError, match="zork play"):
        find("last", three / "empty")


def test_who_looks_at_a_run_does_not_make_it_the_last(three: Path) -> None:
    """SQLite makes files beside the checkpoints that it reads, and removes them."""
    (three / "20250101-000000-alpha" / "checkpoints.sqlite-shm").touch()
    os.utime(three / "20250101-000000-alpha", (3e9, 3e9))
    assert RunDirectory.find("last", three).path.name == "20250102-000000-beta"


def test_the_folder_where_one_stands_is_a_run_with_a_name(
    half: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(half)
    assert RunDirectory.find(".").path == half.resolve()


@pytest.mark.parametrize("command", ["runs show", "replay", "world show", "trace stats"])
def test_last_is_a_name_wherever_a_run_is_named(command: str, three: Path) -> None:
    result = CliRunner().invoke(make_app(), [*command.split(), "last", "--out", str(three)])
    assert result.exit_code == 0, result.output


@pytest.mark.parametrize("columns", ["40", "60", "80", "200"])
@pytest.mark.parametrize("command", ["runs list", "trace list"])
def test_a_listing_keeps_ids_and_columns_at_any_width(
    command: str, columns: str, three: Path
) -> None:
    done = zork(*command.split(), "--out", str(three), COLUMNS=columns)
    lines = done.stdout.splitlines()
    assert len(lines) == 4
    for name in ("20250101-000000-alpha", "20250102-000000-beta"):
        assert any(line.startswith(name) for line in lines)
    assert lines[0].split() == [
        *("run", "started", "story", "graph", "seed", "turns", "score", "end", "size"),
        *("forked", "from"),
    ]
    assert "20" in lines[1].split()[1]


@pytest.mark.parametrize("command", ["runs list", "trace list", "games list", "graph list"])
def test_every_listing_can_be_json(command: str, three: Path) -> None:
    out = [] if command.split()[0] in ("games", "graph") else ["--out", str(three)]
    result = CliRunner().invoke(make_app(), [*command.split(), "--json", *out])
    rows = [json.loads(line) for line in result.output.splitlines()]
    assert len(rows) >= 3
    assert rows[0].keys() >= {"id"}


@pytest.mark.parametrize("arguments", [[], ["play"], ["runs"], ["runs", "list"], ["trace", "show"]])
def test_h_is_help_everywhere(arguments: list[str]) -> None:
    result = CliRunner().invoke(make_app(), [*arguments, "-h"])
    assert result.exit_code == 0
    assert "Usage" in result.output


def test_a_run_that_is_removed_meanwhile_is_not_listed_and_harms_no_other(
    three: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = list_runs(three)
    newest = runs[1].last_played()
    shutil.rmtree(runs[1].path)
    assert [row["id"] for row in run_rows(runs)] == [run.path.name for run in (runs[0], runs[2])]
    monkeypatch.setattr("orchestrator.saved.runs.list_runs", lambda out: runs)
    monkeypatch.setattr("orchestrator.viewer.runs.list_runs", lambda out: runs)
    assert [one["id"] for one in heads(three)] == [run.path.name for run in (runs[2], runs[0])]
    assert head(runs[1])["status"] == "damaged"
    assert RunDirectory.find("last", three).last_played() < newest


def test_a_run_that_is_removed_after_its_record_was_read_is_told_as_such(three: Path) -> None:
    run = list_runs(three)[1]
    record = run.record()
    shutil.rmtree(run.path)
    with pytest.raises(RunError, match="cannot be looked at: No such file"):
        run.status(record)


def test_a_link_to_nowhere_in_a_run_keeps_no_other_from_being_listed(three: Path) -> None:
    (three / "20250102-000000-beta" / "learned.json").symlink_to("/nowhere")
    assert len(run_rows(list_runs(three))) == 3
    assert zork("runs", "show", str(three / "20250102-000000-beta")).returncode == 0


@pytest.mark.parametrize("name", ["-dash", "two words", "it's"])
def test_a_command_that_is_told_can_be_typed_whatever_the_run_is_called(
    name: str, three: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (three / "runs").mkdir()
    (three / "20250101-000000-alpha").rename(three / "runs" / name)
    (three / "20250102-000000-beta").rename(three / "runs" / "later")
    for folder, out in ((three, "runs"), (three / "runs", ".")):
        monkeypatch.chdir(folder)
        run = RunDirectory.find(Path(out) / name)
        for command in (recap_of(run).then[-1].command, run.way_on, run.way_back(3)):
            _, _, told, *turn = shlex.split(command)
            assert (told[0] != "-", turn) in ((True, []), (True, ["--turn", "3"]))
            assert RunDirectory.find(told).path.resolve() == run.path.resolve()


def test_a_run_whose_folder_is_no_text_is_played_on(three: Path) -> None:
    """A name from an old disk is bytes that are no UTF-8; the record cannot hold it."""
    odd = three / os.fsdecode(b"b\xffd")
    (three / "20250101-000000-alpha").rename(odd)
    done = zork("resume", str(odd), "--steps", "1", "--quiet")
    assert (done.returncode, done.stderr) == (0, "")
    assert "13 of 13 commands played" in done.stdout


def in_terminal(columns: int, *arguments: str) -> str:
    """What a person sees in a terminal of so many columns."""
    main, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    process = subprocess.Popen(
        [sys.executable, "-c", "from orchestrator.cli import main; main()", *arguments],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**environment, "TERM": "xterm"},
    )
    os.close(theirs)
    seen = b""
    with suppress(OSError):
        while part := os.read(main, 1 << 16):
            seen += part
    process.wait()
    os.close(main)
    return STYLES.sub("", seen.decode()).replace("\r\n", "\n")


@pytest.mark.slow
@pytest.mark.parametrize("columns", [60, 200])
def test_a_terminal_shows_all_of_a_listing_and_breaks_no_word(columns: int, three: Path) -> None:
    seen = in_terminal(columns, "runs", "list", "--out", str(three))
    for name in ("20250101-000000-alpha", "20250102-000000-beta"):
        assert any(line.startswith(name) for line in seen.splitlines())
    assert seen.count("hollow") >= 3
    assert max(map(len, seen.splitlines())) <= columns


@pytest.mark.slow
def test_a_trace_at_80_columns_has_the_replies(three: Path) -> None:
    assert "A sheep track" in in_terminal(80, "trace", "show", "last", "--out", str(three))


@pytest.mark.slow
def test_a_mistake_is_broken_between_words() -> None:
    told = in_terminal(80, "play", "--game", "zork9").splitlines()
    assert len(told) > 1
    assert max(map(len, told)) <= 80
    assert "neither a file nor a story" in " ".join(told)


def test_a_run_with_a_long_name_is_found_and_read(tmp_path: Path) -> None:
    label = "a" * 300
    with RunDirectory.create(tmp_path, label, {"status": "running"}) as run:
        told = json.loads((run.path / "episode.json").read_text(encoding="utf-8"))
        assert len(told["thread"]) <= LONGEST
