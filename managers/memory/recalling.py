"""What an episode knows before the first word of the story, thanks to earlier ones.

It is a prior: counts are discounted, ways are supposed, and the game has the last word.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from managers.knowledge import Knowledge
from managers.memory import archive, atlas
from managers.memory.archive import Cell
from managers.memory.counts import TABLES, discounted


def recall(memory: Mapping[str, Any]) -> Knowledge:
    """The knowledge that an episode starts with."""
    blank = Knowledge.new()
    if not memory:
        return blank
    counts = {name: discounted(memory[name]) for name in TABLES}
    map_, found = atlas.unfolded(memory)
    guide = {"found": found, "idle": 0, "rest": 0, "seen": [], "feared": {}, **_quest(memory)}
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


def _quest(memory: Mapping[str, Any]) -> dict[str, Any]:
    """What is to be followed."""
    cell = archive.best(archive.unpacked(memory["archive"]))
    return told(cell)


def told(cell: Cell | None) -> dict[str, Any]:
    """A cell of the archive as the guide's plain data."""
    if cell is None:
        return {"path": [], "target": []}
    path = [list(step) for step in cell.steps]
    return {"path": path, "target": [list(cell.point), path]}
