"""What a turn changed in the state: the facts before it against the facts after it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from managers.world.map import Map
from managers.world.objects import INVENTORY, GameObject
from orchestrator.viewer.states import State, rooms_of, world_of


class ChangedFact(NamedTuple):
    """One fact that is another one now."""

    of: str
    """The field of the state: `world`, `map`, `beliefs`, `objectives`."""
    what: str
    before: str
    """Empty where nothing was known."""
    after: str
    """Empty where nothing is known any more."""


def changed_facts(before: State, after: State) -> list[ChangedFact]:
    """All facts that a turn added, changed or took away."""
    old, new = dict(_facts(before)), dict(_facts(after))
    return [
        ChangedFact(*about, old.get(about, ""), new.get(about, ""))
        for about in {**old, **new}
        if old.get(about) != new.get(about)
    ]


Fact = tuple[tuple[str, str], str]
"""The field and what it is about, and what is known of that."""


def _facts(state: State) -> Iterator[Fact]:
    rooms = rooms_of(state)
    yield from _things(state, rooms)
    yield from _places(rooms)
    yield from _beliefs(state)
    for one in state.get("objectives", ()):
        yield ("objectives", f"{one.id} {one.text}"), one.status


def _things(state: State, rooms: Map) -> Iterator[Fact]:
    world = world_of(state)
    for thing in world.objects():
        holder = world.get(thing.location)
        place = f"in or on {holder.name}" if holder else _place(thing, rooms)
        states = [name if on else f"not {name}" for name, on in thing.state.items()]
        yield ("world", thing.name), ", ".join([place, *states])


def _place(thing: GameObject, rooms: Map) -> str:
    if thing.location == INVENTORY:
        return "carried"
    known = thing.location in rooms.data["rooms"]
    return rooms.label(thing.location) if known else thing.location


def _places(rooms: Map) -> Iterator[Fact]:
    for room in rooms.rooms():
        yield ("map", rooms.label(room.id)), "dark" if room.dark else "known"
        for command, way in rooms.ways(room.id).passages.items():
            sure = "leads to" if way.seen else "perhaps leads to"
            yield ("map", f"{room.id} {command}"), f"{sure} {rooms.label(way.to)}"


def _beliefs(state: State) -> Iterator[Fact]:
    beliefs = state.get("beliefs")
    if beliefs is None:
        return
    for name in ("location", "overall_goal", "current_subgoal", "blocked_action"):
        yield ("beliefs", name.replace("_", " ")), getattr(beliefs, name)
    yield ("beliefs", "carries"), ", ".join(beliefs.inventory) or "nothing"
