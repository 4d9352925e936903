"""Finds the child process that serves a real model on this machine."""

from __future__ import annotations

import time
from pathlib import Path


def server_of(home: Path) -> int | None:
    """The process that serves the models of a home of its own."""
    for path in Path("/proc").glob("[0-9]*/fd"):
        try:
            files = [str(link.readlink()) for link in path.iterdir()]
        except OSError:
            continue
        if any(file.startswith(str(home)) and file.endswith("/alive") for file in files):
            return int(path.parent.name)
    return None


def ends(home: Path, seconds: float = 10.0) -> bool:
    """Whether that process is gone within so many seconds."""
    deadline = time.monotonic() + seconds
    while server_of(home) and time.monotonic() < deadline:
        time.sleep(0.1)
    return server_of(home) is None
