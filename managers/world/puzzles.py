"""What turned out to be needed for what, as a graph."""

from __future__ import annotations

import networkx as nx

from managers.world.hypotheses import HELP
from managers.world.map import Map
from managers.world.view import World


def puzzle_graph(world: World, map: Map) -> nx.DiGraph[str]:
    """A graph with an edge from every goal to what it needs.

    Nodes are ids of things and rooms with `name` and `kind`; edges have `sure` (1 for what play
    has shown, the hypothesis's confidence for the rest).
    """
    links = world.data["links"].items()
    needs = {(goal, cause): 1.0 for goal, causes in links for cause in causes}
    for idea in world.hypotheses():
        if idea.predicate in HELP and not idea.disproven:
            needs.setdefault((idea.object, idea.subject), idea.confidence)
    graph: nx.DiGraph[str] = nx.DiGraph()
    for (goal, cause), sure in needs.items():
        for id in (goal, cause):
            thing, title = world.get(id), map.title(id) if id in map.data["rooms"] else id
            name, kind = (thing.name, "thing") if thing else (title, "room")
            graph.add_node(id, name=name, kind=kind)
        graph.add_edge(goal, cause, sure=sure)
    return graph
