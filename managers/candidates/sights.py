"""Things as texts name them."""

from __future__ import annotations

from functools import lru_cache

from managers.affordances import affordances
from managers.world import GameObject

_STATES = frozenset({"open", "closed", "locked", "unlocked", "lit", "empty", "full"})


@lru_cache(maxsize=4096)
def stateless(name: str) -> str:
    """`closed trap door` -> `trap door`."""
    return " ".join(word for word in name.split() if word not in _STATES)


@lru_cache(maxsize=2048)
def mentioned(name: str, confidence: float) -> GameObject:
    """Something the prose speaks of in passing."""
    properties = (*affordances().classes(name), "scenery")
    return GameObject(id="", name=name, properties=properties, confidence=confidence)
