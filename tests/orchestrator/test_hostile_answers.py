"""Whatever a model says, the run goes on, and what was said can be stored and shown."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from orchestrator import play
from orchestrator.fork import fork
from orchestrator.resume import resume
from orchestrator.traces.reader import read_trace
from testing.fake_ollama.hostile import SELF

HOSTILE = [
    f"models.default.model=embedded:function:{SELF}",
    "models.default.max_tokens=100000",
    "models.default.num_ctx=200000",
    "nodes.objective_manager.news=0",
    "nodes.oracle.use=llm",
    "nodes.oracle.price=0",
]


@pytest.mark.slow
@pytest.mark.parametrize(
    "settings", [[], ["nodes.actor.tools=true", "nodes.critic.use=llm", "nodes.critic.tools=true"]]
)
def test_a_run_outlives_its_model(settings: list[str], tmp_path: Path) -> None:
    options: dict[str, Any] = {"out": tmp_path, "fresh": True}
    result = play("workshop", graph="llm", settings=[*HOSTILE, *settings], steps=12, **options)
    assert (result["end_reason"], result["steps"]) == ("steps", 12)
    assert result["roles"].keys() >= {"actor", "extractor", "objective_manager", "oracle"}
    assert sum(sum(role["faults"].values()) for role in result["roles"].values()) > 10
    assert not read_trace(Path(result["run_dir"], "trace.jsonl")).faults
    again = resume(result["run_dir"], steps=2)
    assert (again["end_reason"], again["steps"]) == ("steps", 14)
    assert fork(result["run_dir"], 5, steps=2, out=tmp_path)["steps"] == 7
    record = Path(result["run_dir"], "episode.json").read_text(encoding="utf-8")
    assert json.loads(record)["steps"] == 14


@pytest.mark.slow
def test_what_was_stored_of_an_answer_is_of_bounded_size(tmp_path: Path) -> None:
    options: dict[str, Any] = {"out": tmp_path, "fresh": True, "trace": False}
    result = play("workshop", graph="llm", settings=HOSTILE, steps=8, **options)
    assert Path(result["run_dir"], "checkpoints.sqlite").stat().st_size < 3_000_000
