"""Episodes in a row with a memory of their own, which can be stopped and go on."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from orchestrator.batch import go_on
from orchestrator.config import overlaid
from orchestrator.episode import play_setup
from orchestrator.errors import ConfigError
from orchestrator.setup import Setup

_KEPT = ("score", "best_score", "max_score", "steps", "deaths", "faults", "end_reason", "wall_s")
_REPLAY = ("explore.rehearse=1",)
_UNSEEN = 1_000_000
"""Episode numbers from here on derive the seeds of replays."""


class Extent(NamedTuple):
    """How much is played."""

    episodes: int = 1
    total_steps: int | None = None
    """Commands; instead of a number of episodes."""
    replays: int = 0
    """Of the best trajectory in the end, each with a seed of the emulator never seen before."""

    @property
    def several(self) -> bool:
        """Whether there is anything to remember."""
        return self.episodes > 1 or self.total_steps is not None


def play_series(setup: Setup, extent: Extent, folder: Path) -> dict[str, Any]:
    """Play what is missing of a series, and sum it up like one episode.

    An episode that is stopped or paused does not count, and ends it for now.

    Args:
        setup: of all episodes; its memory is in `folder`.
        extent: of the series.
        folder: where it is kept; the same folder goes on with the same series.

    Raises:
        ConfigError: replays are wanted of a graph that does not explore.
    """
    if extent.replays and setup.config.explore is None:
        raise ConfigError(f"--replays: the graph {setup.config.name!r} has no table [explore]")
    setup = replace(setup, out=folder / "runs", store=folder / "memory.sqlite", fresh=False)
    episodes = _Lines(folder / "episodes.jsonl")
    while go_on(episodes.rows, extent.episodes, extent.total_steps):
        row = _played(setup, len(episodes.rows) + 1)
        if row["end_reason"] in ("stopped", "paused"):
            return row
        episodes.add(row)
    replays = _Lines(folder / "replays.jsonl")
    while len(replays.rows) < extent.replays:
        row = _replayed(setup, len(replays.rows) + 1)
        if row["end_reason"] in ("stopped", "paused"):
            return row
        replays.add(row)
    return _summed(episodes.rows, replays.rows)


def _played(setup: Setup, number: int) -> dict[str, Any]:
    """One episode, of which only figures are kept."""
    result = play_setup(setup, number)
    shutil.rmtree(result["run_dir"])
    return {name: result[name] for name in _KEPT}


def _replayed(setup: Setup, number: int) -> dict[str, Any]:
    """The best trajectory followed once more, with a copy of the memory."""
    if setup.store is None or not setup.store.is_file():
        raise ConfigError("--replays: nothing was explored before")
    copy = setup.store.with_name("replay.sqlite")
    shutil.copyfile(setup.store, copy)
    config = overlaid(setup.config.model_dump(mode="json"), settings=_REPLAY)
    return _played(replace(setup, config=config, store=copy), _UNSEEN + number)


def _summed(episodes: list[dict[str, Any]], replays: list[dict[str, Any]]) -> dict[str, Any]:
    count = len(episodes)
    sums = {name: sum(row[name] for row in episodes) for name in ("deaths", "faults", "wall_s")}
    return {
        **episodes[-1],
        "score": round(sum(row["score"] for row in episodes) / count, 2),
        "best_score": max(row["best_score"] for row in episodes),
        **sums,
        "series": episodes,
        "replay_scores": [row["score"] for row in replays],
    }


class _Lines:
    """Rows in a file, one a line; a line that was cut off does not count."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.rows: list[dict[str, Any]] = []
        if path.is_file():
            lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
            self.rows = [json.loads(line) for line in lines if line.endswith("\n")]

    def add(self, row: Mapping[str, Any]) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
        self.rows.append(dict(row))
