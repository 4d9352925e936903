"""How far this episode has followed what earlier ones found, and which rooms it recognises.

Plain data under `memory` in the state field `dynamics`; there is none without a memory.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from typing import Any

from managers.map.identity import fingerprint
from managers.text.directions import direction_of
from managers.trail import Step

_AHEAD = 6
"""So many steps may be left out when the way to the next one is not known."""
_PATIENCE = 16
"""Turns without progress after which a step is given up."""


def room_key(title: str, text: str) -> str:
    """A room's identity in every episode: its title, and a number for how it is described."""
    return f"{title} #{fingerprint(text):08x}"


def title_of(key: str) -> str:
    """The title in a room's key."""
    return key.rpartition(" #")[0]


class Guide:
    """A view of the plain data; what changes it returns new data."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data = data

    def __bool__(self) -> bool:
        return bool(self.data)

    @property
    def setbacks(self) -> int:
        """How often the next step was refused lately."""
        return int(self.data.get("setbacks", 0))

    def next_step(self, here: str, reachable: Container[str]) -> Step | None:
        """What comes next on the best trajectory known, with the room as this episode names it."""
        path = self.data.get("path", [])
        for room, command, points in path[:_AHEAD]:
            for id in self._named(room, here):
                if id in reachable:
                    return Step(id, command, points)
        return None

    def scoring(self) -> Iterator[tuple[Step, tuple[str, ...]]]:
        """Commands that scored in rooms found again, and what had to be carried for them."""
        for room, command, points, needs in self.data.get("scored", []):
            for id in self._named(room, ""):
                yield Step(id, command, points), tuple(needs)

    def deadly(self, room: str) -> dict[str, float]:
        """What killed in a room found again: command to its share of deaths."""
        return {cmd: chance for key, cmd, chance in self.data["deadly"] if key == room}

    def recognised(self, id: str, title: str, text: str) -> str:
        """The remembered room that a room of this episode is; empty for none."""
        if id in self.data["found"]:
            return ""
        key = room_key(title, text)
        if key in self.data["rooms"]:
            return key
        same = [known for known in self.data["rooms"] if title and title_of(known) == title]
        return same[0] if len(same) == 1 else ""

    def located(self, id: str, key: str) -> dict[str, Any]:
        """The data once a room is recognised."""
        return {**self.data, "found": {**self.data["found"], id: key}}

    def followed(self, room: str, command: str, *, moved: bool) -> dict[str, Any]:
        """The data after a turn played in `room`."""
        path, key = self.data["path"], self.data["found"].get(room, "")
        if not path:
            return dict(self.data)
        played = [number for number, one in enumerate(path[:_AHEAD]) if one[:2] == [key, command]]
        refused = bool(direction_of(command)) and not moved
        idle = self.data["idle"] + 1
        if played and not refused:
            return {**self.data, "path": path[played[0] + 1 :], "idle": 0, "setbacks": 0}
        if idle > _PATIENCE:
            return {**self.data, "path": path[1:], "idle": 0, "setbacks": 0}
        setbacks = self.setbacks + 1 if played else max(0, self.setbacks - 1)
        return {**self.data, "idle": idle, "setbacks": setbacks}

    def _named(self, key: str, here: str) -> list[str]:
        """The rooms of this episode that are the remembered one, the present one first."""
        found = self.data["found"]
        if found.get(here) == key:
            return [here]
        return [id for id, known in found.items() if known == key]
