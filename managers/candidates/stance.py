"""Who looks at a situation, and how: what the ranking of its candidates depends on besides it."""

from __future__ import annotations

from typing import NamedTuple

from managers.candidates.leanings import NEUTRAL, Leaning
from managers.faculties import ALL, Faculties
from managers.memory.past import NO_PAST, Past


class Stance(NamedTuple):
    """An agent's, in one turn."""

    seed: int = 0
    """Of its own taste."""
    faculties: Faculties = ALL
    leaning: Leaning = NEUTRAL
    past: Past = NO_PAST
    """What earlier episodes say of rooms that are found again."""


PLAIN = Stance()
