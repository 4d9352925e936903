"""Episodes in a row with a memory of their own, which can be stopped and go on."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from agents.models.ledger import Ledger
from orchestrator.batch import go_on, steps_left
from orchestrator.config import overlaid
from orchestrator.episode import play_setup
from orchestrator.errors import ConfigError
from orchestrator.evaluation.poison import poison_store
from orchestrator.memory import Subject
from orchestrator.saved.runs import list_runs
from orchestrator.settings.models import counts
from orchestrator.setup import Setup

_KEPT = (
    *("run_id", "score", "best_score", "max_score", "steps", "deaths", "faults"),
    *("end_reason", "wall_s", "llm_calls", "prompt_tokens", "uncached_tokens"),
    *("completion_tokens", "roles"),
)
_SUMMED = (
    *("deaths", "faults", "wall_s", "llm_calls", "prompt_tokens", "uncached_tokens"),
    "completion_tokens",
)
_REPLAY = ("explore.rehearse=1",)
MOST_EPISODES = 1_000_000
_UNSEEN = MOST_EPISODES
"""Episode numbers from here on derive the seeds of replays."""


PlayOne = Callable[[Setup, int], dict[str, Any]]
"""Plays the episode of a number and returns its result."""


class Extent(NamedTuple):
    """How much is played."""

    episodes: int = 1
    total_steps: int | None = None
    """Commands; instead of a number of episodes."""
    replays: int = 0
    """Of the best trajectory in the end, each with a seed of the emulator never seen before."""
    poison: float = 0.0
    """So large a share of what is remembered is falsified before every episode but the first."""

    @property
    def several(self) -> bool:
        """Whether there is anything to remember."""
        return self.episodes > 1 or self.total_steps is not None


def play_series(
    setup: Setup, extent: Extent, folder: Path, play_one: PlayOne = play_setup
) -> dict[str, Any]:
    """Play what is missing of a series, and sum it up like one episode.

    An episode that is stopped or paused does not count, and ends it for now.

    Args:
        setup: of all episodes; its memory is in `folder`.
        extent: of the series.
        folder: where it is kept; the same folder goes on with the same series.
        play_one: plays each of them.

    Raises:
        ConfigError: replays are wanted of a graph that does not explore.
    """
    if extent.replays and setup.config.explore is None:
        raise ConfigError(f"--replays: the graph {setup.config.name!r} has no table [explore]")
    setup = replace(setup, out=folder / "runs", store=folder / "memory.sqlite", fresh=False)
    episodes = _Lines(folder / "episodes.jsonl")
    replays = _Lines(folder / "replays.jsonl")
    _tidy(setup.out, {row["run_id"] for row in [*episodes.rows, *replays.rows]})
    while go_on(episodes.rows, extent.episodes, extent.total_steps):
        left = steps_left(setup.steps, episodes.rows, extent.total_steps)
        number = len(episodes.rows) + 1
        if extent.poison and number > 1:
            _poison(setup, extent.poison, number)
        result = play_one(replace(setup, steps=left), number)
        if not episodes.took(result):
            return result
    while len(replays.rows) < extent.replays:
        number = len(replays.rows) + 1
        result = play_one(_replaying(setup), _UNSEEN + number)
        if not replays.took(result):
            return result
    record = setup.record(*setup.seeds(1))
    return {**record, **_summed(episodes.rows, replays.rows)}


def _poison(setup: Setup, share: float, number: int) -> None:
    """Falsify what the series remembers; an episode that goes on has its own copy."""
    if setup.store is not None and not list_runs(setup.out):
        subject = Subject(setup.story.sha256, setup.config.name)
        poison_store(setup.store, subject, share, setup.seed * MOST_EPISODES + number)


def _tidy(runs: Path, known: set[str]) -> None:
    """Remove the runs of episodes that are written down; a kill came in between."""
    for name in known:
        shutil.rmtree(runs / name, ignore_errors=True)


def _replaying(setup: Setup) -> Setup:
    """The setup in which the best trajectory is followed once more, with a copy of the memory."""
    if setup.store is None or not setup.store.is_file():
        raise ConfigError("--replays: nothing was explored before")
    copy = setup.store.with_name("replay.sqlite")
    shutil.copyfile(setup.store, copy)
    config = overlaid(setup.config.table, settings=_REPLAY)
    return replace(setup, config=config, store=copy)


def _summed(episodes: list[dict[str, Any]], replays: list[dict[str, Any]]) -> dict[str, Any]:
    count = len(episodes)
    sums = {name: sum(row.get(name, 0) for row in episodes) for name in _SUMMED}
    return {
        **episodes[-1],
        "score": round(sum(row["score"] for row in episodes) / count, 2),
        "best_score": max(row["best_score"] for row in episodes),
        **sums,
        "roles": _of_all(episodes),
        "series": episodes,
        "replay_scores": [row["score"] for row in replays],
    }


def _of_all(episodes: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """What each role cost in all of them."""
    ledger = Ledger()
    for row in episodes:
        ledger.add_sums(row.get("roles", {}))
    return counts(ledger, sum(row["steps"] for row in episodes))


class _Lines:
    """Rows in a file, one a line; a line that was cut off does not count."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.rows: list[dict[str, Any]] = []
        if path.is_file():
            content = path.read_bytes()
            whole = content.rfind(b"\n") + 1
            os.truncate(path, whole)
            self.rows = [json.loads(line) for line in content[:whole].splitlines()]

    def took(self, result: Mapping[str, Any]) -> bool:
        """Write down the figures of an episode, and remove its run; False if it broke off."""
        if result["end_reason"] in ("stopped", "paused"):
            return False
        self._add({name: result[name] for name in (*_KEPT, "curve") if name in result})
        shutil.rmtree(result["run_dir"])
        return True

    def _add(self, row: Mapping[str, Any]) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
        self.rows.append(dict(row))
