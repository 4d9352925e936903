"""The map as a typed view over plain data that lives in the graph state."""

from __future__ import annotations

from typing import Any

import networkx as nx

from environments.game import Observation
from managers.extraction import TurnExtraction
from managers.map.learn import Learner
from managers.map.values import Blocked, Exit, Passage, Room
from managers.text.directions import DIRECTIONS, opposite
from managers.text.layout import same_title


class Map:
    """Rooms by stable identity, passages with evidence, and the frontier."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data
        """Plain data: what goes into the graph state."""

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
        return cls({**data, "rooms": dict(data["rooms"]), "edges": dict(data["edges"])})

    def apply(self, extraction: TurnExtraction, observation: Observation, command: str) -> None:
        """Learn from one turn; `command` is empty at the opening."""
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
            self._is_maze(id),
        )

    def _is_maze(self, id: str) -> bool:
        entry = self.data["rooms"][id]
        return bool(entry["print"]) and any(
            other["print"] == entry["print"] and other["title"] == entry["title"]
            for key, other in self.data["rooms"].items()
            if key != id
        )

    def rooms(self) -> list[Room]:
        """All rooms in the order of their discovery."""
        return [self.room(id) for id in self.data["rooms"]]

    def passages(self, id: str) -> dict[str, Passage]:
        """Command -> passage out of a room, supposed ways back included (`seen == 0`)."""
        return {
            command: Passage(command, edge[0], edge[1], edge[2], len(edge) > 3)
            for command, edge in self.data["edges"].get(id, {}).items()
        }

    def blocked(self, id: str) -> dict[str, Blocked]:
        """Direction -> why it did not lead out of the room when it was tried last."""
        entries = self.data["blocked"].get(id, {})
        return {way: Blocked(way, *entry) for way, entry in entries.items()}

    def untried(self, id: str) -> list[Exit]:
        """Directions never walked nor refused, those the prose mentions first."""
        known = {**self.data["edges"].get(id, {}), **self.data["blocked"].get(id, {})}
        walked = {way for way in known if len(known[way]) > 3 or known[way][1]}
        exits = self.data["rooms"][id]["exits"]
        mentioned = [Exit(way, True) for way in exits if way not in walked]
        return mentioned + [
            Exit(way, False) for way in DIRECTIONS if way not in walked and way not in exits
        ]

    def frontier(self) -> list[tuple[str, Exit]]:
        """The untried directions of all rooms that were seen in the light."""
        return [
            (id, way)
            for id, entry in self.data["rooms"].items()
            if not entry.get("dark")
            for way in self.untried(id)
        ]

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
