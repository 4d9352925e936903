"""The map as a typed view over plain data that lives in the graph state."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import networkx as nx

from environments.game import Observation
from managers.extraction import TurnExtraction
from managers.map.learn import Learner
from managers.map.values import Blocked, Exit, Passage, Room
from managers.text.directions import DIRECTIONS, opposite
from managers.text.layout import same_title


class Ways(NamedTuple):
    """What is known of the ways out of one room."""

    passages: Mapping[str, Passage]
    blocked: Mapping[str, Blocked]
    untried: Sequence[Exit]
    mentioned: int
    """How many of the untried ones the prose mentions; they come first."""


KnownWays = tuple[Any, Any, Any, Ways]
"""The entries of a room, which are replaced and never edited, and what was made of them."""


class Map:
    """Rooms by stable identity, passages with evidence, and the frontier."""

    def __init__(self, data: dict[str, Any], ways: dict[str, KnownWays] | None = None) -> None:
        self.data = data
        """Plain data: what goes into the graph state."""
        self._ways: dict[str, KnownWays] = {} if ways is None else ways
        self._now: dict[str, Ways] = {}
        self._mazes: frozenset[str] | None = None

    @classmethod
    def empty(cls) -> Map:
        """The map before the first room."""
        return cls(
            {
                "here": "", "moved": 0, "new": 0, "count": 0, "style": [0, 0], "came": [],
                "rooms": {}, "edges": {}, "blocked": {},
            }
        )  # fmt: skip

    @classmethod
    def from_state(cls, data: dict[str, Any]) -> Map:
        """A view that leaves the given data as they are, whatever is applied to it."""
        return cls(data).copy()

    def copy(self) -> Map:
        """A view to apply a turn to; what was looked up before is not made again."""
        data = self.data
        copied = {**data, "rooms": dict(data["rooms"]), "edges": dict(data["edges"])}
        return Map(copied, self._ways)

    def apply(self, extraction: TurnExtraction, observation: Observation, command: str) -> None:
        """Learn from one turn; `command` is empty at the opening."""
        self._now.clear()
        self._mazes = None
        Learner(self.data).apply(extraction, observation, command)

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
        entry = self.data["rooms"][id]
        return Room(
            id,
            entry["title"],
            entry["text"],
            entry["visits"],
            entry["first"],
            entry["last"],
            bool(entry.get("dark")),
            tuple(entry["exits"]),
            id in self.mazes(),
        )

    def title(self, id: str) -> str:
        """The title of a room; empty where there is none."""
        return str(self.data["rooms"][id]["title"]) if id else ""

    def is_dark(self, id: str) -> bool:
        """The room was dark when last seen."""
        return bool(self.data["rooms"][id].get("dark"))

    def mazes(self) -> frozenset[str]:
        """The rooms that share title and description with another one."""
        if self._mazes is None:
            looks: dict[tuple[str, int], list[str]] = {}
            for id, entry in self.data["rooms"].items():
                if entry["print"]:
                    looks.setdefault((entry["title"], entry["print"]), []).append(id)
            alike = [ids for ids in looks.values() if len(ids) > 1]
            self._mazes = frozenset(id for ids in alike for id in ids)
        return self._mazes

    def rooms(self) -> list[Room]:
        """All rooms in the order of their discovery."""
        return [self.room(id) for id in self.data["rooms"]]

    def passages(self, id: str) -> Mapping[str, Passage]:
        """Command -> passage out of a room, supposed ways back included (`seen == 0`)."""
        return (self._now.get(id) or self._ways_from(id)).passages

    def blocked(self, id: str) -> Mapping[str, Blocked]:
        """Direction -> why it did not lead out of the room when it was tried last."""
        return (self._now.get(id) or self._ways_from(id)).blocked

    def untried(self, id: str) -> Sequence[Exit]:
        """Directions never walked nor refused, those the prose mentions first."""
        return self._ways_from(id).untried

    def mentioned(self, id: str) -> Sequence[Exit]:
        """The untried directions that the prose of a room mentions."""
        ways = self._ways_from(id)
        return ways.untried[: ways.mentioned]

    def lit_rooms(self) -> list[str]:
        """The rooms that were seen in the light, in the order of their discovery."""
        return [id for id, entry in self.data["rooms"].items() if not entry.get("dark")]

    def frontier(self, rooms: Sequence[str]) -> Iterator[tuple[str, Exit]]:
        """The untried directions of rooms in their order, all that are mentioned first."""
        for room in rooms:
            for way in self.mentioned(room):
                yield room, way
        for room in rooms:
            ways = self._ways_from(room)
            for way in ways.untried[ways.mentioned :]:
                yield room, way

    def _ways_from(self, id: str) -> Ways:
        ways = self._now.get(id)
        if ways is None:
            ways = self._now[id] = self._looked_up(id)
        return ways

    def _looked_up(self, id: str) -> Ways:
        data = self.data
        room, edges, blocked = data["rooms"].get(id), data["edges"].get(id), data["blocked"].get(id)
        known = self._ways.get(id)
        if known is None or not (known[0] is room and known[1] is edges and known[2] is blocked):
            known = (room, edges, blocked, _ways(room, edges or {}, blocked or {}))
            self._ways[id] = known
        return known[3]

    def find(self, text: str) -> list[str]:
        """The rooms a text means: an id (`L3`) or a title."""
        if text.upper() in self.data["rooms"]:
            return [text.upper()]
        return [id for id, entry in self.data["rooms"].items() if same_title(entry["title"], text)]

    def is_one_way(self, id: str, command: str) -> bool:
        """The way back was tried and leads elsewhere or nowhere."""
        edge = self.data["edges"].get(id, {}).get(command)
        back = opposite(command)
        if not edge or not back:
            return False
        returning = self.data["edges"].get(edge[0], {}).get(back)
        elsewhere = bool(returning and returning[1] and returning[0] != id)
        return elsewhere or back in self.data["blocked"].get(edge[0], {})

    def to_networkx(self) -> nx.MultiDiGraph[str]:
        """The map as a graph: nodes with `title`, edges with `command`, `seen`, `one_way`."""
        graph: nx.MultiDiGraph[str] = nx.MultiDiGraph()
        for id, entry in self.data["rooms"].items():
            graph.add_node(id, title=entry["title"])
        for start, outgoing in self.data["edges"].items():
            for command, edge in outgoing.items():
                graph.add_edge(
                    start,
                    edge[0],
                    key=command,
                    command=command,
                    seen=edge[1],
                    one_way=self.is_one_way(start, command),
                )
        return graph


def _ways(
    room: Mapping[str, Any] | None, edges: Mapping[str, Any], blocked: Mapping[str, Any]
) -> Ways:
    known = {**edges, **blocked}
    walked = {way for way in known if len(known[way]) > 3 or known[way][1]}
    exits = room["exits"] if room else ()
    mentioned = [Exit(way, True) for way in exits if way not in walked]
    silent = [Exit(way, False) for way in DIRECTIONS if way not in walked and way not in exits]
    return Ways(
        {
            way: Passage(way, edge[0], edge[1], edge[2], len(edge) > 3)
            for way, edge in edges.items()
        },
        {way: Blocked(way, *entry) for way, entry in blocked.items()},
        mentioned + silent,
        len(mentioned),
    )
