"""Run directories that somebody prepared: no link is followed, nothing hangs or fills memory."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import sqlite3
import struct
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from benchmarks.gifts import MEGABYTE
from orchestrator.errors import RunError
from orchestrator.saved.archive import export_run
from orchestrator.saved.runs import RunDirectory
from tests.command_line import Done, zork

OWN = ("episode.json", "transcript.txt", "trace.jsonl", "checkpoints.sqlite", "memory.json")
READERS = (
    ("runs", "show"),
    ("runs", "list"),
    ("trace", "show"),
    ("trace", "stats"),
    ("view", "--export", "page.html"),
    ("replay",),
    ("fork", "--steps", "1", "--quiet"),
    ("resume", "--steps", "1", "--quiet"),
    ("prompt", "show", "actor"),
)
SECRET = "what lies elsewhere\n"


def is_told(done: Done) -> bool:
    """It worked, or it says in one line why not."""
    return done.returncode == 0 or (done.returncode == 2 and done.stderr.count("\n") == 1)


def called(command: tuple[str, ...], run: Path, folder: Path) -> Done:
    """A command that reads the run, in another folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        if command == ("runs", "list"):
            return zork(*command, "--out", str(run.parent))
        if command[0] == "prompt":
            return zork(*command, "--run", str(run), "--turn", "1")
        return zork(*command, str(run))


def linked(path: Path, elsewhere: Path) -> None:
    elsewhere.write_text(SECRET, encoding="utf-8")
    path.unlink(missing_ok=True)
    path.symlink_to(elsewhere)


def hard_linked(path: Path, elsewhere: Path) -> None:
    elsewhere.write_text(SECRET, encoding="utf-8")
    path.unlink(missing_ok=True)
    path.hardlink_to(elsewhere)


def piped(path: Path, _elsewhere: Path) -> None:
    path.unlink(missing_ok=True)
    os.mkfifo(path)


def on_a_device(path: Path, _elsewhere: Path) -> None:
    path.unlink(missing_ok=True)
    path.symlink_to("/dev/zero")


def a_folder(path: Path, _elsewhere: Path) -> None:
    path.unlink(missing_ok=True)
    path.mkdir()


@pytest.mark.parametrize(
    "name", ["transcript.txt", "trace.jsonl", "episode.part", "checkpoints.part", "trace.0001.part"]
)
@pytest.mark.parametrize("made", [linked, hard_linked])
def test_playing_on_writes_nothing_elsewhere(
    made: Callable[[Path, Path], None], name: str, half: Path, tmp_path: Path
) -> None:
    elsewhere, before = tmp_path / "bashrc", (half / "episode.json").read_bytes()
    made(half / name, elsewhere)
    done = zork("resume", str(half), "--steps", "1", "--quiet")
    assert elsewhere.read_text(encoding="utf-8") == SECRET
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert name in done.stderr
    assert (half / "episode.json").read_bytes() == before


@pytest.mark.slow
@pytest.mark.parametrize("command", READERS)
def test_odd_files_neither_hang_nor_fill_memory(
    command: tuple[str, ...], half: Path, tmp_path: Path
) -> None:
    for made in (linked, piped, on_a_device, a_folder):
        for name in (*OWN, "checkpoints.sqlite-wal", "checkpoints.sqlite-journal"):
            run = Path(shutil.copytree(half, tmp_path / made.__name__ / name / "run"))
            made(run / name, tmp_path / "elsewhere.txt")
            done = called(command, run, tmp_path)
            assert is_told(done), (made.__name__, name, done)
            assert SECRET.strip() not in done.stdout + done.stderr


def test_a_link_is_not_packed(half: Path, tmp_path: Path) -> None:
    linked(half / "transcript.txt", tmp_path / "elsewhere.txt")
    with pytest.raises(RunError, match="is a link"):
        export_run(RunDirectory(half), tmp_path / "run.tar.gz")
    assert not (tmp_path / "run.tar.gz").exists()


@pytest.mark.parametrize("story", ["/dev/zero", "/proc/kcore", "fifo", "huge"])
def test_a_story_is_looked_for_within_bounds(story: str, half: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    with (tmp_path / "huge").open("wb") as file:
        file.truncate(100_000 * MEGABYTE)
    record = json.loads((half / "episode.json").read_text(encoding="utf-8"))
    changed = {**record, "story_path": str(tmp_path / story), "story_sha256": "0" * 64}
    (half / "episode.json").write_text(json.dumps(changed), encoding="utf-8")
    done = zork("replay", str(half))
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "say where it is: --game PATH" in done.stderr


def huge(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(100_000 * MEGABYTE)


@pytest.mark.parametrize("name", ["episode.json", "transcript.txt", "trace.jsonl"])
def test_a_file_with_a_hole_of_a_hundred_gigabytes_is_not_read(name: str, half: Path) -> None:
    huge(half / name)
    command = {"trace.jsonl": ("trace", "show"), "transcript.txt": ("replay",)}.get(name)
    done = zork(*(command or ("runs", "show")), str(half))
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert name in done.stderr


def swollen(line: bytes) -> bytes:
    """A packed part of a trace with nothing but this, 100 MB of it."""
    return gzip.compress(line) * (100 * MEGABYTE // len(line))


@pytest.mark.slow
@pytest.mark.parametrize("line", [b" " * MEGABYTE, b'{"post":{}}\n' * 90_000])
@pytest.mark.parametrize("command", [("view", "--export", "page.html"), ("trace", "show")])
def test_a_trace_that_swells_is_refused(
    command: tuple[str, ...], line: bytes, half: Path, tmp_path: Path
) -> None:
    (half / "trace.0001.jsonl.gz").write_bytes(swollen(line))
    done = called(command, half, tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "trace.0001.jsonl.gz" in done.stderr


@pytest.mark.slow
def test_a_recording_that_swells_is_refused(half: Path, tmp_path: Path) -> None:
    (half / "trace.0001.jsonl.gz").write_bytes(swollen(b" " * MEGABYTE))
    model = f"embedded:recording:{half}"
    options = ("--graph", "solo", "--model", model, "--steps", "1", "--fresh", "--quiet")
    done = zork("play", "--game", "hollow", *options, "--out", str(tmp_path))
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "holds" in done.stderr


DEFINITIONS = {
    "view": "ALTER TABLE checkpoints RENAME TO other; CREATE VIEW checkpoints AS "
    "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) "
    "SELECT other.* FROM other, n WHERE x < 0",
    "trigger": "CREATE TRIGGER t AFTER INSERT ON checkpoints BEGIN DELETE FROM checkpoints; END",
    "trigger on deleting": "CREATE TRIGGER t BEFORE DELETE ON writes BEGIN SELECT RAISE(FAIL, ''); "
    "END",
    "another table": "CREATE TABLE more (a)",
    "an index that computes": "CREATE INDEX i ON checkpoints (hex(zeroblob(1000000)))",
    "a column that computes": "ALTER TABLE checkpoints ADD COLUMN more TEXT "
    "AS (hex(zeroblob(100000000)))",
    "a check": "DROP TABLE writes; CREATE TABLE writes (thread_id TEXT CHECK (length(hex("
    "zeroblob(100000000))) > 1))",
}


@pytest.mark.parametrize("kind", DEFINITIONS)
def test_a_database_that_defines_more_than_our_tables_is_not_read(kind: str, half: Path) -> None:
    with closing(sqlite3.connect(half / "checkpoints.sqlite")) as database:
        database.executescript(DEFINITIONS[kind])
    for command in (("runs", "show"), ("resume", "--steps", "1", "--quiet")):
        done = zork(*command, str(half))
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)
        assert "it is no database of this program: it defines" in done.stderr


def test_a_journal_that_names_another_file_deletes_nothing(half: Path, tmp_path: Path) -> None:
    """SQLite deletes the file that a hot journal names as the one of several databases."""
    victim = tmp_path / "victim"
    victim.write_text("mine", encoding="utf-8")
    path = half / "checkpoints.sqlite"
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA journal_mode=DELETE")
    page = int.from_bytes(path.read_bytes()[16:18], "big")
    magic, name = bytes.fromhex("d9d505f920a163d7"), os.fsencode(victim)
    head = (magic + struct.pack(">5I", 0, 1, path.stat().st_size // page, 512, page)).ljust(
        512, b"\0"
    )
    sizes = struct.pack(">2I", len(name), sum(name))
    journal = head + struct.pack(">I", 0x40000000 // page + 1) + name + sizes + magic
    path.with_name(f"{path.name}-journal").write_bytes(journal)
    done = zork("runs", "show", str(half))
    assert victim.read_text(encoding="utf-8") == "mine"
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
