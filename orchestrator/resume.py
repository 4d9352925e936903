"""Playing on where a run stands: after a crash, a kill, a pause, or for more steps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from langgraph.types import StateSnapshot

from orchestrator.config import listed
from orchestrator.episode import Episode, recorded, recorded_memory, started
from orchestrator.saved.record import Record
from orchestrator.saved.restore import check_versions, limit, recorded_setup, standing
from orchestrator.saved.runs import RUNS, RunDirectory, new_session, versions


def resume(
    run: str | Path,
    *,
    steps: int | None = None,
    game: str | None = None,
    out: str | Path = RUNS,
    any_version: bool = False,
    trust: bool = False,
    settings: Sequence[str] = (),
    **options: Any,
) -> dict[str, Any]:
    """Play a run on from its last checkpoint and return its result.

    Args:
        run: id of a run under `out`, or its directory.
        steps: so many turns more; by default up to the run's own limit.
        game: where its story lies, if neither there nor in the catalog any more.
        out: where runs are looked for.
        any_version: play on though the versions that influence play are others.
        trust: allow the code and the servers that its config names, from now on.
        settings: KEY=VALUE texts for `models`: secrets, which no run keeps.
        options: `watchers` and the like, as for `Setup`.

    Raises:
        ConfigError: it wants what is not trusted, or secrets that were not given.
        RunError: it cannot be restored, or there is nothing left to play.
        GameError: its story is not found.
    """
    directory = RunDirectory.find(run, out)
    allowed: dict[str, Any] = {
        "any_version": any_version,
        "trust": trust,
        "settings": listed(settings),
    }
    with open_resumed(directory, steps, game, **allowed, **options) as episode:
        return episode.play()


@contextmanager
def open_resumed(
    run: RunDirectory,
    steps: int | None = None,
    game: str | None = None,
    *,
    any_version: bool = False,
    **options: Any,
) -> Iterator[Episode]:
    """The episode of a run, ready to play on; the run is locked meanwhile."""
    with run.locked():
        run.check_own()
        record = run.record()
        if not any_version:
            check_versions(record)
        setup = recorded_setup(record, game, out=run.path.parent, **options)
        stand = standing(run, record)
        killed = record.status == "running" and steps is None
        # A run killed after its last turn has no result yet.
        most = record.max_steps if killed else limit(run, record, stand, steps)
        setup = replace(setup, steps=most)
        with started(setup, record.seed, record.agent_seed, recorded_memory(run, record)) as (
            context,
            crew,
        ):
            run.write_episode(continued(run, record, stand, setup.steps))
            with recorded(setup, context, crew, run) as episode:
                episode.spent_before(stand.metadata or {})
                yield episode


def continued(
    run: RunDirectory, record: Record, stand: StateSnapshot, max_steps: int
) -> dict[str, Any]:
    """The record with one session more; a killed one lasted until its last checkpoint."""
    header = record.header()
    last = record.sessions[-1] if record.sessions else None
    if last and last.wall_s is None and stand.created_at:
        seconds = (datetime.fromisoformat(stand.created_at) - last.started).total_seconds()
        header["sessions"][-1]["wall_s"] = round(max(0.0, seconds), 3)
    header["sessions"].append(new_session(stand.values.get("turn", 0)))
    return {
        **header,
        "run_dir": str(run.path),
        "versions": versions(),
        "max_steps": max_steps,
        "status": "running",
    }
