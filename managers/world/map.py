"""The map as a typed view over plain data that lives in the graph state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from typing import NamedTuple

from environments.game import Observation
from managers.language.actions import DIRECTIONS, parse
from managers.language.reading import TurnExtraction
from managers.world.attempts import Attempts
from managers.world.mapping import EdgeRow, MapData, MapUpdate, empty_map

_NOTHING: Mapping[str, EdgeRow] = {}


class Room(NamedTuple):
    """A place, shown as `L<n>`."""

    id: str
    title: str
    text: str
    visits: int
    last_turn: int
    dark: bool
    """It was dark when last seen."""
    maze: bool
    """Another room shares its title and description."""


class Passage(NamedTuple):
    """A way out of a room; non-compass moves are passages too."""

    command: str
    to: str
    seen: int
    """How often it was walked; 0 for a way back that is only supposed."""
    random: bool
    """It has led to different rooms."""


class Ways(NamedTuple):
    """What is known of the ways out of one room."""

    passages: Mapping[str, Passage]
    """By their commands, supposed ways back included (`seen == 0`)."""
    mentioned: Sequence[str]
    """Directions nobody has tried yet of which the room's prose speaks."""
    silent: Sequence[str]
    """The others that nobody has tried."""


class Map:
    """Rooms by stable identity, passages with evidence, and the frontier."""

    def __init__(self, data: MapData | None = None, attempts: Attempts | None = None) -> None:
        self.data = data or empty_map()
        self.attempts = attempts or Attempts()
        self._ways: dict[str, tuple[object, object, object, Ways]] = {}
        """Room -> what its ways were made of, and they; maps of later turns share it."""
        self._mazes: frozenset[str] | None = None

    def copy(self) -> Map:
        """A view to apply a turn to."""
        new, rooms, edges = copy(self), dict(self.data["rooms"]), dict(self.data["edges"])
        new.data = {**self.data, "rooms": rooms, "edges": edges}
        return new

    def apply(self, extraction: TurnExtraction, observation: Observation, command: str) -> None:
        """Learn from one turn; `command` is empty at the opening."""
        self._mazes = None
        MapUpdate(self.data, self.attempts, extraction, observation, command).apply()

    @property
    def names_rooms(self) -> bool:
        """The story has named a room by a line of its own, so that it always does."""
        return any(row["title"] and not row.get("unnamed") for row in self.data["rooms"].values())

    @property
    def here(self) -> str:
        """The id of the room the player is in; empty before the first."""
        return str(self.data["here"])

    @property
    def moved(self) -> bool:
        """The last turn led into another room."""
        return bool(self.data["moved"])

    @property
    def new_room(self) -> bool:
        """The last turn led into a room never seen before."""
        return bool(self.data["new"])

    def room(self, id: str) -> Room:
        """The room with this id. Raises KeyError for an unknown one."""
        row, maze = self.data["rooms"][id], id in self.mazes()
        said, dark = (row["title"], row["text"]), bool(row.get("dark"))
        return Room(id, *said, row["visits"], row["last"], dark, maze)

    def title(self, id: str) -> str:
        """The title of a room; empty where there is none."""
        return str(self.data["rooms"][id]["title"]) if id else ""

    def label(self, id: str) -> str:
        """A room as the agent speaks of it: `L3 Kitchen`; empty where there is none."""
        return f"{id} {self.title(id)}".strip()

    def mazes(self) -> frozenset[str]:
        """The rooms that share title and description with another one."""
        if self._mazes is None:
            described = {id: row for id, row in self.data["rooms"].items() if row["print"]}
            looks = {id: (row["title"], row["print"]) for id, row in described.items()}
            often = Counter(looks.values())
            self._mazes = frozenset(id for id, look in looks.items() if often[look] > 1)
        return self._mazes

    def rooms(self) -> list[Room]:
        """All rooms in the order of their discovery."""
        return [self.room(id) for id in self.data["rooms"]]

    def lit_rooms(self) -> list[str]:
        """The rooms that were seen in the light, in the order of their discovery."""
        return [id for id, entry in self.data["rooms"].items() if not entry.get("dark")]

    def unexplored(self, rooms: Sequence[str]) -> Iterator[tuple[str, str]]:
        """The untried directions of rooms in their order, all that are mentioned first."""
        yield from ((room, way) for room in rooms for way in self.ways(room).mentioned)
        yield from ((room, way) for room in rooms for way in self.ways(room).silent)

    def ways(self, id: str) -> Ways:
        """The ways out of a room."""
        room, edges = self.data["rooms"].get(id), self.data["edges"].get(id, _NOTHING)
        tried, made = self.attempts.at(id), self._ways.get(id)
        if made and made[0] is room and made[1] is edges and made[2] is tried:
            return made[3]
        exits, blocked = room["exits"] if room else (), self.attempts.blocked(id)
        walked = {way for way, edge in edges.items() if len(edge) > 3 or edge[1]} | set(blocked)
        steep = {"up", "down"}.intersection(exits)
        if len(steep) == 1 and any(parse(way).verb == "climb" for way in walked):
            walked |= steep  # It was climbed.
        others = () if room and room.get("only") else DIRECTIONS
        ways = Ways(
            {way: Passage(way, edge[0], edge[1], len(edge) > 3) for way, edge in edges.items()},
            [way for way in exits if way not in walked],
            [way for way in others if way not in walked and way not in exits],
        )
        self._ways[id] = (room, edges, tried, ways)
        return ways
