"""Goals that can be checked, and what stands in their way."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from managers.world.objects import GONE, INVENTORY, UNKNOWN, GameObject

if TYPE_CHECKING:
    from managers.world.view import WorldModel

_KINDS = {
    "have": "have get take fetch find obtain collect grab hold carry",
    "open": "open",
    "unlocked": "unlocked unlock",
    "closed": "closed close",
    "locked": "locked lock",
    "lit": "lit light",
    "worn": "worn wear",
    "gone": "gone defeat kill defeated fight",
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
_AT = re.compile(r"^(?:be |get |go |reach )?(?:at|to) (l\d+)$", re.IGNORECASE)
_IN = re.compile(r"^(?:put |place |store )?(.+?) (?:in|into|on|onto|inside) (.+)$", re.IGNORECASE)
_NOISE = re.compile(r"^(?:the|a|an|some|to)\s+|\s*\bfrom L\d+$|\s*\bin L\d+$", re.IGNORECASE)


class Goal(NamedTuple):
    """A condition on the world: `have` lamp, `at` L5, lamp `in` case, `light`, `standing`.

    `light` is to see where one is, `burning light` to carry a light for other places.
    """

    kind: str
    thing: str = ""
    holder: str = ""

    def __str__(self) -> str:
        if self.kind == "in":
            return f"{self.thing} in {self.holder}"
        return " ".join(part for part in (self.kind, self.thing) if part)


class Blocker(NamedTuple):
    """Something between now and a goal."""

    goal: str
    kind: str
    """locked, closed, stuck, missing, elsewhere, guarded, dark, unlit, posture, unknown."""
    thing: str
    """The id of the thing that is in the way, or a room."""


@lru_cache(maxsize=1024)
def goal_of(text: str) -> Goal | None:
    """Read a goal from words; None for what cannot be checked."""
    plain = " ".join(text.strip().rstrip(".").split())
    if plain.lower() in _OF_ONESELF:
        return Goal(plain.lower())
    match = _AT.match(plain)
    if match:
        return Goal("at", match[1].upper())
    word, _, rest = plain.partition(" ")
    kind = _KIND.get(word.lower())
    placed = _IN.match(plain)
    if placed and (kind is None or kind == "have") and not re.match(r"L\d+$", placed[2]):
        inner = placed[1].split(" ", 1)[-1] if kind else placed[1]
        return Goal("in", _bare(inner), _bare(placed[2]))
    return Goal(kind, _bare(rest)) if kind and rest else None


def _bare(name: str) -> str:
    previous = ""
    while previous != name:
        previous, name = name, _NOISE.sub("", name.lower().strip())
    return name


def is_satisfied(world: WorldModel, text: str) -> bool:
    """Whether a goal is known to be reached; False where the model does not know."""
    goal = goal_of(text)
    if goal is None:
        return False
    if goal.kind == "light":
        return not world.dark
    if goal.kind == "burning light":
        return any(_burns(thing) for thing in world.inventory())
    if goal.kind == "standing":
        return not world.inside
    if goal.kind == "at":
        return bool(world.room == goal.thing)
    thing = world.resolve(goal.thing)
    return thing is not None and _holds(world, goal, thing)


def _burns(thing: GameObject) -> bool:
    return thing.has("light-source") and bool(thing.is_("lit") or thing.is_("on"))


def _holds(world: WorldModel, goal: Goal, thing: GameObject) -> bool:
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


def blockers(world: WorldModel, text: str) -> list[Blocker]:
    """What stands between now and a goal; empty if nothing is known to."""
    goal = goal_of(text)
    if goal is None or is_satisfied(world, text):
        return []
    if goal.kind in _OF_ONESELF:
        return [Blocker(text, _OF_ONESELF[goal.kind], "")]
    if goal.kind == "at":
        return [Blocker(text, "elsewhere", goal.thing)]
    thing = world.resolve(goal.thing)
    if thing is None:
        return [Blocker(text, "unknown", goal.thing)]
    found = [*_around(world, text), *_reach(world, text, thing)]
    if goal.kind == "in":
        return [*found, *_delivery(world, text, thing, goal.holder)]
    kind = _fastening(world, goal.kind, thing)
    return [*found, Blocker(text, kind, thing.id)] if kind else found


def _fastening(world: WorldModel, wanted: str, thing: GameObject) -> str:
    """What keeps a thing as it is, once one stands before it."""
    if wanted == "gone":
        return "guarded"
    if wanted == "unlocked" or (wanted == "open" and thing.is_("locked")):
        return "locked"
    return "stuck" if wanted == "open" and world.needs_tool(thing) else ""


def _around(world: WorldModel, text: str) -> list[Blocker]:
    found = [Blocker(text, "posture", "")] if world.inside else []
    return [*found, Blocker(text, "dark", "")] if world.dark else found


def _reach(world: WorldModel, text: str, thing: GameObject) -> list[Blocker]:
    """What is in the way of touching a thing: lids, locks, somebody who has it, the way there."""
    place = world.location_of(thing.id)
    if not place:
        return [Blocker(text, "unknown", thing.id)]
    found = []
    for holder in world.holders_of(thing.id):
        if holder.has("person") or holder.has("creature"):
            found.append(Blocker(text, "guarded", holder.id))
        elif holder.is_("open") is False or holder.is_("locked"):
            found.append(Blocker(text, "closed", holder.id))
    if place not in (INVENTORY, world.room):
        found.append(Blocker(text, "elsewhere", place))
    return found[::-1]


def _delivery(world: WorldModel, text: str, thing: GameObject, name: str) -> list[Blocker]:
    holder = world.resolve(name)
    if holder is None:
        return [Blocker(text, "unknown", name)]
    found = [] if world.location_of(thing.id) == INVENTORY else [Blocker(text, "missing", thing.id)]
    if holder.is_("open") is False:
        found.append(Blocker(text, "closed", holder.id))
    return found
