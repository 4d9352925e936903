"""What brings somebody back who has strayed from a walkthrough: ways, tools, free hands."""

from __future__ import annotations

from collections.abc import Sequence

from agents.briefing import Briefing
from managers.core.scene import Routes
from managers.language.actions import parse, same_action
from managers.language.lexicon import classes_of, head_of
from managers.language.patterns import LADEN

_DARK = 15.0
"""Commands that a walk through a room where it was dark is as bad as."""


def away(room: str, briefing: Briefing) -> bool:
    """The room is known, and not the present one."""
    return room not in ("", briefing.map.here)


def towards(room: str, briefing: Briefing) -> str | None:
    """The first step to a room, or what has to come before it.

    None if the way is unknown, or into the dark for somebody without a light.
    """
    dark = {one.id for one in briefing.map.rooms() if one.dark}

    def toll(room: str) -> float:
        return _DARK if room in dark else briefing.situation.toll(room)

    way = Routes(briefing.map, briefing.map.here, toll=toll).to(room)
    passage = briefing.map.ways(briefing.map.here).passages.get(way[0]) if way else None
    seeing = briefing.situation.dark or briefing.situation.lit
    if passage is not None and passage.to in dark and not seeing:
        return kindled(briefing)
    last = briefing.extraction.action_result if briefing.extraction else None
    if way and last and last.result == "failure" and same_action(briefing.command, way[0]):
        return last.prerequisite or None
    return way[0] if way else None


def kindled(briefing: Briefing) -> str | None:
    """How to light what is carried for that; None if it was just tried in vain."""
    lamps = (one for one in briefing.world.inventory() if "light-source" in classes_of(one.name))
    commands = (f"light {lamp.name}" for lamp in lamps)
    return next((told for told in commands if not same_action(told, briefing.command)), None)


def armed(line: str, briefing: Briefing) -> str | None:
    """How to come by the weapon that a line fights with, if it was left somewhere known."""
    parts = parse(line)
    weapon = briefing.world.meant(parts.second) if parts.verb == "attack" else None
    place = briefing.world.location_of(weapon.id) if weapon else ""
    if place in ("", "inventory"):
        return None
    return towards(place, briefing) if away(place, briefing) else f"take {parts.second}"


def unburdened(lines: Sequence[str], briefing: Briefing) -> str | None:
    """What to put down when the hands were too full just now: what no line speaks of any more."""
    if not LADEN.search(briefing.observation.text):
        return None
    commands = [parse(line) for line in lines]
    wanted = {head_of(name) for one in commands for name in (one.object, one.second) if name}
    useless = [name for name in briefing.situation.inventory if head_of(name) not in wanted]
    return f"drop {useless[0]}" if useless else None
