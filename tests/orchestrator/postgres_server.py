"""A PostgreSQL server of the tests' own, in a temporary directory, reached by a socket."""

from __future__ import annotations

import importlib.util
import os
import pwd
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

DEBIAN = Path("/usr/lib/postgresql")
STARTING_S = 60


def missing() -> str:
    """Why there can be no server, empty if there can."""
    if importlib.util.find_spec("psycopg") is None:
        return "psycopg is not installed (make install EXTRAS=postgres)"
    if programs() is None:
        return "no PostgreSQL server programs (apt-get install postgresql)"
    if os.geteuid() == 0 and owner() is None:
        return "PostgreSQL does not run as root, and there is no user postgres or nobody"
    return ""


def programs() -> Path | None:
    """Where initdb and postgres are."""
    found = shutil.which("initdb")
    places = [Path(found).resolve()] if found else sorted(DEBIAN.glob("*/bin/initdb"))
    return places[-1].parent if places else None


def owner() -> str | None:
    """Whom the server runs as, if not as ourselves."""
    known = {entry.pw_name for entry in pwd.getpwall()}
    return next((name for name in ("postgres", "nobody") if name in known), None)


@contextmanager
def server() -> Iterator[str]:
    """Start a server and yield the address of an empty database."""
    folder = programs()
    assert folder is not None
    user = owner() if os.geteuid() == 0 else None
    with tempfile.TemporaryDirectory(prefix="pg") as name:
        home = Path(name)
        if user:
            shutil.chown(home, user)
        data = home / "data"
        initdb = [folder / "initdb", "-D", data, "-U", "zork", "-A", "trust", "-E", "UTF8", "-N"]
        subprocess.run(initdb, check=True, capture_output=True, user=user, cwd=home)
        options = [f"-k{home}", "-clisten_addresses=", "-cfsync=off"]
        with (home / "log").open("wb") as log:
            process = subprocess.Popen(
                [folder / "postgres", "-D", data, *options],
                stdout=log, stderr=log, user=user, cwd=home,
            )  # fmt: skip
        try:
            _wait(folder, home, process)
            yield f"host={home} user=zork dbname=postgres"
        finally:
            process.terminate()
            process.wait()


def _wait(folder: Path, home: Path, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + STARTING_S
    while subprocess.run([folder / "pg_isready", "-q", "-h", home], check=False).returncode:
        if process.poll() is not None or time.monotonic() > until:
            raise RuntimeError((home / "log").read_text(encoding="utf-8"))
        time.sleep(0.1)
