"""What calls for attention: things to find a use for, and troubles to overcome."""

from __future__ import annotations

from typing import TYPE_CHECKING

from environments.game import Value
from managers.world.objects import GameObject

if TYPE_CHECKING:
    from managers.map import Map
    from managers.world.view import WorldModel

SIGNIFICANT_OBJECT_TYPES = (
    "key-like", "light-source", "weapon", "rope-like", "readable", "tool", "valuable",
)  # fmt: skip
"""Kinds of things whose discovery is an issue by itself."""
_FOUND, _LOCKED, _DARK, _BARRED, _CLOSED = 600, 800, 500, 700, 550


class Issue(Value):
    """Something worth thinking about."""

    content: str
    importance: int
    """0 to 1000."""
    turn_number: int
    location: str
    """A room, `inventory`, or empty."""


def maybe_create_object_issue(obj: GameObject, turn: int) -> Issue | None:
    """An issue for a thing of a significant kind: what is it good for?"""
    if not any(obj.has(kind) for kind in SIGNIFICANT_OBJECT_TYPES) or obj.has("fixed"):
        return None
    content = f"{obj.name} found at {obj.location} - determine use"
    return Issue(content=content, importance=_FOUND, turn_number=turn, location=obj.location)


def world_issues(world: WorldModel, map: Map) -> list[Issue]:
    """All that calls for attention now, the most important first."""
    found = [issue for thing in world.objects() for issue in _of_thing(world, thing)]
    found += [issue for id in map.data["rooms"] for issue in _of_room(map, id)]
    return sorted(found, key=lambda issue: -issue.importance)


def _of_thing(world: WorldModel, thing: GameObject) -> list[Issue]:
    room, turn = world.location_of(thing.id), thing.last_seen_turn
    if not room:
        return []
    if thing.is_("locked"):
        content = f"locked {thing.name} at {room} - find out how to unlock it"
        return [Issue(content=content, importance=_LOCKED, turn_number=turn, location=room)]
    if thing.is_("open") is False and thing.has("openable"):
        content = f"closed {thing.name} at {room} - look inside or beyond"
        return [Issue(content=content, importance=_CLOSED, turn_number=turn, location=room)]
    found = maybe_create_object_issue(thing, turn) if not thing.taken else None
    return [found] if found else []


def _of_room(map: Map, id: str) -> list[Issue]:
    room = map.room(id)
    found = []
    if room.dark:
        content = f"{id} {room.title} is dark - bring a light".replace("  ", " ")
        found.append(
            Issue(content=content, importance=_DARK, turn_number=room.last_turn, location=id)
        )
    for way in map.blocked(id).values():
        if way.reason in ("blocked", "locked", "closed"):
            content = f"the way {way.direction} from {id} {room.title} is {way.reason}: {way.text}"
            found.append(
                Issue(content=content, importance=_BARRED, turn_number=way.turn, location=id)
            )
    return found
