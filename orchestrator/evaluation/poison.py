"""A memory that lies, to measure what it costs: the game and the episode should outweigh it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

from managers.core.handover import Memory
from managers.memory.atlas import Atlas, KnownRoom
from orchestrator import memory
from orchestrator.memory import Subject


def poison_store(store: Path, subject: Subject, share: float, seed: int) -> None:
    """Falsify a share of what is remembered of a story; the same seed falsifies the same."""
    known = memory.load(subject, store)
    if known:
        memory.forget(subject, store)
        memory.remember(subject, poisoned(known, share, random.Random(seed)), store)


def poisoned(known: Memory, share: float, dice: random.Random) -> Memory:
    """A memory in which ways lead elsewhere, and what worked failed and what failed worked."""
    rooms = sorted(known["atlas"])
    atlas: Atlas = {
        key: KnownRoom(**{**room, "ways": _misled(room["ways"], rooms, share, dice)})
        for key, room in known["atlas"].items()
    }
    tried = {
        room: {
            command: [trials[0], max(0.0, trials[0] - trials[1]), *trials[2:]]
            if dice.random() < share
            else trials
            for command, trials in commands.items()
        }
        for room, commands in known["lessons"]["tried"].items()
    }
    return Memory(**{**known, "atlas": atlas, "lessons": {**known["lessons"], "tried": tried}})


def _misled(
    ways: dict[str, str], rooms: Sequence[str], share: float, dice: random.Random
) -> dict[str, str]:
    return {way: dice.choice(rooms) if dice.random() < share else to for way, to in ways.items()}
