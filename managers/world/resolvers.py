"""What could remove a blocker, and whether it can be done now."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from managers.text.commands import parse_command
from managers.world.goals import Blocker
from managers.world.objects import INVENTORY, GameObject

if TYPE_CHECKING:
    from managers.world.view import WorldModel

_KEY = 0.3
_WEAPON = 0.4
_LIGHT = 0.8
_PLAIN = 0.9
_BY_HAND = 0.2


class Resolver(NamedTuple):
    """An action that may remove a blocker."""

    action: str
    """The command; empty for walking to a room."""
    precondition: str
    """The goal that has to be reached first; empty for none."""
    confidence: float
    room: str = ""
    """Where it has to be done; empty for anywhere."""
    hypothesis: str = ""
    """The id of the hypothesis it rests on."""


def resolvers(world: WorldModel, blocker: Blocker) -> list[Resolver]:
    """What might remove a blocker, the most likely first; disproven ideas are left out."""
    thing = world.get(blocker.thing) if blocker.thing else None
    found = _RESOLVE[blocker.kind](world, thing, blocker) if blocker.kind in _RESOLVE else []
    return sorted(found, key=lambda one: -one.confidence)


def can_do(world: WorldModel, action: str) -> bool:
    """The things an action needs are at hand here, and it has not just failed like this."""
    command = parse_command(action)
    for name, held in ((command.object, False), (command.second, command.verb not in _INTO)):
        thing = world.resolve(name) if name else None
        if name and thing is None:
            return False
        place = world.location_of(thing.id) if thing else INVENTORY
        if place != INVENTORY and (held or place != world.room):
            return False
    return world.failed(action, world.room) is None


_INTO = frozenset({"put", "give", "throw", "show", "ask", "tell", "tie"})
"""Verbs whose second object only has to be there."""


def _locked(world: WorldModel, thing: GameObject | None, _: Blocker) -> list[Resolver]:
    if thing is None:
        return []
    room = world.location_of(thing.id)
    known = {h.subject: h for h in world.hypotheses_about(thing.id, predicate="unlocks")}
    found = []
    for key in world.get_objects_with_property("key-like"):
        idea = known.get(key.id)
        if (idea and idea.disproven) or key.location == "gone":
            continue
        action = f"unlock {world.called(thing)} with {world.called(key)}"
        if not world.failed(action, room):
            sure, id = (idea.confidence, idea.id) if idea else (_KEY, "")
            found.append(Resolver(action, f"have {key.name}", sure, room, id))
    return found


def _closed(world: WorldModel, thing: GameObject | None, _: Blocker) -> list[Resolver]:
    if thing is None:
        return []
    first = f"unlocked {thing.name}" if thing.is_("locked") else ""
    room = world.location_of(thing.id)
    action = f"open {world.called(thing)}"
    if world.failed(action, room) and not first:
        return []
    return [Resolver(action, first, _PLAIN, "" if room == INVENTORY else room)]


def _guarded(world: WorldModel, thing: GameObject | None, _: Blocker) -> list[Resolver]:
    if thing is None:
        return []
    room, name = world.location_of(thing.id), world.called(thing)
    found = [
        Resolver(f"attack {name} with {world.called(weapon)}", f"have {weapon.name}", _WEAPON, room)
        for weapon in world.get_objects_with_property("weapon")
        if world.location_of(weapon.id)
    ]
    return found or [Resolver(f"attack {name}", "", _BY_HAND, room)]


def _dark(world: WorldModel, _: GameObject | None, __: Blocker) -> list[Resolver]:
    return [
        Resolver(f"turn on {world.called(lamp)}", f"have {lamp.name}", _LIGHT)
        for lamp in world.get_objects_with_property("light-source")
        if world.location_of(lamp.id) and lamp.is_("lit") is not True
    ]


def _posture(world: WorldModel, _: GameObject | None, __: Blocker) -> list[Resolver]:
    return [Resolver("get up", "", _PLAIN), Resolver("get out", "", 0.5)] if world.inside else []


def _missing(_: WorldModel, thing: GameObject | None, __: Blocker) -> list[Resolver]:
    return [Resolver("", f"have {thing.name}", _PLAIN)] if thing else []


def _elsewhere(_: WorldModel, __: GameObject | None, blocker: Blocker) -> list[Resolver]:
    return [Resolver("", "", _PLAIN, blocker.thing)]


_RESOLVE = {
    "locked": _locked,
    "closed": _closed,
    "guarded": _guarded,
    "dark": _dark,
    "posture": _posture,
    "missing": _missing,
    "elsewhere": _elsewhere,
}
