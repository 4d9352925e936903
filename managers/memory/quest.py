"""What an episode makes of the archive: where it is sent, and when it has looked about enough."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field

from environments.game import Value
from managers.memory import archive
from managers.memory.archive import ArchiveCell

_LENGTH_PRICES = (0.0, 0.05, 0.2)
"""Per step, in hundredths of the best score: some episodes start far out, some near."""
_SHORTENING = 0.25
"""How often the steps are followed where a line takes very much longer: it gets shorter by that."""
_LITERAL = 0.75
"""What a trajectory with all its steps promises, compared with the steps it seems to need: on
the way to no purpose things go wrong."""


class Quest(Value):
    """Exploration: an episode returns to a point of the archive and plays on from there."""

    target: Literal["promising", "best"] = "promising"
    """The point: promising ones in turn, or the one with the highest score to be expected."""
    turns: int = Field(default=150, ge=0)
    """How many it plays on."""
    bonus: int = Field(default=75, ge=0)
    """How many more for every new score."""
    lives: int = Field(default=1, ge=1)
    """It ends with so many deaths."""
    rehearse: int = Field(default=0, ge=0)
    """Of so many episodes, the last only follows the best trajectory, with a seed of its own."""

    def of_episode(self, number: int) -> Quest:
        """What one of several episodes is sent for, counted from 1."""
        if not self.rehearse or number % self.rehearse:
            return self
        return Quest(target="best", turns=0, bonus=0, lives=2)

    def is_over(self, guide: Mapping[str, Any], turn: int, deaths: int) -> bool:
        """Whether the episode has done what it was sent for.

        Args:
            guide: the plain data of the guide.
            turn: the last one.
            deaths: that the episode has met.
        """
        if deaths >= self.lives:
            return True
        if guide["arrived"] is None:
            return False
        return bool(turn >= guide["arrived"] + self.turns + self.bonus * guide["finds"])


def target_of(memory: Mapping[str, Any], quest: Quest | None, seed: int) -> ArchiveCell | None:
    """The point of the archive to return to; None where nothing has scored yet."""
    cells = archive.unpacked(memory["archive"]) if memory else []
    if quest is None or quest.target == "best":
        return archive.best(cells, _LITERAL)
    draw = random.Random(f"{seed}/target")
    cell = archive.promising(cells, draw.choice(_LENGTH_PRICES))
    return cell._replace(line=()) if cell and draw.random() < _detour(cell) else cell


def _detour(cell: ArchiveCell) -> float:
    return _SHORTENING * (1 - len(cell.steps) / max(1, len(cell.line)))
