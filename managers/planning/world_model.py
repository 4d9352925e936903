"""The world model as the planner asks it: what holds, what is in the way, what could be done."""

from __future__ import annotations

from typing import NamedTuple

from managers.language.actions import parse
from managers.planning.goals import Blocker, blockers, is_satisfied
from managers.world.objects import INVENTORY, GameObject
from managers.world.view import World

_LIGHT = 0.8
_MAY_HOLD = 0.15
_PLAIN = 0.9
_BY_HAND = 0.2


HELPS = {
    "unlocks": "unlock {} with {}",
    "opens": "open {} with {}",
    "defeats": "attack {} with {}",
}
"""Predicate of a hypothesis -> what to do to the trouble with what may help."""


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


def resolvers(world: World, blocker: Blocker) -> list[Resolver]:
    """What might remove a blocker, the most likely first; disproven ideas are left out."""
    thing = world.get(blocker.thing) if blocker.thing else None
    found = _RESOLVE[blocker.kind](world, thing, blocker) if blocker.kind in _RESOLVE else []
    return sorted(found, key=lambda one: -one.confidence)


def can_do(world: World, action: str) -> bool:
    """The things an action needs are at hand here, and it has not just failed like this."""
    command = parse(action)
    for name, held in ((command.object, False), (command.second, not command.has("onto"))):
        thing = world.resolve(name) if name else None
        if name and thing is None:
            return False
        place = world.location_of(thing.id) if thing else INVENTORY
        if place != INVENTORY and (held or place != world.room):
            return False
    return world.failed(action, world.room) is None


def _locked(world: World, thing: GameObject | None, _: Blocker) -> list[Resolver]:
    if thing is None:
        return []
    found = _with_helper(world, thing, "unlocks")
    return found or _where_help_may_be(world, thing)


def _stuck(world: World, thing: GameObject | None, _: Blocker) -> list[Resolver]:
    if thing is None:
        return []
    return _with_helper(world, thing, "opens") or _where_help_may_be(world, thing)


def _with_helper(world: World, thing: GameObject, predicate: str) -> list[Resolver]:
    """Whatever a hypothesis says helps, used on the thing."""
    room = world.location_of(thing.id)
    found = []
    for idea in world.hypotheses_about(thing.id, predicate=predicate):
        helper = world.get(idea.subject)
        if idea.disproven or idea.object != thing.id or helper is None:
            continue
        action = HELPS[predicate].format(world.called(thing), world.called(helper))
        if world.location_of(helper.id) and not world.failed(action, room):
            found.append(Resolver(action, f"have {helper.id}", idea.confidence, room, idea.id))
    return found


def _where_help_may_be(world: World, thing: GameObject) -> list[Resolver]:
    """Nothing known helps: what is missing may be in something that is still closed."""
    found = []
    for other in world.objects():
        shut = other.is_("open") is False and not other.is_("locked") and other.id != thing.id
        room = world.location_of(other.id) if shut else ""
        if not room or other.has("door") or world.failures_with(other, "open"):
            continue
        place = "" if room == INVENTORY else room
        near = _MAY_HOLD if place in ("", world.room) else _MAY_HOLD / 2
        found.append(Resolver(f"open {world.called(other)}", "", near, place))
    return found


def _closed(world: World, thing: GameObject | None, _: Blocker) -> list[Resolver]:
    if thing is None:
        return []
    first = f"unlocked {thing.id}" if thing.is_("locked") else ""
    room = world.location_of(thing.id)
    action = f"open {world.called(thing)}"
    if world.failed(action, room) and not first:
        return []
    return [Resolver(action, first, _PLAIN, "" if room == INVENTORY else room)]


def _guarded(world: World, thing: GameObject | None, _: Blocker) -> list[Resolver]:
    if thing is None:
        return []
    found = _with_helper(world, thing, "defeats")
    by_hand = Resolver(f"attack {world.called(thing)}", "", _BY_HAND, world.location_of(thing.id))
    return found or [by_hand]


def _dark(world: World, _: GameObject | None, __: Blocker) -> list[Resolver]:
    found = []
    for lamp in world.get_objects_with_property("light-source"):
        burns = lamp.is_("lit") or lamp.is_("on")
        if world.location_of(lamp.id):
            action = "" if burns else f"turn on {world.called(lamp)}"
            found.append(Resolver(action, f"have {lamp.id}", _LIGHT))
    return found


def _posture(world: World, _: GameObject | None, __: Blocker) -> list[Resolver]:
    return [Resolver("get up", "", _PLAIN), Resolver("get out", "", 0.5)] if world.inside else []


def _missing(_: World, thing: GameObject | None, __: Blocker) -> list[Resolver]:
    return [Resolver("", f"have {thing.id}", _PLAIN)] if thing else []


def _elsewhere(_: World, __: GameObject | None, blocker: Blocker) -> list[Resolver]:
    return [Resolver("", "", _PLAIN, blocker.thing)]


_RESOLVE = {
    "locked": _locked,
    "stuck": _stuck,
    "closed": _closed,
    "guarded": _guarded,
    "dark": _dark,
    "unlit": _dark,
    "posture": _posture,
    "missing": _missing,
    "elsewhere": _elsewhere,
}


class WorldModel(World):
    """Things with place and state, failed actions, hypotheses, and what to do about them."""

    is_satisfied = is_satisfied
    get_blockers = blockers
    get_hypotheses_for_blocker = resolvers
    can_do = can_do
