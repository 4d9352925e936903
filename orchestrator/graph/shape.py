"""The shape of a graph: its nodes, and where each of them leads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

import networkx as nx
from langgraph.graph import END, START

from orchestrator.errors import ConfigError
from orchestrator.graph.plan import LAST, Branches, Edge, GraphPlan
from orchestrator.graph.spec import EdgeConfig
from orchestrator.graph.where import Where

OPENING, TURN = "opening", "turn"
"""Where the start leads: before the first turn, and in every turn."""


@dataclass(frozen=True)
class Way:
    """Where a node leads."""

    targets: Mapping[str, tuple[str, ...]]
    """Label -> nodes, several of which run at the same time; empty where nobody chooses."""
    router: EdgeConfig | None = None

    @property
    def nodes(self) -> Iterator[str]:
        """All nodes it may lead to."""
        for targets in self.targets.values():
            yield from targets


@dataclass(frozen=True)
class Join:
    """A node that waits for the last ones of parallel branches."""

    sources: tuple[str, ...]
    target: str


@dataclass(frozen=True)
class Shape:
    """Nodes and edges, as they are built."""

    ways: Mapping[str, Way]
    """By the node that is left; what leads only into a join has none."""
    joins: tuple[Join, ...]
    groups: tuple[Branches, ...]
    """What runs at the same time."""

    @property
    def nodes(self) -> list[str]:
        """All of them, in the order of play."""
        seen = [node for node in [*self.reachable(START)] if node != END]
        told = [one for one in self.ways if one not in (START, *seen)]
        return [*seen, *told]

    def after(self, node: str) -> Iterator[str]:
        """The nodes that a node may lead to."""
        if node in self.ways:
            yield from self.ways[node].nodes
        yield from (join.target for join in self.joins if node in join.sources)

    def reachable(self, start: str) -> dict[str, None]:
        """All nodes behind one, the nearest first."""
        found: dict[str, None] = {}
        queue = [start]
        while queue:
            for node in self.after(queue.pop(0)):
                if node not in found:
                    found[node] = None
                    queue.append(node)
        return found

    def leads_back(self, node: str, label: str) -> bool:
        """Whether a label of a node leads to what every way to it has come through."""
        graph: nx.DiGraph[str] = nx.DiGraph()
        for name in (START, *self.nodes):
            graph.add_edges_from((name, other) for other in self.after(name))
        over = nx.immediate_dominators(graph, START)
        before, at = {node}, node
        while over.get(at, at) not in (None, at):
            at = over[at]
            before.add(at)
        return not before.isdisjoint(self.ways[node].targets[label])


def shape_of(plan: GraphPlan, where: Where) -> Shape:
    """The shape of what a graph file says.

    Raises:
        ConfigError: opening and turn contradict each other, or leave a branch from within.
    """
    drawing = _Drawing(plan, where)
    for drawing.key, sequence in (("sequence", plan.turn), ("opening", plan.opening)):
        for here, there in pairwise([*sequence, [[LAST]]]):
            drawing.step(here, there)
    for name, edge in plan.edges.items():
        drawing.edge(name, edge)
    starts = {OPENING: plan.opening, TURN: plan.turn} if plan.opening else {"": plan.turn}
    drawing.ways[START] = Way(
        {label: tuple(branch[0] for branch in steps[0]) for label, steps in starts.items()}
    )
    return Shape(drawing.ways, tuple(dict.fromkeys(drawing.joins)), tuple(drawing.groups))


class _Drawing:
    """A shape while it is made."""

    def __init__(self, plan: GraphPlan, where: Where) -> None:
        self.plan = plan
        self.where = where
        self.ways: dict[str, Way] = {}
        self.joins: list[Join] = []
        self.groups: list[Branches] = []
        self.key = "sequence"
        """Which of the two is being drawn."""
        self.keys: dict[str, str] = {}
        """By the node that is led on from."""

    def step(self, here: Branches, there: Branches) -> None:
        """Lead from one step of a sequence to the next one."""
        firsts = tuple(_end(branch[0]) for branch in there)
        if len(here) > 1:
            self.groups.append(here)
            lasts = tuple(branch[-1] for branch in here)
            self.joins += [Join(lasts, first) for first in firsts]
        else:
            self._lead(here[0][-1], firsts)
        for branch in here:
            for node, following in pairwise(branch):
                self._lead(node, (following,))

    def edge(self, name: str, edge: Edge) -> None:
        """Lead from a node as its table says."""
        if any(name in branch for group in self.groups for branch in group):
            raise ConfigError(
                f"{self.where('edges', name)}: {name!r} is in one of several parallel branches, "
                "and these go straight on; name it otherwise, or put the branch into a graph "
                "file: use = 'graph:FILE'"
            )
        targets = {label: tuple(map(_end, nodes)) for label, nodes in edge.targets.items()}
        self.ways[name] = Way(targets, edge.router)

    def _lead(self, node: str, nodes: tuple[str, ...]) -> None:
        way, known = Way({"": nodes}), self.ways.get(node)
        if known not in (None, way) and node not in self.plan.edges:
            raise self._contradiction(node, known, way)
        self.ways[node] = way
        self.keys.setdefault(node, self.key)

    def _contradiction(self, node: str, *ways: Way | None) -> ConfigError:
        here, there = (
            " and ".join(LAST if one == END else repr(one) for one in way.nodes)
            for way in ways
            if way
        )
        at = self.where.text(self.keys[node], node)
        if self.key == self.keys[node]:
            return ConfigError(
                f"{at}: {node!r} is followed by {here} in one place and by {there} in another; "
                f"name each node once, or say in [edges.{node}] who chooses"
            )
        return ConfigError(
            f"{at}: {node!r} is followed by {here} in the sequence and by {there} in the opening "
            f"({self.where('opening')}); what follows it must be the same in both: write "
            f"opening = [...] too, or say in [edges.{node}] who chooses"
        )


def _end(node: str) -> str:
    return END if node == LAST else node
