"""Drawings of what a state holds: the map, the puzzles, the graph of a turn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from langchain_core.runnables.graph import Graph

from managers.planning.world_model import WorldModel
from managers.world.attempts import Attempts
from managers.world.map import Map
from managers.world.puzzles import puzzle_graph
from orchestrator.viewer.chart import Chart, Exit, Place, Way
from orchestrator.viewer.diagram import Diagram, Edge, diagram

_NO_EXIT = "no_exit"
"""Why nothing leads in a direction: nothing is there, and nothing needs to be drawn."""

State = Mapping[str, Any]
"""A state as it stands in a checkpoint."""


def chart_of(state: State) -> Chart:
    """The map after a turn, with things, player and the path of the last turns."""
    world, rooms = _known(state)
    ids = [room.id for room in rooms.rooms()]
    return Chart(
        tuple(
            Place(id, rooms.title(id), rooms.is_dark(id), tuple(one.name for one in world.at(id)))
            for id in ids
        ),
        tuple(
            Way(id, one.to, command, bool(one.seen), rooms.is_one_way(id, command), one.random)
            for id in ids
            for command, one in rooms.passages(id).items()
        ),
        (
            *(
                Exit(id, one.direction, "untried")
                for id in ids
                for one in rooms.mentioned(id)
                if one.direction not in rooms.passages(id)
            ),
            *(
                Exit(id, way, "blocked", one.text)
                for id in ids
                for way, one in rooms.blocked(id).items()
                if one.reason != _NO_EXIT and way not in rooms.passages(id)
            ),
        ),
        rooms.here,
        (*(turn.room.partition(" ")[0] for turn in state.get("recent", ())), rooms.here),
    )


def _known(state: State) -> tuple[WorldModel, Map]:
    attempts = Attempts(state["attempts"])
    world = WorldModel.from_state(state["world"], attempts)
    return world, Map.from_state(state["map"], attempts)


def puzzles_of(state: State) -> Diagram:
    """What needs what, as far as is known after a turn; what is only supposed is dashed."""
    world, rooms = _known(state)
    graph = puzzle_graph(world, rooms)
    names = {str(id): str(name) for id, name in graph.nodes(data="name")}
    needs = (
        Edge(need, goal, "" if data["sure"] >= 1 else f"{data['sure']:.0%}", data["sure"] >= 1)
        for goal, need, data in graph.edges(data=True)
    )
    return diagram(names, needs)


def turn_diagram(graph: Graph) -> Diagram:
    """The graph of a turn, as LangGraph draws it: its nodes, and the conditions on its edges."""
    names = {id: _node_name(id, node.metadata or {}) for id, node in graph.nodes.items()}
    edges = [Edge(edge.source, edge.target, str(edge.data or "").strip()) for edge in graph.edges]
    return diagram(names, edges)


def _node_name(id: str, metadata: Mapping[str, Any]) -> str:
    return f"{id.strip('_')} ({metadata['part']})" if "part" in metadata else id.strip("_")
