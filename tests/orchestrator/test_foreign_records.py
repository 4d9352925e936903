"""A run's record names no server: what it says of a database is not dialled by any command."""

from __future__ import annotations

import json
import shutil
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.command_line import zork


@pytest.fixture
def dialled() -> Iterator[tuple[int, list[bytes]]]:
    """A port, and what the first bytes were of each who came."""
    heard: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def listen() -> None:
            while True:
                try:
                    with server.accept()[0] as guest:
                        guest.settimeout(1)
                        heard.append(guest.recv(100))
                except OSError:
                    return

        threading.Thread(target=listen, daemon=True).start()
        yield server.getsockname()[1], heard
        server.shutdown(socket.SHUT_RDWR)


def gift(half: Path, out: Path, **changes: object) -> Path:
    """A run directory that somebody sent."""
    run = out / half.name
    shutil.copytree(half, run)
    record = json.loads((run / "episode.json").read_text(encoding="utf-8"))
    (run / "episode.json").write_text(json.dumps({**record, **changes}), encoding="utf-8")
    return run


ADDRESSES = (
    "postgresql://127.0.0.1:{port}/x?sslmode=disable",
    "host=127.0.0.1 port={port} dbname=x sslmode=disable",
    "postgres",
)


@pytest.mark.parametrize("form", ADDRESSES)
def test_no_command_dials_what_a_record_names(
    half: Path, tmp_path: Path, dialled: tuple[int, list[bytes]], form: str
) -> None:
    port, heard = dialled
    run = gift(half, tmp_path / "runs", checkpoints=form.format(port=port))
    out, page = ("--out", str(tmp_path / "runs")), str(tmp_path / "page.html")
    user = {"PGPASSWORD": "topsecret", "PGHOST": "127.0.0.1", "PGPORT": str(port), "PGUSER": "me"}
    asked = (
        ("runs", "show", run.name, *out),
        ("resume", str(run), "--steps", "1", *out),
        ("fork", str(run), "--steps", "1", *out),
        ("replay", str(run), *out),
        ("world", "show", str(run), *out),
        ("prompt", "show", "actor", "--run", str(run), "--turn", "1", *out),
        ("runs", "export", run.name, str(tmp_path / "run.tar.gz"), *out),
        ("runs", "rm", run.name, "--yes", *out),
    )
    for command in asked:
        done = zork(*command, **user)
        assert done.returncode == 2, (command, done)
        assert "ZORK_CHECKPOINTS" in done.stderr or command[0] == "prompt", (command, done)
        assert done.stderr.count("\n") == 1
    for command in (("runs", "list", *out), ("view", run.name, "--export", page, *out)):
        assert zork(*command, **user).returncode == 0, command
    assert heard == []
    assert run.is_dir()


def test_a_record_of_ones_own_holds_no_address(tmp_path: Path) -> None:
    pytest.importorskip("psycopg", reason="make install EXTRAS=postgres")
    address = "postgresql://me:topsecret@127.0.0.1:1/x"
    done = zork("play", "--steps", "1", "--out", str(tmp_path), "--checkpoints", address)
    assert done.returncode == 2
    assert "127.0.0.1" in done.stderr, "the user's own address is told"
    for path in tmp_path.rglob("episode.json"):
        record = path.read_text(encoding="utf-8")
        assert json.loads(record)["checkpoints"] == "postgres"
        assert "127.0.0.1" not in record
    assert "topsecret" not in done.stderr


def test_a_record_without_a_list_that_it_needs_is_refused_or_does_without(
    half: Path, tmp_path: Path
) -> None:
    run = gift(half, tmp_path / "seedless", emulator_seeds=[])
    for command in ("runs show", "resume", "replay", "play --from-recording"):
        done = zork(*command.split(), str(run))
        assert done.returncode == 2
        assert "episode.json': no record of a run that this program can read: " in done.stderr
    run = gift(half, tmp_path / "without", sessions=[])
    assert zork("resume", str(run), "--steps", "1", "--quiet").returncode == 0
    assert "from turn 12" in zork("runs", "show", str(run)).stdout
