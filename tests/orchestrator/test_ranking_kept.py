"""What the ranking keeps from turn to turn changes nothing but its cost."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from managers.knowledge import Knowledge
from managers.policy.ranking import Ranked, rank
from managers.policy.scene import Scene
from orchestrator import nodes, play

STEPS = 80


def test_ranking_with_what_is_kept_equals_ranking_all_afresh(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[Any, ...]] = []

    def scene_of(knowledge: Knowledge, *how: Any) -> Scene:
        asked.append((knowledge, *how))
        return Scene(knowledge, *how)

    def compared(scene: Scene) -> Ranked:
        (knowledge, *how), ranked = asked[-1], rank(scene)
        afresh = rank(Scene(Knowledge(*knowledge), *how), limit=300)
        assert ranked.options == afresh.options[: len(ranked.options)]
        assert ranked.frontier == afresh.frontier
        values = [one.value for one in afresh.options]
        assert values == sorted(values, reverse=True)
        return ranked

    monkeypatch.setattr(nodes, "Scene", scene_of)
    monkeypatch.setattr(nodes, "rank", compared)
    play("hollow", steps=STEPS, seed=3, out=tmp_path, fresh=True)
    assert len(asked) >= STEPS
