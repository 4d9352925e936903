"""What calls for attention: things to find a use for, and troubles to overcome."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from environments.game import Value
from managers.world.objects import GameObject

if TYPE_CHECKING:
    from managers.world.map import Map
    from managers.world.view import World

SIGNIFICANT_OBJECT_TYPES = (
    "key-like", "light-source", "weapon", "rope-like", "readable", "tool", "valuable",
    "bottle", "canteen", "flask", "jar", "jug", "pail", "phial", "pitcher", "vial",
)  # fmt: skip
"""Kinds and nouns of things whose discovery is an issue by itself; the nouns hold liquids."""
_SIGNIFICANT = frozenset(SIGNIFICANT_OBJECT_TYPES)
_IMPORTANCE = {
    "locked": 800,
    "stuck": 750,
    "barred": 700,
    "found": 600,
    "closed": 550,
    "dark": 800,
}
_SAID_OF_THINGS = {
    "locked": "locked {} at {} - find out how to unlock it",
    "stuck": "the {} at {} is stuck - find a tool for it",
    "closed": "closed {} at {} - look inside or beyond",
}


_BARRING = frozenset({"blocked", "locked", "closed"})
"""Reasons for which a way may be free another time."""
Trouble = Literal["found", "locked", "closed", "stuck", "dark", "barred"]


class Issue(Value):
    """Something worth thinking about."""

    content: str
    importance: int
    """0 to 1000."""
    turn_number: int
    location: str
    """A room, `inventory`, or empty."""
    kind: Trouble = "found"
    about: str = ""
    """The id of the thing, or the direction that is barred; empty for the whole room."""


def maybe_create_object_issue(obj: GameObject, turn: int) -> Issue | None:
    """An issue for a thing of a significant kind: what is it good for?"""
    if _SIGNIFICANT.isdisjoint((*obj.properties, obj.noun)) or obj.has("fixed"):
        return None
    content = f"{obj.name} found at {obj.location} - determine use"
    return _issue("found", content, turn, obj.location, obj.id)


def world_issues(world: World, map: Map) -> list[Issue]:
    """All that calls for attention now, the most important first, the latest before older ones."""
    found = [issue for thing in world.objects() for issue in _of_thing(world, thing)]
    found += [issue for id in map.data["rooms"] for issue in _of_room(map, id)]
    return sorted(found, key=lambda issue: (-issue.importance, -issue.turn_number))


def _of_thing(world: World, thing: GameObject) -> list[Issue]:
    turn, said = thing.last_seen_turn, _SAID_OF_THINGS.get(trouble := _trouble(world, thing))
    found = maybe_create_object_issue(thing, turn) if not (said or thing.taken) else None
    room = world.location_of(thing.id) if said or found else ""
    if not room:
        return []
    if said is None:
        return [found] if found else []
    content = said.format(thing.name, room)
    return [_issue(trouble, content, turn, room, thing.id)]


def _trouble(world: World, thing: GameObject) -> Trouble:
    if not thing.state and not thing.has("openable"):
        return "found"
    if thing.is_("locked") and not thing.is_("open"):
        return "locked"
    if thing.is_("open") or not (thing.has("openable") or thing.is_("open") is False):
        return "found"
    if world.needs_tool(thing):
        return "stuck"
    return "closed" if thing.is_("open") is False else "found"


def _of_room(map: Map, id: str) -> list[Issue]:
    dark, blocked = map.is_dark(id), map.blocked(id)
    if not (dark or blocked):
        return []
    place = f"{id} {map.title(id)}".strip()
    found = []
    if dark:
        content = f"{place} is dark - bring a light"
        found.append(_issue("dark", content, map.room(id).last_turn, id, ""))
    for way in blocked.values():
        if way.reason in _BARRING:
            content = f"the way {way.command} from {place} is {way.reason}: {way.error_message}"
            found.append(_issue("barred", content, way.turn, id, way.command))
    return found


@lru_cache(maxsize=2048)
def _issue(kind: Trouble, content: str, turn: int, location: str, about: str) -> Issue:
    return Issue(
        content=content,
        importance=_IMPORTANCE[kind],
        turn_number=turn,
        location=location,
        kind=kind,
        about=about,
    )
