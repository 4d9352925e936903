"""Conditions that the world model can check: `have lamp`, `open door`, `coin in box`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from managers.world.view import WorldModel

_STATES = {
    "open": ("open", True),
    "closed": ("open", False),
    "locked": ("locked", True),
    "unlocked": ("locked", False),
    "lit": ("lit", True),
}


def is_satisfied(world: WorldModel, goal: str) -> bool:
    """Whether a goal is known to be reached; False where the model does not know."""
    thing_name, inside, holder_name = goal.partition(" in ")
    if inside:
        thing, holder = world.resolve(thing_name), world.resolve(holder_name)
        return thing is not None and holder is not None and thing.location == holder.id
    aim, _, name = goal.partition(" ")
    thing = world.resolve(name)
    if thing is None:
        return False
    if aim == "have":
        return world.location_of(thing.id) == "inventory"
    state, wanted = _STATES.get(aim, ("", True))
    return bool(state) and thing.is_(state) is wanted
