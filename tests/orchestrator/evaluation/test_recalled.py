"""What a model knows of a story without playing it, as a row beside those that play."""

from __future__ import annotations

import json
from pathlib import Path

from orchestrator import play
from orchestrator.evaluation.grid import run_grid
from orchestrator.evaluation.plan import planned
from orchestrator.resume import resume
from tests.orchestrator.evaluation.inline import InlineEngine

WALKTHROUGH = Path(__file__).parents[3] / "game_files" / "workshop.walkthrough.txt"


def script(folder: Path, *answers: str) -> str:
    """A model that answers so; asked once more it has nothing to say."""
    file = folder / "answers.json"
    file.write_text(json.dumps(answers), encoding="utf-8")
    return f"embedded:answers:{file}"


def recalled() -> str:
    """The walkthrough as a model writes it: with numbers, and with a command that is refused."""
    commands = ["frobnicate", *WALKTHROUGH.read_text(encoding="utf-8").split("\n")]
    return "\n".join(f"{n}. {command}" for n, command in enumerate(filter(None, commands), 1))


def test_a_model_that_knows_the_walkthrough_is_asked_once_and_wins(tmp_path: Path) -> None:
    model = script(tmp_path, recalled())
    options = {"graph": "recalled", "model": model, "fresh": True, "cache": False}
    result = play("workshop", steps=40, out=tmp_path / "whole", **options)
    assert (result["end_reason"], result["llm_calls"]) == ("won", 1)
    half = play("workshop", steps=4, out=tmp_path / "half", **options)
    again = resume(half["run_dir"], steps=36, cache=False)
    assert (again["end_reason"], again["llm_calls"]) == ("won", 1)


def test_who_recalls_nothing_has_a_row_without_points(tmp_path: Path) -> None:
    table = {"games": ["workshop"], "graphs": ["recalled"], "models": [script(tmp_path, "none")]}
    cells = planned({**table, "steps": 5}, "test").cells()
    (row,) = run_grid(cells, tmp_path / "rows.jsonl", 1, engine=InlineEngine, trust=True).rows
    assert (row["score"], row["turns"], row["end_reason"]) == (0, 0, "player_left")
