"""A row is played again and matches, or what differs is named."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from orchestrator.cli import stopping
from orchestrator.cli.main import make_app
from orchestrator.errors import RunError
from orchestrator.evaluation.grid import run_grid
from orchestrator.evaluation.plan import EvaluationPlan
from orchestrator.evaluation.reproduce import find_row, reproduce
from orchestrator.evaluation.rows import read_rows
from orchestrator.evaluation.turns import TurnCounter
from tests.command_line import zork
from tests.orchestrator.evaluation.inline import InlineEngine


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An episode, a variant of it, and a series."""
    out = tmp_path_factory.mktemp("bench") / "rows.jsonl"
    variant = {"name": "no chains", "graph": "offline", "set": ["skills.plans.chaining=false"]}
    plan = EvaluationPlan.model_validate(
        {"games": "workshop", "graphs": ["random", variant], "steps": 4, "episodes": [1, 2]}
    )
    run_grid(plan.cells(), out, 1, engine=InlineEngine)
    return out


@pytest.mark.slow
def test_every_row_comes_out_the_same(results: Path, tmp_path: Path) -> None:
    for number, row in enumerate(read_rows(results), start=1):
        found = reproduce(find_row(f"{results}#{number}"), tmp_path / str(number))
        assert (found.differing, found.versions, found.exact) == ([], [], True)
        assert found.again["curve"] == row["curve"]


@pytest.mark.slow
def test_what_differs_is_named(results: Path, tmp_path: Path) -> None:
    row = {**read_rows(results)[0], "score": 77, "versions": {"code": "older"}}
    file = tmp_path / "other.jsonl"
    file.write_text(json.dumps(row) + "\n", encoding="utf-8")
    ran = CliRunner().invoke(make_app(), ["reproduce", f"{file}#1"])
    assert ran.exit_code == 1
    assert "score: 77 in the row" in ran.stdout
    assert "another version: code older ->" in ran.stdout
    same = CliRunner().invoke(make_app(), ["reproduce", f"{results}#1"])
    assert same.exit_code == 0
    assert same.stdout.startswith("the same: score")


@pytest.fixture
def heeded() -> Iterator[None]:
    """SIGINT counts, though whoever runs the tests may have it ignored, as in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("heeded")
def test_who_stops_it_is_told_so_by_the_status(
    results: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number, status in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
        with monkeypatch.context() as patch:
            patch.setattr(stopping, "_last", [])
            patch.setattr(
                TurnCounter, "__call__", lambda *_, sent=number: signal.raise_signal(sent)
            )
            done = zork("reproduce", f"{results}#1")
        assert (done.returncode, done.stdout, done.stderr) == (status, "", "")
    # A command that begins lets models be called again.
    assert zork("--version").returncode == 0


def test_what_cannot_be_played_again_is_one_line(results: Path, tmp_path: Path) -> None:
    with pytest.raises(RunError, match="rows 1 to 4, no row 5"):
        find_row(f"{results}#5")
    with pytest.raises(RunError, match="expected RESULTS#ROW"):
        find_row(str(results))
    row = read_rows(results)[0]
    with pytest.raises(RunError, match="it was changed since"):
        reproduce({**row, "graph_id": "0" * 12}, tmp_path)
    with pytest.raises(RunError, match="say where it is: --game"):
        reproduce({**row, "story_sha256": "0" * 64}, tmp_path)
    for game in ("morning", "nowhere.z5"):
        with pytest.raises(RunError, match=f"is not what --game '{game}' names"):
            reproduce(row, tmp_path, game)
