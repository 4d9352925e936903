"""Terminals, pipes and names that are not as one would like them: no run and no word is lost."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from orchestrator.saved.runs import RunDirectory
from tests.command_line import zork

ROOT = Path(__file__).parents[2]
PLAY = ("play", "--game", "hollow", "--steps", "2", "--fresh")


def process(
    *arguments: str | bytes, cwd: Path, pipe: str = "", **environment: str
) -> subprocess.CompletedProcess[bytes]:
    """`zork` in a shell of its own, with what comes behind the command: `> /dev/full`."""
    program = [sys.executable, "-c", "from orchestrator.cli import main; main()"]
    return subprocess.run(
        ["sh", "-c", f'"$@" {pipe}', "sh", *program, *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        timeout=100,
        check=False,
    )


@pytest.mark.parametrize("encoding", ["ascii", "iso-8859-15", "cp1252"])
@pytest.mark.parametrize(
    "arguments",
    [("trace", "show", "{run}"), ("trace", "show", "{run}", "--turn", "3"), ("--help",),
     ("runs", "show", "{run}"), ("play", "--steps", "x…"), ("world", "show", "{run}", "--map")],
)  # fmt: skip
def test_what_a_terminal_cannot_show_is_replaced(
    encoding: str, arguments: tuple[str, ...], half: Path
) -> None:
    done = zork(*(one.format(run=half) for one in arguments), encoding=encoding)
    assert done.returncode in (0, 2)
    assert "fault" not in done.stderr
    assert done.stdout or done.stderr


@pytest.mark.slow
def test_a_whole_episode_is_played_in_a_terminal_of_another_encoding(tmp_path: Path) -> None:
    for encoding in ("ascii", "cp1252"):
        done = process(*PLAY, cwd=tmp_path, PYTHONIOENCODING=encoding)
        assert done.returncode == 0, done.stderr
        assert b"2 of 2 commands played; " in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("pipe", "status", "told"),
    [
        (
            "> /dev/full",
            2,
            b"zork: the output, or a file, cannot be written: No space left on device",
        ),
        ("2> /dev/full", 0, b""),
        ("> /dev/full 2>&1", 2, b""),
        (">&-", 0, b""),
        (">&- 2>&- <&-", 0, b""),
    ],
)
def test_a_run_outlives_what_it_is_told_to(
    pipe: str, status: int, told: bytes, tmp_path: Path
) -> None:
    done = process(*PLAY, cwd=tmp_path, pipe=pipe)
    assert done.returncode == status, done.stderr
    assert b"Traceback" not in done.stderr
    assert b"Exception ignored" not in done.stderr
    assert told in done.stderr
    (run,) = (tmp_path / "runs").iterdir()
    assert RunDirectory(run).record().sessions


@pytest.mark.slow
def test_a_full_disk_is_one_line_for_commands_that_only_tell(tmp_path: Path) -> None:
    for arguments in (("graph", "list"), ("--help",)):
        done = process(*arguments, cwd=tmp_path, pipe="> /dev/full")
        assert done.returncode == 2
        assert (
            done.stderr
            == b"zork: the output, or a file, cannot be written: No space left on device\n"
        )
    done = process("graph", "list", cwd=tmp_path, pipe="| true")
    assert done.stderr == b""


@pytest.mark.parametrize("size", ["x", "-5", "0", "²", "9" * 30, "1"])
@pytest.mark.parametrize("name", ["COLUMNS", "LINES", "TERMINAL_WIDTH"])
def test_a_size_that_is_none_does_not_count(name: str, size: str) -> None:
    done = zork("graph", "list", **{name: size})
    assert done.returncode == 0, done.stderr
    assert "offline" in done.stdout


@pytest.mark.slow
def test_names_that_are_no_utf8_can_be_played_and_looked_at(tmp_path: Path) -> None:
    folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/n\xff"))
    folder.mkdir()
    story, graph, walk = (os.fsdecode(one) for one in (b"s\xfe.z5", b"g\xfd.toml", b"w\xfc.txt"))
    shutil.copy(ROOT / "game_files" / "hollow.z5", folder / story)
    (folder / graph).write_text('extends = "walkthrough"\n', encoding="utf-8")
    (folder / walk).write_text("look\nwait\n", encoding="utf-8")
    played = process(
        *("play", "--game", story, "--graph", graph, "--steps", "2"),
        *("-s", f"nodes.actor.commands={walk}"),
        cwd=folder,
        ZORK_HOME=str(folder / "home"),
    )
    assert played.returncode == 0, played.stderr
    for command in (
        "runs list",
        "runs show last",
        "trace show last",
        "replay last",
        "world show last",
    ):
        done = process(*command.split(), cwd=folder)
        assert done.returncode == 0, done.stderr
        assert b"Traceback" not in done.stderr
    bench = ("bench", "--games", story, "--graphs", "random", "--seeds", "1", "--steps", "1")
    done = process(*bench, "-o", b"b\xff.jsonl", cwd=folder)
    assert done.returncode == 0, done.stderr
