"""Archives that somebody prepared: refused in one line, in little room, nothing left behind."""

from __future__ import annotations

import gzip
import json
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.gifts import ARCHIVES, MEGABYTE, tar_of
from orchestrator.errors import RunError
from orchestrator.saved.archive import export_run, import_run, remove_run
from orchestrator.saved.runs import RunDirectory
from tests.command_line import zork

ROOM = 900 * MEGABYTE
"""Of memory for a whole process that reads an archive; Python with our packages takes 500."""


LARGE = ("sparse", "huge file", "huge header", "huge name", "many files")
"""What is read in a process of its own alone, in which little room can be had."""
IDS = [".hidden", "-rf", "two\nlines", "../up", "a/b", "", "last", "x" * 300, "\x1b[2J", "."]


IMPORTS = """
import sys
from pathlib import Path
from orchestrator.errors import RunError
from orchestrator.saved.archive import import_run
out, *archives = map(Path, sys.argv[1:])
for archive in archives:
    try:
        import_run(archive, out)
    except RunError as error:
        print(error)
"""


@pytest.mark.slow
def test_large_archives_are_refused_in_little_room(tmp_path: Path) -> None:
    out = tmp_path / "runs"
    archives = [ARCHIVES[kind](tmp_path / f"{kind}.tar.gz") for kind in LARGE]
    done = subprocess.run(
        [sys.executable, "-c", IMPORTS, str(out), *map(str, archives)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        preexec_fn=lambda: (
            resource.setrlimit(resource.RLIMIT_DATA, (ROOM, ROOM)),
            resource.setrlimit(resource.RLIMIT_FSIZE, (200 * MEGABYTE, 200 * MEGABYTE)),
        ),
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert [line.split(":")[0] for line in done.stdout.splitlines()] == [
        repr(str(archive)) for archive in archives
    ]
    assert not list(out.iterdir())


@pytest.mark.parametrize("kind", [kind for kind in ARCHIVES if kind not in LARGE])
def test_a_hostile_archive_is_refused_in_one_line(kind: str, tmp_path: Path) -> None:
    out = tmp_path / "runs"
    with pytest.raises(RunError) as caught:
        import_run(ARCHIVES[kind](tmp_path / "gift.tar.gz"), out)
    assert "\n" not in str(caught.value)
    assert not out.exists() or not list(out.iterdir())


@pytest.mark.parametrize("run_id", IDS)
def test_a_run_has_a_plain_name(run_id: str, half: Path, tmp_path: Path) -> None:
    record = json.loads((half / "episode.json").read_text(encoding="utf-8"))
    content = json.dumps({**record, "run_id": run_id}).encode()
    archive = tar_of(tmp_path / "gift.tar.gz", ("run/episode.json", content))
    with pytest.raises(RunError, match="run_id"):
        import_run(archive, tmp_path / "runs")
    assert list((tmp_path / "runs").iterdir()) == []


def test_checkpoints_of_an_archive_are_its_own(half: Path, tmp_path: Path) -> None:
    record = json.loads((half / "episode.json").read_text(encoding="utf-8"))
    content = json.dumps({**record, "checkpoints": "postgresql://192.0.2.1/x"}).encode()
    archive = tar_of(tmp_path / "gift.tar.gz", ("run/episode.json", content))
    with pytest.raises(RunError, match="in a database"):
        import_run(archive, tmp_path / "runs")


@pytest.mark.slow
def test_a_trace_that_swells_is_not_read_whole(half: Path, tmp_path: Path) -> None:
    zeros = 100 * gzip.compress(bytes(3 * MEGABYTE))
    (half / "trace.0001.jsonl.gz").write_bytes(zeros)
    code = "from orchestrator.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "trace", "show", str(half)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (ROOM, ROOM)),
    )
    assert done.returncode == 2
    assert "unpacked" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_trace_with_damaged_parts_shows_the_rest(half: Path) -> None:
    trace = half / "trace.jsonl"
    content = trace.read_bytes()
    packed = gzip.compress(content[: len(content) // 2])
    (half / "trace.0001.jsonl.gz").write_bytes(packed[: len(packed) // 2])
    (half / "trace.0002.jsonl.gz").write_bytes(b"no gzip")
    deep = b'{"post": ' + b"[" * 100_000 + b"\n"
    odd = b'{"post": {}}\n{"post": 3}\n{"patch": {"id": []}}\n{"post": {"id": "x"}}\n[]\n'
    trace.write_bytes(deep + odd + b"\xff\xfe\n" + content)
    done = zork("trace", "show", str(half))
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert "trace.0002.jsonl.gz" in done.stderr


def test_removing_a_run_leaves_what_is_not_its_own(half: Path) -> None:
    (half / "notes.txt").write_text("mine", encoding="utf-8")
    (half / "more").mkdir()
    with pytest.raises(RunError, match=r"more, notes\.txt"):
        remove_run(RunDirectory(half))
    assert sorted(path.name for path in half.iterdir()) == ["more", "notes.txt"]


def test_what_a_run_leaves_in_passing_goes_with_it(half: Path) -> None:
    for name in ("checkpoints.sqlite-wal", "trace.pushed-0123456789ab.json", "episode.part"):
        (half / name).touch()
    remove_run(RunDirectory(half))
    assert not half.exists()


def test_an_exported_run_comes_back_whole(half: Path, tmp_path: Path) -> None:
    archive = tmp_path / "run.tar.gz"
    export_run(RunDirectory(half), archive)
    there = import_run(archive, tmp_path / "there")
    for name in ("episode.json", "transcript.txt", "trace.jsonl"):
        assert (there.path / name).read_bytes() == (half / name).read_bytes()
