"""The Python API: explicit options, a typed result, parts given as objects."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from orchestrator import Result, play, to_pandas
from orchestrator.resume import resume


class Objector:
    """Objects to every `north`."""

    def __init__(self, word: str = "north") -> None:
        self.word, self.heard = word, 0

    def judge(self, briefing: Any) -> dict[str, Any]:
        self.heard += 1
        accept = briefing.proposal.action != self.word
        return {"accept": accept, "reason": "no", "confidence": 0.9}


def test_a_result_is_typed_and_reads_like_its_file(tmp_path: Path) -> None:
    result = play("workshop", seed=3, steps=5, out=tmp_path, fresh=True)
    assert isinstance(result, Result)
    recorded = json.loads((result.run_dir / "episode.json").read_text(encoding="utf-8"))
    assert {**result} == recorded
    assert result["score"] == result.score == recorded["score"]
    assert (result.steps, result.seed, result.access, result.won) == (5, 3, ("text",), False)
    assert result.started.tzinfo is not None


def test_parts_may_be_given_as_objects(tmp_path: Path) -> None:
    critic = Objector("south")
    result = play("workshop", steps=4, out=tmp_path, fresh=True, critic=critic)
    assert critic.heard >= 4
    assert result.graph.startswith("offline+")
    assert result["config"]["nodes"]["critic"]["use"].endswith("test_api:Objector")
    resumed = resume(result.run_dir, steps=2, trust=True)
    assert resumed["steps"] == 6


def test_what_is_no_part_is_refused_before_play(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match=r"has no method judge\(briefing\)"):
        play("workshop", out=tmp_path, critic=object())  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="unexpected keyword"):
        play("workshop", out=tmp_path, sedd=3)  # type: ignore[call-arg]
    assert not list(tmp_path.iterdir())


def test_results_are_a_table(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is the user's own")
    results = [play("workshop", seed=s, steps=2, out=tmp_path, fresh=True) for s in (1, 2)]
    table = to_pandas(results)
    assert isinstance(table, pandas.DataFrame)
    assert list(table["seed"]) == [1, 2]
