"""Which room is this? Title, description and topology decide where no room id is given."""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping
from typing import Any, NamedTuple

from managers.language.actions import WORDS
from managers.language.layout import same_title, sentences
from managers.language.lexicon import grammar, words_of

KEPT_CHARACTERS = 160
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


def similarity(one: str, other: str) -> float:
    """How alike two descriptions begin, 0 to 1, by the words that say something."""
    closed = grammar()
    idle = closed["determiner"] | closed["preposition"] | closed["auxiliary"] | closed["pronoun"]
    a, b = (set(words_of(text[:KEPT_CHARACTERS])) - idle - WORDS.keys() for text in (one, other))
    return len(a & b) / len(a | b) if a and b else 0.0


def lights_up(room: Row, arrival: Arrival, rooms: Mapping[str, Row]) -> bool:
    """A dim place under a title that no room has yet, now that there is light: the same place."""
    if any(same_title(one["title"], arrival.title) for one in rooms.values()):
        return False
    told = room["text"] if len(room["text"]) < _LONG else ""  # Of the dark there is little to say.
    was, now = f"{room['title']} {told}", f"{arrival.title} {arrival.description}"
    return bool(_DIM.search(was)) and not _DIM.search(now)


class Identity(NamedTuple):
    """Decides which known room an arrival is."""

    rooms: Mapping[str, Row]
    edges: Mapping[str, Any]
    style: str
    arrival: Arrival
    start: str
    """The room one came from."""
    back: str | None
    """The command that should lead back there, if any."""

    def find(self, command: str) -> str | None:
        """The id of the room a command led to; None for one never seen before."""
        rooms, arrival = self.rooms, self.arrival
        if arrival.tree_id:
            return next((id for id in rooms if rooms[id].get("tree") == arrival.tree_id), None)
        led = self.edges.get(self.start, {}).get(command)
        if led and (lights_up(rooms[led[0]], arrival, rooms) or self._leads_here(led)):
            return str(led[0])
        if not arrival.title:
            return None
        same = [id for id, room in rooms.items() if same_title(room["title"], arrival.title)]
        if not arrival.description:
            return self._by_title(same)
        look = fingerprint(arrival.description)
        if exact := [id for id in same if rooms[id]["print"] == look]:
            return self._by_description(exact)
        if len(same) == 1 and same[0] != self.start and len(arrival.description) >= _LONG:
            alike = similarity(rooms[same[0]]["text"], arrival.description) >= _ALIKE
            return same[0] if alike else None
        return None

    def _leads_here(self, led: list[Any]) -> bool:
        """It may be the room where a passage leads or is supposed to, by more than the title."""
        room, walked, arrival = self.rooms[str(led[0])], led[1], self.arrival
        if not arrival.title or not room["title"]:
            titled = arrival.dark or bool(room.get("dark"))
        else:
            titled = same_title(room["title"], arrival.title)
        if not titled or not arrival.description or not room["print"]:
            return titled
        said = fingerprints(arrival.description).intersection(room.get("said", ()))
        unlike = not said and similarity(room["text"], arrival.description) < _UNLIKE
        if walked:
            return not (unlike and self.style == "verbose")
        if unlike and min(len(room["text"]), len(arrival.description)) >= _LONG:
            return False
        return not self._repeats(room)

    def _repeats(self, room: Row) -> bool:
        """A game that describes rooms only once does not say the very same short text again.

        Of a room that is known from earlier episodes it says it on the first visit.
        """
        return bool(
            self.style == "brief"
            and room["visits"]
            and len(self.arrival.description) < _TOO_LONG_FOR_TWINS
            and room["print"] == fingerprint(self.arrival.description)
        )

    def _by_description(self, exact: list[str]) -> str | None:
        """Which of the rooms with exactly this description, if any of them."""
        jumped = self.back is None
        if len(exact) == 1 and (jumped or not self._repeats(self.rooms[exact[0]])):
            return exact[0] if self.style == "brief" or exact[0] != self.start else None
        if self.style == "brief":
            return None
        returning, possible = self._by_way_back(exact)
        return next(iter([*returning, *(id for id in possible if id != self.start)]), None)

    def _by_title(self, same: list[str]) -> str | None:
        """Which of the rooms with this title, where nothing is described: the one seen last."""
        returning, possible = self._by_way_back(same)
        if returning:
            return returning[0]
        possible = possible or same
        others = [id for id in possible if id != self.start] or possible
        return max(others, key=lambda id: int(self.rooms[id]["last"]), default=None)

    def _by_way_back(self, ids: list[str]) -> tuple[list[str], list[str]]:
        """The rooms from which the way back led to the start, and those from which it may."""
        edges = {id: self.edges.get(id, {}).get(self.back) for id in ids}
        walked = {id: edge[0] for id, edge in edges.items() if edge and edge[1]}
        returning = [id for id in ids if walked.get(id) == self.start]
        return returning, [id for id in ids if walked.get(id, self.start) == self.start]
