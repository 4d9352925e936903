"""What the ranking keeps from turn to turn changes nothing but its cost."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from managers.core.ranking import Ranked, rank
from managers.core.scene import Scene
from managers.skills import all_skills
from managers.world.knowledge import Knowledge
from orchestrator import nodes, play

STEPS = 40


@pytest.mark.slow
def test_ranking_with_what_is_kept_equals_ranking_all_afresh(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[Any, ...]] = []

    seen_by = Scene.seen_by

    def seen(scene: Scene, *how: Any) -> Scene:
        asked.append((scene.knowledge, *how))
        return seen_by(scene, *how)

    def compared(scene: Scene) -> Ranked:
        (knowledge, *how), ranked = asked[-1], rank(scene)
        afresh = rank(Scene(Knowledge(*knowledge), all_skills(), *how), limit=300)
        assert ranked.options == afresh.options[: len(ranked.options)]
        assert ranked.frontier == afresh.frontier
        values = [one.value for one in afresh.options]
        assert values == sorted(values, reverse=True)
        return ranked

    monkeypatch.setattr(Scene, "seen_by", seen)
    monkeypatch.setattr(nodes, "rank", compared)
    play("hollow", steps=STEPS, seed=3, out=tmp_path, fresh=True)
    assert len(asked) >= STEPS
