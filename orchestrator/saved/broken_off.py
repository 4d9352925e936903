"""What becomes of a run in which an error is raised."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from orchestrator.errors import SAVED
from orchestrator.saved.runs import RunDirectory


@contextmanager
def only_if_begun(run: RunDirectory) -> Iterator[None]:
    """Remove the directory of a run that broke off before its story was opened."""
    try:
        yield
    except Exception:
        if not _has_begun(run):
            shutil.rmtree(run.path)
        raise


@contextmanager
def telling_the_way_on(run: RunDirectory) -> Iterator[None]:
    """Note on an error how to play on what was played before."""
    try:
        yield
    except Exception as error:
        if _has_begun(run):
            error.add_note(f"{SAVED}mend it, then {run.way_on}")
        raise


def _has_begun(run: RunDirectory) -> bool:
    return run.transcript.exists() and run.transcript.stat().st_size > 0
