"""What turned out to be needed for what: found in, opened with, reached after; and its graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

import networkx as nx

from managers.language.actions import Action, direction_of
from managers.language.lexicon import classes_of
from managers.world.hypotheses import HELP

if TYPE_CHECKING:
    from managers.language.reading import TurnExtraction
    from managers.world.map import Map
    from managers.world.things import Things
    from managers.world.view import World

MOST_NEEDS = 6
"""How many needs of one thing or room are kept."""
_MOST_ROOMS = 12
_REVEALS_NOTHING = frozenset("take drop put look inventory wait go ask tell say show talk".split())


class Links:
    """Needs by goal, both ids of things (`iron_grate`) or rooms (`L9`)."""

    def __init__(self, things: Things) -> None:
        self.things = things
        self.data = things.data

    def learn(
        self,
        command: Action,
        extraction: TurnExtraction,
        before: str,
        known: frozenset[str],
        new_room: bool,
    ) -> None:
        """Learn from one turn; `before` is the room it began in, `known` what was known then."""
        room, stays = self.data["room"], self.data["room"] == before
        action = extraction.action_result
        if new_room and before:
            # It needs the room before, and what was done there to get on.
            deeds = self.data["deeds"].get(before, ()) if direction_of(action.action) else ()
            for cause in (before, *deeds):
                self.need(room, cause)
        meant = self._meant(command) if stays else []
        for id in [id for id in self.things.rows if id not in known]:
            self._found(id, room, meant)
        if meant and action.result != "failure":
            self._done(command, meant, room)

    def _meant(self, command: Action) -> list[str]:
        """The things that a command was about, if it could reveal or change anything."""
        if not command.object or command.verb in _REVEALS_NOTHING:
            return []
        names = (command.object, command.second)
        found = (self.things.find(name, self.data["room"], gone=True) for name in names if name)
        return [id for id in found if id]

    def _found(self, id: str, room: str, meant: list[str]) -> None:
        """A thing seen for the first time: in a holder, by a deed, or just in its room."""
        holder = self.things.rows[id]["at"]
        causes = [cause for cause in meant if cause not in (id, holder)]
        if holder in self.things.rows:
            causes = [holder, *causes]
        for cause in causes or [room]:
            self.need(id, cause)

    def _done(self, command: Action, meant: list[str], room: str) -> None:
        """Keep what was done here until a new room shows what it was good for."""
        if len(meant) > 1 and command.preposition == "with":
            self.need(meant[0], meant[1])
        kinds = classes_of(self.things.rows[meant[0]]["name"])
        lid = command.verb in ("open", "unlock") and "container" in kinds and "door" not in kinds
        if command.has("plain") or lid:  # Opening a box opens no way.
            return
        deeds = dict(self.data["deeds"])
        done = [id for id in deeds.pop(room, ()) if id not in meant]
        deeds[room] = [*done, *meant][-MOST_NEEDS:]
        self.data["deeds"] = {key: deeds[key] for key in list(deeds)[-_MOST_ROOMS:]}

    def need(self, goal: str, needs: str) -> None:
        """Note that a thing or room needs another one."""
        links = self.data["links"]
        known = links.get(goal, [])
        if goal != needs and needs not in known and needs and len(known) < MOST_NEEDS:
            self.data["links"] = {**links, goal: [*known, needs]}


def puzzle_graph(world: World, map: Map) -> nx.DiGraph[str]:
    """A graph with an edge from every goal to what it needs.

    Nodes are ids of things and rooms with `name` and `kind`; edges have `sure` (1 for what play
    has shown, the hypothesis's confidence for the rest).
    """
    graph: nx.DiGraph[str] = nx.DiGraph()
    for goal, needs in world.data["links"].items():
        for need in needs:
            _edge(graph, world, map, goal, need, 1.0)
    for idea in world.hypotheses():
        known = graph.has_edge(idea.object, idea.subject)
        if idea.predicate in HELP and not idea.disproven and not known:
            _edge(graph, world, map, idea.object, idea.subject, idea.confidence)
    return graph


def _edge(
    graph: nx.DiGraph[str], world: World, map: Map, goal: str, need: str, sure: float
) -> None:
    for id in (goal, need):
        if id not in graph:
            thing = world.get(id)
            name = thing.name if thing else _title(map, id)
            graph.add_node(id, name=name, kind="thing" if thing else "room")
    graph.add_edge(goal, need, sure=sure)


def _title(map: Map, id: str) -> str:
    return map.room(id).title if id in map.data["rooms"] else id
