"""What an episode knows before the first word of the story, thanks to earlier ones.

It is a prior: counts are discounted, ways are supposed, and the game has the last word.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from managers.knowledge import Knowledge
from managers.memory import atlas, outlooks, retrace
from managers.memory.archive import Cell
from managers.memory.counts import TABLES, discounted, unspent
from managers.memory.past import NO_PAST, Past
from managers.memory.quest import Quest, target_of
from managers.reflection import Outlook


class Recalled(NamedTuple):
    """What an episode starts with."""

    knowledge: Knowledge
    outlook: Outlook
    past: Past


def recall(memory: Mapping[str, Any], quest: Quest | None = None, seed: int = 0) -> Recalled:
    """What an episode starts with.

    Args:
        memory: of earlier episodes; may be empty.
        quest: what an exploring episode does with it.
        seed: of the choice where to explore.
    """
    blank = Knowledge.new()
    if not memory:
        guide = {"memory": {**_guide({}, None), **retrace.begun(())}} if quest else {}
        known = blank.with_dynamics({**blank.dynamics, **guide})
        return Recalled(known, Outlook.new(), NO_PAST)
    map_, found, bright = atlas.unfolded(memory)
    ids = {key: id for id, key in found.items()}
    cell = target_of(memory, quest, seed)
    guide = _guide(found, cell, bright, _barred(memory, ids))
    known = Knowledge(
        {**blank.world, "unknown": dict.fromkeys(memory["unknown"], 0)},
        map_,
        {
            **blank.dynamics,
            **{name: discounted(memory[name]) for name in TABLES},
            "kinds": unspent(discounted(memory["kinds"])),
            "leads": _leads(memory, ids),
            "memory": {**guide, **retrace.begun(cell.line if cell else ())} if quest else guide,
        },
    )
    return Recalled(known, outlooks.restored(memory["outlook"], ids), Past(memory))


def _leads(memory: Mapping[str, Any], ids: Mapping[str, str]) -> dict[str, Any]:
    """What earlier episodes were told; a memory of an older program may lack some of it."""
    absent = memory.get("absent", {})
    return {
        **{name: memory.get(name, []) for name in ("treasures", "hints", "cues")},
        "barring": list(dict.fromkeys(foe for _, foe in memory.get("barred", ()))),
        "absent": {ids[room]: nouns for room, nouns in absent.items() if room in ids},
    }


def _barred(memory: Mapping[str, Any], ids: Mapping[str, str]) -> list[str]:
    return [ids[room] for room, _ in memory.get("barred", ()) if room in ids]


def _guide(
    found: Mapping[str, str],
    cell: Cell | None,
    bright: Sequence[str] = (),
    barred: Sequence[str] = (),
) -> dict[str, Any]:
    """The plain data of a guide at the opening."""
    path = [list(step) for step in cell.path] if cell else []
    return {
        "path": path,
        "target": [list(cell.point), path] if cell else [],
        "found": dict(found),
        "seen": [],
        "bright": list(bright),
        "barred": list(barred),
        "feared": {},
        "idle": 0,
        "rest": 0,
        "arrived": None if path else 0,
        "top": 0,
        "finds": 0,
    }
