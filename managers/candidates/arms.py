"""What one could fight with."""

from __future__ import annotations

from managers.affordances import affordances
from managers.world import GameObject

_SAYS_NOTHING = frozenset({"takeable", "wearable", "openable", "switchable", "lockable"})
"""What a thing was seen to be in play, which no weapon is for that."""
_MIGHT = ("mighty", "weapon")
LEAST_MIGHT = len(_MIGHT)


def is_arm(thing: GameObject) -> bool:
    """A weapon or tool by its name, or something whose name says nothing of what it is for."""
    known = thing.classes | affordances().classes(thing.name.split()[-1])
    return not known.difference(_SAYS_NOTHING) or bool(known & {"weapon", "tool"})


def might(thing: GameObject) -> int:
    """The lower, the better a thing is to fight with."""
    known = thing.classes
    return next((rank for rank, kind in enumerate(_MIGHT) if kind in known), LEAST_MIGHT)
