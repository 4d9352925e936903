"""Exploration across episodes: more than one episode finds, and it holds with another seed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from managers.memory.archive import points_of
from orchestrator import memory
from orchestrator.batch import play_episodes
from orchestrator.errors import ConfigError
from orchestrator.evaluation.cells import Cell, resolved
from orchestrator.evaluation.grid import run_grid
from orchestrator.evaluation.playing import play_task
from orchestrator.evaluation.tables import learning, replaying
from orchestrator.memory import Subject
from orchestrator.series import Extent, play_series
from orchestrator.setup import Setup
from tests.playing import states_of


def play_cell(cell: Cell, out: Path) -> dict[str, Any]:
    return play_task(resolved(cell), out)


SHORT = ("explore.turns=30", "explore.bonus=10")


@pytest.fixture(scope="module")
def explored(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The row of an exploration of the treasure hunt."""
    cell = Cell("hollow", "explore", 2, 1000, SHORT, total_steps=450, replays=2)
    return play_cell(cell, tmp_path_factory.mktemp("bench"))


@pytest.mark.slow
def test_exploration_finds_more_than_its_first_episode(explored: dict[str, Any]) -> None:
    series = explored["series"]
    assert explored["best_score"] > series[0]["best_score"]
    assert sum(episode["turns"] for episode in series) >= 450
    assert "steps" not in series[0], "in rows these are what is allowed"
    assert "explored" in {episode["end_reason"] for episode in series}


@pytest.mark.slow
def test_what_was_explored_holds_with_seeds_never_seen(explored: dict[str, Any]) -> None:
    assert len(explored["replay_scores"]) == 2
    assert max(explored["replay_scores"]) >= explored["best_score"] / 2
    ((game, graph, scores),) = replaying([explored])
    assert (game, graph) == ("hollow", explored["graph"])
    assert scores.mean == sum(explored["replay_scores"]) / 2


@pytest.mark.slow
def test_all_episodes_of_an_exploration_have_the_emulators_seed(tmp_path: Path) -> None:
    setup = Setup.resolve("morning", graph="explore", settings=SHORT, seed=5, out=tmp_path)
    first, second = play_episodes(setup, 2)
    assert first["seed"] == second["seed"] == 5
    assert first["agent_seed"] != second["agent_seed"]
    learned = memory.load(Subject(setup.story.sha256, setup.config.name))
    sent = [point for point in points_of(learned["archive"]) if point.times]
    assert len(sent) == 1


@pytest.mark.slow
def test_a_series_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    setup = Setup.resolve("morning", graph="random", steps=4, out=tmp_path)
    assert len(play_series(setup, Extent(episodes=2), tmp_path)["series"]) == 2
    row = {**play_series(setup, Extent(episodes=4), tmp_path), **Extent(episodes=4)._asdict()}
    assert [one["steps"] for one in row["series"]] == [4] * 4
    (gain,) = learning([row])
    assert gain.turns.mean == 0


def test_only_what_explores_can_be_replayed(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="has no table"):
        play_cell(Cell("morning", "offline", 1, 4, episodes=2, replays=1), tmp_path)


@pytest.mark.slow
def test_an_exploring_episode_ends_after_its_turns_and_those_of_its_finds(tmp_path: Path) -> None:
    last = states_of("hollow", tmp_path, graph="explore", settings=SHORT, fresh=True)[-1]
    guide = last["memory"]["guide"]
    assert guide["finds"] > 0
    assert last["turn"] == guide["arrived"] + 30 + 10 * guide["finds"]


def test_a_results_file_without_an_ending_is_refused_before_anything_is_played(
    tmp_path: Path,
) -> None:
    with pytest.raises(ConfigError, match=r"rows.jsonl"):
        run_grid([Cell("workshop", "random", 1, 2)], tmp_path / "rows", 1)
    assert not list(tmp_path.iterdir())
