"""Comparisons pair cell by cell, name what cannot be paired, and err as often as they say."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from environments.catalog import find_story
from orchestrator import memory, play
from orchestrator.config import load_config
from orchestrator.errors import ConfigError, RunError
from orchestrator.evaluation import charts
from orchestrator.evaluation.compare import (
    compare,
    compare_unpaired,
    compare_with_first,
    levels,
)
from orchestrator.evaluation.grid import run_grid
from orchestrator.evaluation.plan import EvaluationPlan
from orchestrator.evaluation.scores import agreed
from orchestrator.evaluation.tables import lines, telling
from orchestrator.memory import Subject
from tests.orchestrator.evaluation.inline import InlineEngine

needs_matplotlib = pytest.mark.skipif(
    importlib.util.find_spec("matplotlib") is None,
    reason="matplotlib is not installed (make install EXTRAS=pictures)",
)


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """Two graphs on two stories."""
    plan = EvaluationPlan(
        games=("workshop", "morning"), graphs=("offline", "random"), seeds=(1, 2), steps=(6,)
    )
    return run_grid(
        plan.cells(), tmp_path_factory.mktemp("bench") / "rows.jsonl", 1, engine=InlineEngine
    ).rows


def test_a_file_against_itself_is_exactly_nothing(rows: list[dict[str, Any]]) -> None:
    found = compare(rows, rows)
    assert [line.score.mean for line in [*found.stories, found.overall]] == [0] * 3
    assert found.improvement.mean == 0.5
    assert not found.unpaired
    assert found.chance.p == 1
    assert found.cells == len(rows)
    assert [len(line.pairs) for line in found.stories] == [2, 2]


def test_one_file_is_compared_by_graph(rows: list[dict[str, Any]]) -> None:
    found = levels(rows, "graph")
    assert list(found) == ["offline", "random"]
    comparison = compare(*found.values(), "graph")
    for line, game in zip(comparison.stories, ("workshop", "morning"), strict=True):
        scores = {
            name: [row["score"] for row in own if row["story"] == game]
            for name, own in found.items()
        }
        assert line.game == game
        assert line.score.mean == np.mean(scores["random"]) - np.mean(scores["offline"])
    assert comparison.overall.score.mean == np.mean(
        [line.score.mean for line in comparison.stories]
    )


def test_a_graph_without_a_model_is_compared_with_each_model(
    rows: list[dict[str, Any]],
) -> None:
    models = ("embedded:answers:one", "embedded:answers:two")
    asking = [
        {
            **row,
            "graph": model,
            "config": {**row["config"], "models": {"default": {"model": model}}},
        }
        for row in rows
        if row["graph"] == "random"
        for model in models
    ]
    plain = [row for row in rows if row["graph"] == "offline"]
    found, faults = compare_with_first([*plain, *asking], "graph")
    assert [(one.first, one.second, one.cells) for one in found] == [
        ("offline", model, len(plain)) for model in models
    ]
    assert not faults
    other = [{**row, "graph": "words", "access": ["text", "words"]} for row in plain]
    found, faults = compare_with_first([*plain, *asking, *other], "graph")
    assert len(found) == len(models)
    assert "access" in faults[0]


def test_two_files_of_one_graph_each_are_compared_by_graph(rows: list[dict[str, Any]]) -> None:
    offline, random = levels(rows, "graph").values()
    assert compare(offline, random) == compare(offline, random, "graph")


def test_what_cannot_be_paired_is_named(rows: list[dict[str, Any]]) -> None:
    found = compare(rows, rows[1:], names=("a", "b"))
    assert found.unpaired == ["workshop offline seed 1, 6 steps, only in a"]
    first, second = ([row for row in rows if row["seed"] == seed] for seed in (1, 2))
    with pytest.raises(RunError, match=r"differ in seed \(1 against 2\).*--unpaired"):
        compare(first, second)
    workshop, morning = (
        [row for row in rows if row["story"] == s] for s in ("workshop", "morning")
    )
    with pytest.raises(RunError, match="differ in story"):
        compare(workshop, morning)
    with pytest.raises(RunError, match="cannot be told apart"):
        compare([*rows, rows[0]], rows)
    with pytest.raises(RunError, match="has no rows"):
        compare([], rows)
    with pytest.raises(ConfigError, match="did you mean 'graph'"):
        compare(rows, rows, "grap")
    with pytest.raises(RunError, match="all rows have the same one"):
        levels(rows, "access")


@pytest.mark.slow
def test_two_halves_of_the_same_are_seldom_different(rows: list[dict[str, Any]]) -> None:
    """The scores are drawn, the rows are real ones."""
    rng = np.random.default_rng(7)
    splits, different = 400, 0
    for _ in range(splits):
        halves = [
            [
                {**row, "seed": 9 * row["seed"] + n, "score": int(rng.poisson(4))}
                for row in rows
                for n in range(5)
            ]
            for _ in "ab"
        ]
        different += compare_unpaired(*halves).chance.p < 0.05
    assert different / splits < 0.07


def test_a_maximum_that_one_of_the_files_tells_is_known(rows: list[dict[str, Any]]) -> None:
    own = [row for row in rows if row["graph"] == "offline" and row["story"] == "workshop"]
    silent = [{**row, "max_score": None} for row in own]
    for first, second in ((own, silent), (silent, own)):
        found = compare(first, second)
        assert (found.share is None, found.unknown) == (False, [])


def test_two_stories_of_one_name_stay_two(rows: list[dict[str, Any]]) -> None:
    """As two releases of a file that is called the same."""
    own = agreed({**row, "story": "zork1"} for row in rows if row["graph"] == "random")
    assert len({row["story"] for row in own}) == 2
    assert all(row["story"] == f"zork1 ({row['story_sha256'][:6]})" for row in own)
    assert len(compare(own, own).stories) == 2
    assert agreed(rows) == rows


@needs_matplotlib
def test_differences_are_drawn_in_one_unit(rows: list[dict[str, Any]]) -> None:
    """In points where no share of the maximum is known of one of the graphs."""
    graphs = levels(rows, "graph")
    known = compare(graphs["offline"], graphs["random"], "graph")
    points = known._replace(share=None)
    assert known.share is not None
    drawn = [charts.differences([one, points]) for one in (known, points)]
    assert drawn[0] == drawn[1]


def test_a_difference_that_is_there_is_found(rows: list[dict[str, Any]]) -> None:
    offline, random = levels(rows, "graph").values()
    found = compare(offline, [{**row, "score": 0} for row in random])
    assert found.overall.score.mean == -np.mean([row["score"] for row in offline])
    random = [{**row, "seed": 9 * row["seed"] + n} for row in random for n in range(5)]
    better = [{**row, "score": row["score"] + 5} for row in random]
    assert compare_unpaired(random, better).overall.score.excludes_zero
    assert compare_unpaired(random, better).chance.p < 0.01


def test_rows_of_other_versions_of_the_code_are_paired(
    rows: list[dict[str, Any]], tmp_path: Path
) -> None:
    older = [{**row, "versions": {"code": "older"}} for row in rows]
    assert compare(older, rows).overall.score.mean == 0


def test_a_variant_has_a_memory_of_its_own(tmp_path: Path) -> None:
    varied = {"settings": ("skills.plans.chaining=false",)}
    for options in ({}, varied, {"settings": ("skills.plans.chaining=false", "name=offline")}):
        play("workshop", steps=2, out=tmp_path, fresh=False, **options)
    sha256 = find_story("workshop").sha256
    names = ["offline", load_config(settings=varied["settings"]).name]
    runs = [memory.load(Subject(sha256, name))["runs"] for name in names]
    assert [len(one) for one in runs] == [2, 1]


def test_the_table_has_the_columns_that_say_something(rows: list[dict[str, Any]]) -> None:
    same = [{**row, "best_score": row["score"]} for row in rows]
    titles = [column.title for column in telling(lines(same))]
    assert titles == ["game", "graph", "n", "score", "median", "of max", "deaths", "s/episode"]
    asked = [{**row, "llm_calls": 9, "prompt_tokens": 8, "uncached_tokens": 7} for row in same]
    more = [column.title for column in telling(lines(asked))]
    assert more == [*titles[:-1], "calls", "tokens", "uncached", "s/episode"]
    asked = [{**same[0], "prompt_tokens": 7, "cost": 0.1, "best_score": 10}, *same[1:]]
    more = {column.title for column in telling(lines(asked))} - set(titles)
    assert more == {"best", "tokens", "cost"}
