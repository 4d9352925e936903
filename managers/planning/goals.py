"""Goals that can be checked, and what stands in their way."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from environments.game import Value
from managers.language.actions import canonical
from managers.world.objects import GONE, INVENTORY, UNKNOWN, GameObject
from managers.world.view import World

_KINDS = {
    "have": "have get take fetch find obtain collect grab acquire recover steal hold carry",
    "open": "open",
    "unlocked": "unlocked unlock",
    "closed": "closed close",
    "locked": "locked lock",
    "lit": "lit",
    "worn": "worn wear",
    "gone": "gone defeat kill defeated fight attack beat overcome",
    "explore": "explore reach visit enter search map see",
    "light": "light illuminate",
    "deposit": "deposit put bring store place return deliver",
}
_KIND = {word: kind for kind, words in _KINDS.items() for word in words.split()}
_STATES = {
    "open": ("open", True),
    "closed": ("open", False),
    "unlocked": ("locked", False),
    "locked": ("locked", True),
    "lit": ("lit", True),
    "worn": ("worn", True),
}
_OF_ONESELF = {"light": "dark", "burning light": "unlit", "standing": "posture"}
"""Goals about nothing in particular, and what is in their way."""
CHECKED = frozenset((*_STATES, "have", "gone", "in"))
"""Kinds of goals about things that the world model can check."""
_AT = re.compile(r"^(?:be |get |go |reach )?(?:at|to) (l\d+)$", re.IGNORECASE)
_IN = re.compile(r"^(.+?) (in|into|on|onto|inside) (.+)$", re.IGNORECASE)
_TO = ("into", "onto")
"""Words after which a thing that is taken is to lie; after others it lies there now."""
_PLACE = re.compile(r"\bL\d+\b", re.IGNORECASE)
_CUT = re.compile(r"\b(?:in|inside|on|at|from|to|into|with|for|by|so|and|near)\b|[,;(:]")
_NOISE = re.compile(r"\b(?:the|a|an|some|locked|closed|L\d+)\b", re.IGNORECASE)


class Goal(Value):
    """A condition on the world; `str` says it in words, mostly without the place."""

    kind: str
    """A kind of goal about things, or `at`, `light` (to see where one is, or a place), `burning
    light` (to carry one), `standing`, `explore`, `deposit`, `do` (a command)."""
    thing: str = ""
    """The id or the name of a thing; the command of `do`."""
    holder: str = ""
    """What it is to be in, for `in`."""
    place: str = ""
    """A room, `L<n>`: for `at`, `explore`, `light`, and where the thing was seen."""

    def __str__(self) -> str:
        if self.kind == "in":
            return f"{self.thing} in {self.holder}"
        return " ".join(part for part in (self.kind, self.thing or self.place) if part)


class Blocker(NamedTuple):
    """Something that stands between now and a goal."""

    kind: str
    """locked, closed, stuck, missing, elsewhere, guarded, dark, unlit, posture, unknown."""
    thing: str = ""
    """The id of the thing that is in the way, or a room."""


@lru_cache(maxsize=1024)
def places(text: str) -> tuple[str, ...]:
    """The locations a text refers to: `fetch the lamp from l12` -> `L12`."""
    return tuple(dict.fromkeys(match.upper() for match in _PLACE.findall(text)))


@lru_cache(maxsize=1024)
def parse_goal(text: str) -> Goal | None:
    """Read a goal from words of people and models; None for what nobody can check."""
    plain = " ".join(text.strip().rstrip(".").split())
    if plain.lower() in _OF_ONESELF:
        return Goal(kind=plain.lower())
    if match := _AT.match(plain):
        return Goal(kind="at", place=match[1].upper())
    word, _, rest = plain.partition(" ")
    kind, place = _KIND.get(word.lower()), next(iter(places(plain)), "")
    if kind in (None, "have", "deposit") and (placed := _placing(plain, kind)):
        return placed
    if kind is None or not rest:
        return None
    if kind in ("explore", "light"):
        thing = Goal(kind="lit", thing=_bare(rest)) if kind == "light" else None
        return Goal(kind=kind, place=place) if place else thing
    name = _bare(_CUT.split(rest, maxsplit=1)[0])
    return Goal(kind=kind, thing=name, place=place) if name else None


def _placing(text: str, kind: str | None) -> Goal | None:
    """That a thing is in another one, if the text says so; `kind` is that of its verb, if any."""
    match = _IN.match(text)
    if match is None or _PLACE.match(match[3]) or (kind == "have" and match[2].lower() not in _TO):
        return None
    thing = match[1].partition(" ")[2] if kind else match[1]
    return Goal(kind="in", thing=_bare(thing), holder=_bare(match[3])) if thing else None


def _bare(name: str) -> str:
    return " ".join(_NOISE.sub(" ", name.lower()).split())


def as_goal(goal: str | Goal) -> Goal | None:
    """The goal that a text says, or the goal itself."""
    return goal if isinstance(goal, Goal) else parse_goal(goal)


def is_done(goal: Goal, command: str, room: str) -> bool:
    """Whether a goal to do something was reached by a command that worked in a room."""
    same = goal.kind == "do" and canonical(goal.thing) == canonical(command)
    return same and goal.place in ("", room)


def is_satisfied(world: World, wanted: str | Goal) -> bool:
    """Whether a goal is known to be reached; False where the model does not know."""
    goal = as_goal(wanted)
    if goal is None:
        return False
    if goal.kind == "light":
        return not goal.place and not world.dark
    if goal.kind == "burning light":
        lights = [thing for thing in world.inventory() if thing.has("light-source")]
        return any(thing.burns for thing in lights)
    if goal.kind == "standing":
        return not world.inside
    if goal.kind == "at":
        return world.room == goal.place
    thing = world.resolve(goal.thing, goal.place or None) if goal.kind in CHECKED else None
    return thing is not None and _holds(world, goal, thing)


def _holds(world: World, goal: Goal, thing: GameObject) -> bool:
    if goal.kind == "have":
        return world.location_of(thing.id) == INVENTORY
    if goal.kind == "gone":
        return thing.location in (GONE, UNKNOWN)
    if goal.kind == "in":
        holder = world.resolve(goal.holder)
        return holder is not None and thing.location == holder.id
    state, wanted = _STATES[goal.kind]
    known = thing.is_(state)
    if known is None and goal.kind == "unlocked":
        return thing.is_("open") is True
    return known is wanted


def blockers(world: World, wanted: str | Goal) -> list[Blocker]:
    """What stands between now and a goal; empty if nothing is known to."""
    goal = as_goal(wanted)
    if goal is None or is_satisfied(world, goal):
        return []
    if goal.kind in _OF_ONESELF:
        return [Blocker(_OF_ONESELF[goal.kind])]
    if goal.kind == "at":
        return [Blocker("elsewhere", goal.place)]
    thing = world.resolve(goal.thing, goal.place or None)
    if thing is None:
        return [Blocker("unknown", goal.thing)]
    return [*_before_touching(world, thing), *_before_done(world, goal, thing)]


def _before_touching(world: World, thing: GameObject) -> list[Blocker]:
    """What keeps one from touching a thing: the dark, the way there, somebody who has it, lids."""
    found = [Blocker("posture")] if world.inside else []
    if world.dark:
        found.append(Blocker("dark"))
    place = world.location_of(thing.id)
    if not place:
        return [*found, Blocker("unknown", thing.id)]
    if place not in (INVENTORY, world.room):
        found.append(Blocker("elsewhere", place))
    for holder in reversed(world.holders_of(thing.id)):
        if holder.has("person") or holder.has("creature"):
            found.append(Blocker("guarded", holder.id))
        elif holder.is_("open") is False or holder.is_("locked"):
            found.append(Blocker("closed", holder.id))
    return found


def _before_done(world: World, goal: Goal, thing: GameObject) -> list[Blocker]:
    """What keeps a goal from being reached, once one can touch the thing."""
    if goal.kind == "in":
        holder = world.resolve(goal.holder)
        if holder is None:
            return [Blocker("unknown", goal.holder)]
        held = world.location_of(thing.id) == INVENTORY
        found = [] if held else [Blocker("missing", thing.id)]
        closed = holder.is_("open") is False
        return [*found, Blocker("closed", holder.id)] if closed else found
    if goal.kind == "gone":
        return [Blocker("guarded", thing.id)]
    if goal.kind == "unlocked" or (goal.kind == "open" and thing.is_("locked")):
        return [Blocker("locked", thing.id)]
    stuck = goal.kind == "open" and world.needs_tool(thing)
    return [Blocker("stuck", thing.id)] if stuck else []
