"""What an episode makes of the archive: where it is sent, and when it has looked about enough."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field

from environments.game import Value
from managers.memory import archive
from managers.memory.archive import Cell

_LENGTH_PRICES = (0.0, 0.05, 0.2)
"""Per step, in hundredths of the best score: some episodes start far out, some near."""

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

    def is_over(self, guide: Mapping[str, Any], turn: int, *, died: bool) -> bool:
        """Whether the episode has done what it was sent for.

        Args:
            guide: the plain data of the guide.
            turn: the last one.
            died: whether the episode has met a death.
        """
        if died or guide["arrived"] is None:
            return died
        return bool(turn >= guide["arrived"] + self.turns + self.bonus * guide["finds"])


def target_of(memory: Mapping[str, Any], quest: Quest | None, seed: int) -> Cell | None:
    """The point of the archive to return to; None where nothing has scored yet."""
    cells = archive.unpacked(memory["archive"]) if memory else []
    if quest is None:
        return archive.best(cells, _LITERAL)
    if quest.target == "best":
        return archive.best(archive.proven(cells))
    return archive.promising(cells, random.Random(f"{seed}/target").choice(_LENGTH_PRICES))
