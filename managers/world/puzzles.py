"""The puzzle dependency graph: what has turned out, or is supposed, to need what."""

from __future__ import annotations

from typing import TYPE_CHECKING

import networkx as nx

if TYPE_CHECKING:
    from managers.world.map import Map
    from managers.world.view import World

_PREDICATES = frozenset({"unlocks", "opens", "defeats"})


def puzzle_graph(world: World, map: Map) -> nx.DiGraph[str]:
    """A graph with an edge from every goal to what it needs.

    Nodes are ids of things and rooms with `name` and `kind`; edges have `sure` (1 for what play
    has shown, the hypothesis's confidence for the rest).
    """
    graph: nx.DiGraph[str] = nx.DiGraph()
    for goal, needs in world.links().items():
        for need in needs:
            _edge(graph, world, map, goal, need, 1.0)
    for idea in world.hypotheses():
        known = graph.has_edge(idea.object, idea.subject)
        if idea.predicate in _PREDICATES and not idea.disproven and not known:
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
