"""What a thing is good for by its name and by what was seen of it."""

from __future__ import annotations

from managers.language.actions import classes
from managers.world.facts import Blackboard, Fact
from managers.world.objects import GameObject

USEFUL = frozenset({"key-like", "rope-like", "tool", "weapon", "light-source"})
"""Classes of things that much may be done with."""
NO_WEAPON = 2
"""The rank of what is no weapon by its name, but may do: a tool, or something nobody knows."""
_MATTERS_NOT = frozenset({"takeable", "wearable", "openable", "switchable", "lockable"})
"""What a thing was seen to be in play, which no weapon is for that."""


def weapon_rank(thing: GameObject) -> int:
    """The lower, the better a thing is to fight with; above `NO_WEAPON` it is none at all."""
    if "weapon" in thing.classes:
        return 0 if "mighty" in thing.classes else 1
    known = thing.classes | classes(thing.name.split()[-1])
    may_do = not known.difference(_MATTERS_NOT) or not known.isdisjoint({"weapon", "tool"})
    return NO_WEAPON if may_do else NO_WEAPON + 1


def weapons(things: tuple[GameObject, ...]) -> list[GameObject]:
    """Those of some things that could be a weapon, the best first."""
    return sorted((one for one in things if weapon_rank(one) <= NO_WEAPON), key=weapon_rank)


def treasury(board: Blackboard) -> Fact | None:
    """The fact where treasures score, once a deposit there did.

    What is no treasure otherwise may have been wanted there for itself.
    """
    gave = [one.subject for one in board.of("left") if one.value == "home"]
    won = board.subjects("treasure")
    sure = any(one in won or "valuable" in classes(one) for one in gave)
    return next(iter(board.of("home")), None) if sure else None
