"""What the ranking keeps from turn to turn changes nothing but its cost."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from managers.knowledge import Knowledge
from managers.policy.option import Option
from managers.policy.ranking import rank
from orchestrator import nodes, play

STEPS = 80


def test_ranking_with_what_is_kept_equals_ranking_all_afresh(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns = []

    def compared(knowledge: Knowledge, *how: Any) -> tuple[Option, ...]:
        ranked = rank(knowledge, *how)
        afresh = rank(Knowledge(*knowledge), *how, limit=300)
        assert ranked == afresh[: len(ranked)]
        utilities = [one.value for one in afresh]
        assert utilities == sorted(utilities, reverse=True)
        turns.append(knowledge.kept["offers"])
        return ranked

    monkeypatch.setattr(nodes, "rank", compared)
    play("hollow", steps=STEPS, seed=3, out=tmp_path, fresh=True)
    assert len(turns) == STEPS
    assert all(kept is turns[0] for kept in turns)
