"""Which room is this? Title, description and topology decide where no room id is given."""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping
from itertools import chain
from typing import Any, NamedTuple

from managers.language.actions import WORDS
from managers.language.layout import same_title, sentences
from managers.language.lexicon import grammar, words_of

SHOWN = 160
"""How many characters of a description are kept."""
_ALIKE = 0.5
_UNLIKE = 0.2
_LONG = 100
_SENTENCE = 40
_TOO_LONG_FOR_TWINS = 200
_DIM = re.compile(r"\b(?:dark|darkness|unlit|gloom)\b", re.IGNORECASE)

Row = Mapping[str, Any]
"""A room as it lies in the state."""


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


def fingerprints(description: str) -> frozenset[int]:
    """Those of its long sentences: what is told once may stand before a description."""
    long = (one for one in sentences(description) if len(one) >= _SENTENCE)
    return frozenset(map(fingerprint, long))


def likeness(one: str, other: str) -> float:
    """How alike two descriptions begin, 0 to 1, by the words that say something."""
    a, b = _content(one[:SHOWN]), _content(other[:SHOWN])
    return len(a & b) / len(a | b) if a and b else 0.0


def _content(text: str) -> set[str]:
    closed = grammar()
    idle = closed["determiner"] | closed["preposition"] | closed["auxiliary"] | closed["pronoun"]
    return {word for word in words_of(text) if word not in idle and word not in WORDS}


def lights_up(room: Row, arrival: Arrival, rooms: Mapping[str, Row]) -> bool:
    """A dim place under a title that no room has yet, now that there is light: the same place."""
    if any(same_title(one["title"], arrival.title) for one in rooms.values()):
        return False
    told = room["text"] if len(room["text"]) < _LONG else ""  # Of the dark there is little to say.
    was, now = f"{room['title']} {told}", f"{arrival.title} {arrival.description}"
    return bool(_DIM.search(was)) and not _DIM.search(now)


class Identity:
    """Decides which known room an arrival is; None means a room never seen before."""

    def __init__(self, rooms: Mapping[str, Row], edges: Mapping[str, Any], style: str):
        self.rooms = rooms
        self.edges = edges
        self.style = style

    def find(self, arrival: Arrival, start: str, command: str, back: str | None) -> str | None:
        """`start` and `command` say where one came from, `back` is the command back, if any."""
        if arrival.tree_id:
            rooms = self.rooms.items()
            return next((id for id, room in rooms if room.get("tree") == arrival.tree_id), None)
        led = self.edges.get(start, {}).get(command)
        if led and lights_up(self.rooms[led[0]], arrival, self.rooms):
            return str(led[0])
        if led and self._could_be(led[0], arrival) and not self._is_twin(led, arrival):
            return str(led[0])
        if not arrival.title:
            return None
        same = [id for id, room in self.rooms.items() if same_title(room["title"], arrival.title)]
        if not arrival.description:
            return self._brief(same, start, back)
        look = fingerprint(arrival.description)
        if exact := [id for id in same if self.rooms[id]["print"] == look]:
            return self._described(arrival, exact, start, back, jumped=back is None)
        if len(same) == 1 and same[0] != start and self._resembles(same[0], arrival):
            return same[0]
        return None

    def _could_be(self, id: str, arrival: Arrival) -> bool:
        room = self.rooms[id]
        if not arrival.title or not room["title"]:
            return arrival.dark or bool(room.get("dark"))
        return same_title(room["title"], arrival.title)

    def _is_twin(self, led: list[Any], arrival: Arrival) -> bool:
        """Only the title is that of the room where this passage leads, or is supposed to."""
        room = self.rooms[str(led[0])]
        if not arrival.description or not room["print"]:
            return False
        unlike = likeness(room["text"], arrival.description) < _UNLIKE and fingerprints(
            arrival.description
        ).isdisjoint(room.get("said", ()))
        if led[1]:
            return self.style == "verbose" and unlike
        if unlike and min(len(room["text"]), len(arrival.description)) >= _LONG:
            return True
        return self._repeats(room, arrival)

    def _repeats(self, room: Row, arrival: Arrival) -> bool:
        """A game that describes rooms only once does not say the very same short text again.

        Of a room that is known from earlier episodes it says it on the first visit.
        """
        return bool(
            self.style == "brief"
            and room["visits"]
            and len(arrival.description) < _TOO_LONG_FOR_TWINS
            and room["print"] == fingerprint(arrival.description)
        )

    def _described(
        self, arrival: Arrival, exact: list[str], start: str, back: str | None, *, jumped: bool
    ) -> str | None:
        """Which of the rooms with exactly this description, if any of them."""
        if len(exact) == 1 and (jumped or not self._repeats(self.rooms[exact[0]], arrival)):
            return exact[0] if self.style == "brief" or exact[0] != start else None
        return self._twin(exact, start, back)

    def _twin(self, exact: list[str], start: str, back: str | None) -> str | None:
        """Which of several rooms that look the same; only the ways can tell."""
        if self.style == "brief":
            return None
        returning = (id for id in exact if self._leads(id, back) == start)
        free = (id for id in exact if id != start and not self._elsewhere(id, start, back))
        return next(chain(returning, free), None)

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
