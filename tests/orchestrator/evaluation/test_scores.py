"""The maximum is Jericho's where it knows the story, for evaluation alone; gains are beside it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from orchestrator import play
from orchestrator.evaluation.grid import run_grid
from orchestrator.evaluation.leaderboard import conditions, leaderboard
from orchestrator.evaluation.plan import planned
from orchestrator.evaluation.rows import Row
from orchestrator.evaluation.scores import area_of, share
from orchestrator.evaluation.tables import lines
from tests.command_line import zork
from tests.orchestrator.evaluation.inline import InlineEngine

StoryPath = Callable[[str], Path]


def rows_of(games: list[str], out: Path, **more: object) -> list[Row]:
    table = {"games": games, "graphs": "idle", "steps": 2, **more}
    return run_grid(planned(table, "test").cells(), out / "r.jsonl", 1, engine=InlineEngine).rows


def test_the_maximum_is_what_the_emulator_knows(story_path: StoryPath, tmp_path: Path) -> None:
    game = str(story_path("905.z5"))
    silent, own = rows_of([game, "workshop"], tmp_path)
    assert (silent["max_score"], silent["max_score_by"]) == (1, "jericho")
    assert (own["max_score"], own["max_score_by"]) == (10, "story")
    assert share(silent) == 0
    (place,) = leaderboard([silent, own])
    assert place.stories == 2
    assert "maximum: Jericho's for 905; the story's own for workshop" in conditions([silent, own])
    alone = play(game, graph="idle", steps=2, out=tmp_path / "runs", fresh=True)
    assert alone["max_score"] is None, "an episode is not told"


@pytest.mark.parametrize(("what", "part"), [("score", 36 / 350), ("gain", 0.0)])
def test_a_starting_score_is_no_gain(
    story_path: StoryPath, tmp_path: Path, what: str, part: float
) -> None:
    (row,) = rows_of([str(story_path("advent.z5"))], tmp_path, of_maximum=what)
    assert row["start_score"] == row["score"] == 36
    assert (row["score_share"], row["gain_share"]) == (36 / 350, 0)
    (line,) = lines([row])
    assert line.of_maximum == share(row) == part
    assert leaderboard([row])[0].mean.mean == area_of(row) == 100 * part
    told = zork("report", str(tmp_path / "r.jsonl"), "--markdown", "--gain").stdout
    assert "| idle | 1 | 1 | 0.0 |" in told
    assert "the gain over the starting score" in told
