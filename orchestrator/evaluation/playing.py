"""Playing one cell, from where an earlier process left it."""

from __future__ import annotations

import shutil
import sqlite3
import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from agents.models import ModelConfig
from environments.plain_files import OddFile
from orchestrator.checkpoints.saver import Keep
from orchestrator.episode import Episode, open_episode
from orchestrator.errors import RunError, RunInUseError
from orchestrator.evaluation.achievements import AchievementWatcher
from orchestrator.evaluation.cells import Task
from orchestrator.evaluation.curves import CurveWriter, curve_of
from orchestrator.evaluation.knowledge import critic_curve
from orchestrator.evaluation.scores import joined, maximum, shares, start
from orchestrator.evaluation.turns import TurnCounter
from orchestrator.events import EpisodeStarted, Event, TurnPlayed
from orchestrator.resume import open_resumed
from orchestrator.saved.restore import check_versions
from orchestrator.saved.runs import RunDirectory, list_runs, versions
from orchestrator.series import play_series
from orchestrator.settings.models import DEFAULT
from orchestrator.setup import Setup

PATIENCE_S = 60
"""So long a cell waits for the end of whoever plays it already."""
BROKEN_OFF = ("stopped", "paused", "error")
"""Reasons to end with which an episode has no figures yet."""


def play_task(task: Task, out: Path) -> dict[str, Any]:
    """One cell's row: its coordinates, the episode's result and the versions.

    `steps` is how many were allowed, `turns` how many were played. What an earlier process
    began in the cell's folder goes on from its last checkpoint.

    Raises:
        RunError: it broke off, because a model gave no answer or for another reason.
        KeyboardInterrupt: somebody stopped it.
    """
    cell, folder = task.cell, out / task.folder
    # Whoever resolved the cell has allowed what its graph names.
    options: dict[str, Any] = {"checkpoints": True, "trust": True}
    options |= {"keep": Keep() if cell.trace else Keep("last", 1)}
    options |= {"trace": cell.trace or bool(task.servers)}
    setup = _paced(cell.setup(folder, **options), task.pace)
    achieved = AchievementWatcher(setup.story, folder)
    setup = replace(setup, watchers=(*setup.watchers, TurnCounter(folder), achieved))
    if cell.extent.several:
        result = play_series(setup, cell.extent, folder, play_on)
    else:
        result = play_on(setup, 1)
    if result["end_reason"] == "stopped":
        raise KeyboardInterrupt
    if result["end_reason"] in BROKEN_OFF:
        raise RunError(result.get("outage") or f"it ended as {result['end_reason']}")
    if cell.extent.several:
        result["curve"] = joined([episode["curve"] for episode in result["series"]])
        result["series"] = [_as_row(episode) for episode in result["series"]]
    row = {
        **_as_row(result),
        **maximum(setup.story, result["max_score"]),
        **task.key._asdict(),
        "game": cell.game,
        "graph": task.graph,
        "settings": list(cell.settings),
        "protocol": cell.protocol,
        "counts": cell.counts,
        "of_maximum": cell.of_maximum,
        "steps": cell.steps,
        "cost": result["curve"][-1][-1],
        **achieved.row,
        "cell": asdict(cell),
        "versions": versions(),
    }
    return {**row, "start_score": start(row), **shares(row)}


def _as_row(result: Mapping[str, Any]) -> dict[str, Any]:
    """An episode's result in the words of rows: `turns` were played, `steps` are allowed."""
    kept = {name: value for name, value in result.items() if name not in ("steps", "max_steps")}
    return {**kept, "turns": result["steps"]}


def _paced(setup: Setup, pace: int | None) -> Setup:
    """The setup with its models kept to so many tokens a minute."""
    if pace is None:
        return setup
    models = {DEFAULT: ModelConfig(), **setup.config.models}
    slower = {
        name: one.model_copy(update={"tokens_per_minute": pace}) for name, one in models.items()
    }
    return replace(setup, config=setup.config.model_copy(update={"models": slower}))


def play_on(setup: Setup, number: int = 1) -> dict[str, Any]:
    """The result of an episode in its folder, which another process may have begun or ended."""
    setup.out.mkdir(parents=True, exist_ok=True)
    curve = setup.out / "curve.jsonl"
    result = _earlier(setup, curve)
    if result is None:
        with open_episode(_watched(setup, curve), number) as episode:
            result = _played(episode)
    return {**result, "curve": [list(point) for point in curve_of(result, curve)]}


def _earlier(setup: Setup, curve: Path) -> dict[str, Any] | None:
    """What comes of an episode that was begun before; None where there is none to go on with.

    What cannot go on is removed; a run that somebody plays, that breaks off, or that a full disk or
    the like keeps from being opened now, stays.
    """
    for run in list_runs(setup.out):
        with ExitStack() as stack:
            try:
                _wait_for_whoever_plays(run)
                record = run.record()
                check_versions(record)
                if run.status(record) not in ("killed", *BROKEN_OFF):
                    return {**record.header(), **record.results()}
                watched = _watched(setup, curve)
                options = {name: getattr(watched, name) for name in _OURS}
                episode = stack.enter_context(open_resumed(run, **options))
            except RunError as error:
                if isinstance(error, RunInUseError) or _passes(error):
                    raise
                shutil.rmtree(run.path)
                continue
            return _played(episode)
    return None


def _passes(error: RunError) -> bool:
    """It is no fault of the run's own files, but of the disk or the machine they are on."""
    cause = error.__cause__
    own = isinstance(cause, FileNotFoundError | OddFile)
    return isinstance(cause, OSError | sqlite3.OperationalError) and not own


def _wait_for_whoever_plays(run: RunDirectory) -> None:
    """A worker whose node or driver has died may live a little longer than it.

    Raises:
        RunInUseError: it does not end.
    """
    until = time.monotonic() + PATIENCE_S
    while run.status(run.record()) == "playing":
        if time.monotonic() > until:
            raise RunInUseError(f"{str(run.path)!r}: another process is playing this run")
        time.sleep(0.2)


_OURS = ("watchers", "store", "cache", "trace")
"""What a run does not tell of its setup."""


def _watched(setup: Setup, curve: Path) -> Setup:
    return replace(setup, watchers=(*setup.watchers, CurveWriter(curve)))


def _played(episode: Episode) -> dict[str, Any]:
    last = LastState()
    episode.setup = replace(episode.setup, watchers=(*episode.setup.watchers, last))
    for watcher in episode.setup.watchers:
        if isinstance(watcher, CurveWriter):
            watcher.ledger = episode.context.models.ledger
    return {**episode.play(), "critic": critic_curve(last.state)}


class LastState:
    """Watches an episode and knows its last state."""

    def __init__(self) -> None:
        self.state: Mapping[str, Any] = {}

    def __call__(self, event: Event) -> None:
        match event:
            case EpisodeStarted(state=state) | TurnPlayed(after=state):
                self.state = state
