"""Which room is this? Title, description and topology decide where no room id is given."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from typing import Any, NamedTuple

from managers.text.layout import same_title
from managers.text.lexicon import words_of

SHOWN = 160
"""How many characters of a description are kept."""
_ALIKE = 0.5
_LONG = 100


class Arrival(NamedTuple):
    """What one sees of a room on coming in."""

    title: str
    description: str
    dark: bool
    tree_id: int = 0
    """The room's number in the object tree, where access grants it."""


def fingerprint(description: str) -> int:
    """A number that two descriptions share only if they are the same text."""
    return zlib.crc32(" ".join(description.split()).encode()) if description else 0


def likeness(one: str, other: str) -> float:
    """How alike two descriptions begin, 0 to 1, by their words."""
    a, b = set(words_of(one[:SHOWN])), set(words_of(other[:SHOWN]))
    return len(a & b) / len(a | b) if a and b else 0.0


class Identity:
    """Decides which known room an arrival is; None means a room never seen before."""

    def __init__(
        self, rooms: Mapping[str, Mapping[str, Any]], edges: Mapping[str, Any], style: str
    ):
        self.rooms = rooms
        self.edges = edges
        self.style = style

    def find(self, arrival: Arrival, start: str, command: str, back: str | None) -> str | None:
        """`start` and `command` say where one came from, `back` is the command back, if any."""
        if arrival.tree_id:
            return self._by_id(arrival.tree_id)
        led = self.edges.get(start, {}).get(command)
        if led and self._could_be(led[0], arrival):
            if led[1] or not self._must_be_new(led[0], arrival):
                return str(led[0])
        if not arrival.title:
            return None
        same = [id for id, room in self.rooms.items() if same_title(room["title"], arrival.title)]
        if arrival.description:
            return self._described(arrival, same, start, back)
        return self._brief(same, start, back)

    def _by_id(self, tree_id: int) -> str | None:
        return next((id for id, room in self.rooms.items() if room.get("tree") == tree_id), None)

    def _could_be(self, id: str, arrival: Arrival) -> bool:
        room = self.rooms[id]
        if not arrival.title or not room["title"]:
            return arrival.dark or bool(room.get("dark"))
        return same_title(room["title"], arrival.title)

    def _must_be_new(self, id: str, arrival: Arrival) -> bool:
        """A game that describes rooms only once does not repeat the very same words."""
        room = self.rooms[id]
        return bool(
            self.style == "brief"
            and arrival.description
            and room["print"] == fingerprint(arrival.description)
        )

    def _described(
        self, arrival: Arrival, same: list[str], start: str, back: str | None
    ) -> str | None:
        undescribed = [id for id in same if not self.rooms[id]["print"]]
        if len(undescribed) == 1 and len(same) == 1:
            return undescribed[0]
        exact = [id for id in same if self.rooms[id]["print"] == fingerprint(arrival.description)]
        if self.style == "brief":
            changed = [id for id in same if id not in exact and self._resembles(id, arrival)]
            return changed[0] if len(changed) == 1 and len(same) == 1 else None
        fitting = [id for id in exact if id != start and not self._elsewhere(id, start, back)]
        if fitting or exact:
            return fitting[0] if fitting else None
        alike = [id for id in same if self._resembles(id, arrival)]
        return alike[0] if len(alike) == 1 else None

    def _resembles(self, id: str, arrival: Arrival) -> bool:
        long = len(arrival.description) >= _LONG
        return long and likeness(self.rooms[id]["text"], arrival.description) >= _ALIKE

    def _brief(self, same: list[str], start: str, back: str | None) -> str | None:
        if not same:
            return None
        returning = [id for id in same if self._leads(id, back) == start]
        if returning:
            return returning[0]
        free = [id for id in same if not self._elsewhere(id, start, back)] or same
        others = [id for id in free if id != start] or free
        return max(others, key=lambda id: int(self.rooms[id]["last"]))

    def _leads(self, id: str, back: str | None) -> str | None:
        edge = self.edges.get(id, {}).get(back) if back else None
        return str(edge[0]) if edge and edge[1] else None

    def _elsewhere(self, id: str, start: str, back: str | None) -> bool:
        leads = self._leads(id, back)
        return leads is not None and leads != start
