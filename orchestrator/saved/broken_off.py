"""What becomes of a run in which an error is raised."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from orchestrator.checkpoints.opening import delete_turns
from orchestrator.errors import SAVED, RunError
from orchestrator.saved.runs import RunDirectory


@contextmanager
def only_if_begun(run: RunDirectory, database: str = "") -> Iterator[None]:
    """Remove a run that broke off before its story was opened; `database` has its checkpoints."""
    try:
        yield
    except Exception:
        if not run.has_begun:
            with suppress(RunError):
                delete_turns(run, run.record(), database)
            shutil.rmtree(run.path)
        raise


@contextmanager
def telling_the_way_on(run: RunDirectory) -> Iterator[None]:
    """Note on an error how to play on what was played before."""
    try:
        yield
    except Exception as error:
        if run.has_begun:
            error.add_note(f"{SAVED}mend it, then {run.way_on}")
        raise
