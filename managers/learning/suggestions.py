"""State variables that rules can suggest and read off the world model."""

from __future__ import annotations

from managers.language.actions import parse
from managers.world.objects import GameObject
from managers.world.view import World

UNKNOWN = "unknown"
DARK, SEATED = "dark", "inside something"
_MOST = 6
_STATES = ("open", "locked", "lit", "worn", "on")


def suggested(command: str, world: World) -> list[str]:
    """Variables that may explain why a command has different outcomes, the likeliest first.

    The states of the things it names, and of what is around (of doors alone, for a way), people,
    the light, the posture, what is carried.
    """
    action, room = parse(command), world.room
    named = [world.resolve(name, room) for name in (action.object, action.second) if name]
    things = [thing for thing in named if thing is not None]
    found = [name for thing in things for name in _about(thing)]
    around = [thing for thing in world.at(room) if thing not in things] if room else []
    for thing in around:
        if thing.has("person") or thing.has("creature"):
            found.append(f"{thing.name} here")
        elif not action.direction or thing.has("door"):
            found += _states(thing)
    found += [DARK, SEATED]
    found += [f"have {thing.name}" for thing in world.inventory() if thing not in things]
    return list(dict.fromkeys(found))[:_MOST]


def _about(thing: GameObject) -> list[str]:
    states = _states(thing)
    return [*states, f"have {thing.name}"] if thing.portable else states


def _states(thing: GameObject) -> list[str]:
    return [f"{state} {thing.name}" for state in _STATES if thing.is_(state) is not None]


def value_of(name: str, world: World) -> str:
    """`true`, `false`, or `unknown` where the world model cannot tell."""
    if name == DARK:
        return _said(world.dark)
    if name == SEATED:
        return _said(bool(world.inside))
    if name.endswith(" here"):
        thing = world.resolve(name.removesuffix(" here"))
        return _said(thing is not None and world.location_of(thing.id) == world.room)
    aim, _, noun = name.partition(" ")
    thing = world.resolve(noun) if noun else None
    if thing is None:
        return UNKNOWN
    if aim == "have":
        return _said(world.location_of(thing.id) == "inventory")
    state = thing.is_(aim)
    return UNKNOWN if state is None else _said(state)


def _said(value: bool) -> str:
    return "true" if value else "false"
