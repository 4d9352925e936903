"""A memory that lies by a known share."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from orchestrator import memory, play
from orchestrator.evaluation.cells import Cell, resolved
from orchestrator.evaluation.playing import play_task
from orchestrator.evaluation.poison import poison_store, poisoned
from orchestrator.memory import Subject


def test_so_much_of_it_is_false_and_no_more(tmp_path: Path) -> None:
    store = tmp_path / "memory.sqlite"
    result = play("hollow", seed=3, steps=40, store=store, out=tmp_path)
    subject = Subject(result.story_sha256, result.graph)
    known = memory.load(subject, store)
    assert poisoned(known, 0.0, random.Random(1)) == known
    all_false = poisoned(known, 1.0, random.Random(1))
    for room, commands in known["lessons"]["tried"].items():
        for command, (tries, worked, *_) in commands.items():
            assert all_false["lessons"]["tried"][room][command][:2] == [
                tries,
                max(0, tries - worked),
            ]
    assert ways(all_false) != ways(known)
    poison_store(store, subject, 1.0, seed=1)
    assert memory.load(subject, store) == all_false


def ways(known: Any) -> dict[str, dict[str, str]]:
    return {key: room["ways"] for key, room in known["atlas"].items()}


def test_an_arm_plays_on_with_a_memory_that_lies(tmp_path: Path) -> None:
    sound = Cell("morning", "offline", 1, 12, episodes=2)
    told = [
        play_task(resolved(one), tmp_path)
        for one in (sound, Cell(**{**vars(sound), "poison": 1.0}))
    ]
    assert [row["poison"] for row in told] == [0.0, 1.0]
    first, second = ([episode["score"] for episode in row["series"]] for row in told)
    assert first[0] == second[0]
    assert len(second) == 2
