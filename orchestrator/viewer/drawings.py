"""Drawings of what a state holds: the map, the puzzles, the graph of a turn."""

from __future__ import annotations

from collections.abc import Iterator

from langgraph.graph import END, START

from managers.world.attempts import FailedAction
from managers.world.map import Map
from managers.world.objects import GameObject
from managers.world.puzzles import puzzle_graph
from managers.world.view import World
from orchestrator.config import GraphConfig
from orchestrator.graph.spec import PartGraph, Where
from orchestrator.graph.topology import Shape, is_part, part_shape, whole_shape
from orchestrator.state import NEVER_EMPTY
from orchestrator.viewer.chart import Chart, Exit, Place, RoomWay
from orchestrator.viewer.diagram import Diagram, DrawnEdge, diagram
from orchestrator.viewer.states import State, rooms_of, world_of

_LISTED = 0.9
"""How sure one is of a thing that the game has listed."""
_MOST_FAILED = 8
_NO_EXIT = "no_exit"
"""Why nothing leads in a direction: nothing is there, and nothing needs to be drawn."""


def chart_of(state: State) -> Chart:
    """The map after a turn, with things, player and the path of the last turns."""
    world, rooms = world_of(state), rooms_of(state)
    ids = [room.id for room in rooms.rooms()]
    return Chart(
        tuple(
            Place(
                id,
                rooms.title(id),
                rooms.room(id).dark,
                tuple(_things_at(world, id)),
                tuple((one.turn, one.command) for one in _failed(rooms, id)),
            )
            for id in ids
        ),
        tuple(
            RoomWay(id, one.to, command, bool(one.seen), one.random)
            for id in ids
            for command, one in rooms.ways(id).passages.items()
        ),
        (
            *(
                Exit(id, way, "untried")
                for id in ids
                for way in rooms.ways(id).mentioned
                if way not in rooms.ways(id).passages
            ),
            *(
                Exit(id, way, "blocked", one.error_message)
                for id in ids
                for way, one in rooms.attempts.blocked(id).items()
                if one.reason != _NO_EXIT and way not in rooms.ways(id).passages
            ),
        ),
        rooms.here,
        (*(turn.room.partition(" ")[0] for turn in state.get("recent", ())), rooms.here),
    )


def _failed(rooms: Map, room: str) -> list[FailedAction]:
    """What was tried in a room in vain, the latest last."""
    return sorted(rooms.attempts.failures_at(room), key=lambda one: one.turn)[-_MOST_FAILED:]


def _things_at(world: World, room: str) -> Iterator[str]:
    return (one.name for one in world.at(room) if _is_thing(one))


def _is_thing(one: GameObject) -> bool:
    """It is more than a word of the prose: of a known kind, listed by the game, or carried once."""
    return bool(one.properties or one.taken or one.confidence >= _LISTED)


def puzzles_of(state: State) -> Diagram:
    """What needs what, as far as is known after a turn; what is only supposed is dashed."""
    world, rooms = world_of(state), rooms_of(state)
    graph = puzzle_graph(world, rooms)
    names = {str(id): str(name) for id, name in graph.nodes(data="name")}
    needs = (
        DrawnEdge(need, goal, "" if data["sure"] >= 1 else f"{data['sure']:.0%}", data["sure"] >= 1)
        for goal, need, data in graph.edges(data=True)
        if goal != need
    )
    return diagram(names, needs)


def turn_diagram(config: GraphConfig) -> Diagram:
    """The graph of a turn with those within it, by its config alone: no part of it is loaded."""
    shape = part_shape(config, config.where) if is_part(config) else whole_shape(config)
    outline = _Outline(config, shape, config.where)
    return diagram({START: "start", **outline.names(), END: "end"}, outline.edges())


class _Outline:
    """A graph and those that stand for its nodes, told as nodes and edges of one."""

    def __init__(self, graph: PartGraph, shape: Shape, where: Where, path: str = "") -> None:
        self.graph, self.shape, self.path = graph, shape, path
        self.within: dict[str, _Outline] = {}
        for name in shape.nodes:
            part = graph.nodes[name].graph if name in graph.nodes else None
            if part is not None:
                inner = where.within("nodes", name, "graph")
                told = _Outline(part, part_shape(part, inner), inner, f"{path}{name}.")
                self.within[name] = told

    def names(self) -> dict[str, str]:
        """What stands in the boxes, by the paths of the nodes: `critic.strict (rules)`."""
        found: dict[str, str] = {}
        for name in self.shape.nodes:
            if name in self.within:
                found |= self.within[name].names()
            else:
                node = self.graph.nodes.get(name)
                part = f" ({node.use})" if node and node.use else ""
                found[self.path + name] = f"{self.path}{name}{part}"
        return found

    def edges(self) -> Iterator[DrawnEdge]:
        """What leads where; START and END are those of the whole graph."""
        for name in (START, *self.shape.nodes):
            if name in self.within:
                yield from self.within[name].edges()
            way = self.shape.ways.get(name)
            for label, targets in way.targets.items() if way else ():
                for target in targets:
                    yield from self._edge(name, target, label or self._each(target))
                    for behind in self._behind(target):
                        yield from self._edge(name, behind, "none")
            for join in self.shape.joins:
                if name in join.sources:
                    yield from self._edge(name, join.target, "")

    def _edge(self, source: str, target: str, label: str) -> Iterator[DrawnEdge]:
        if self.path and (source == START or target == END):
            return
        for last in self._lasts(source):
            for first in self._firsts(target):
                yield DrawnEdge(last, first, label)

    def _each(self, name: str) -> str:
        node = self.graph.nodes.get(name)
        return f"each of {node.each}" if node and node.each else ""

    def _behind(self, name: str) -> tuple[str, ...]:
        """What is gone on with where there is nothing that a node could run for."""
        node = self.graph.nodes.get(name)
        if node is None or node.each is None or node.each in NEVER_EMPTY:
            return ()
        way = self.shape.ways.get(name)
        return way.targets.get("", ()) if way else ()

    def _firsts(self, name: str) -> list[str]:
        """The nodes that are entered where a name is led to."""
        if name not in self.within:
            return [name if name == END else self.path + name]
        inner = self.within[name]
        return [one for node in inner.shape.after(START) for one in inner._firsts(node)]

    def _lasts(self, name: str) -> list[str]:
        """The nodes that are left where a name leads on."""
        if name not in self.within:
            return [name if name == START else self.path + name]
        inner = self.within[name]
        ends = [node for node in inner.shape.nodes if END in inner.shape.after(node)]
        return [one for node in ends for one in inner._lasts(node)]
