"""What the outcome of a command may hang on: the key under which its failure is remembered."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from managers.text.commands import parse_command
from managers.text.directions import direction_of
from managers.text.lexicon import classes_of
from managers.world.objects import INVENTORY

if TYPE_CHECKING:
    from managers.world.data import Store


@lru_cache(maxsize=4096)
def plain(command: str) -> str:
    """A command in the form under which it is remembered."""
    return " ".join(command.lower().split())


def relevant_state(store: Store, command: str, room: str) -> str:
    """Light, posture, and place and state of the things a command is about.

    For a direction these are the things in the room that have a state and could be in the way:
    doors, guards, lids, but not what only holds things.
    """
    parsed = parse_command(command)
    names = [name for name in (parsed.object, parsed.second) if name]
    ids = [id for name in names if (id := store.find(name, room))]
    if direction_of(command):
        ids += [id for id in store.children(room) if _may_be_in_the_way(store.objects[id])]
    parts = ["dark" if store.data["dark"] else "", store.data["inside"]]
    return "|".join([*parts, *(_state_of(store, id) for id in ids)])


def _may_be_in_the_way(entry: dict[str, Any]) -> bool:
    if "state" not in entry:
        return False
    kinds = classes_of(entry["name"])
    return "door" in kinds or "container" not in kinds


def _state_of(store: Store, id: str) -> str:
    entry = store.objects[id]
    place = "held" if store.room_of(id) == INVENTORY else entry["at"]
    states = ",".join(f"{key}{int(value)}" for key, value in sorted(entry.get("state", {}).items()))
    return f"{id}@{place}:{states}"
