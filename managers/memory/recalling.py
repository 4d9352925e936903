"""What an episode knows before the first word of the story, thanks to earlier ones.

It is a prior: counts are discounted, ways are supposed, and the game has the last word.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from managers.knowledge import Knowledge
from managers.memory import atlas
from managers.memory.archive import Cell
from managers.memory.counts import TABLES, discounted
from managers.memory.quest import Quest, target_of


def recall(memory: Mapping[str, Any], quest: Quest | None = None, seed: int = 0) -> Knowledge:
    """The knowledge that an episode starts with.

    Args:
        memory: of earlier episodes; may be empty.
        quest: what an exploring episode does with it.
        seed: of the choice where to explore.
    """
    blank = Knowledge.new()
    if not memory:
        guide = _guide({}, None)
        return blank.with_dynamics({**blank.dynamics, "memory": guide}) if quest else blank
    counts = {name: discounted(memory[name]) for name in TABLES}
    map_, found = atlas.unfolded(memory)
    guide = _guide(found, target_of(memory, quest, seed))
    return Knowledge(
        {**blank.world, "unknown": dict.fromkeys(memory["unknown"], 0)},
        map_,
        {
            **blank.dynamics,
            **counts,
            "leads": {"treasures": memory["treasures"]},
            "memory": guide,
        },
    )


def _guide(found: Mapping[str, str], cell: Cell | None) -> dict[str, Any]:
    """The plain data of a guide at the opening."""
    path = [list(step) for step in cell.steps] if cell else []
    return {
        "path": path,
        "target": [list(cell.point), path] if cell else [],
        "found": dict(found),
        "seen": [],
        "feared": {},
        "idle": 0,
        "rest": 0,
        "arrived": None if path else 0,
        "top": 0,
        "finds": 0,
    }
