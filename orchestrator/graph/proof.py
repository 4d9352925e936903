"""What holds of a graph before it is played: paths, loops, fields, and who writes at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, pairwise

import networkx as nx
from langgraph.graph import END, START

from orchestrator.errors import ConfigError, unknown
from orchestrator.graph.fields import reduced
from orchestrator.graph.plan import GAME, LAST
from orchestrator.graph.reading import found, prove_end, prove_joined, prove_reads
from orchestrator.graph.routing import Routing, routing_of
from orchestrator.graph.shape import OPENING, TURN
from orchestrator.graph.spec import named
from orchestrator.graph.topology import Seat, Topology
from orchestrator.graph.writing import Writing, may_write

INTO = {"proposal": "proposals", "judgements": "opinions"}
"""Where the answers of several go that are to be joined."""


def prove(topology: Topology) -> dict[str, Routing]:
    """Prove a whole graph; returns its routers, by the node that they lead on from.

    Raises:
        ConfigError: what does not hold, where, and what would mend it.
    """
    proof = _Proof(topology, whole=True)
    starts = topology.shape.ways[START].targets
    opening = Writing(topology, starts.get(OPENING, ()), frozenset())
    turn = Writing(topology, starts.get(TURN, starts.get("", ())), opening.end)
    for writing, key in ((opening, "opening"), (turn, "sequence")):
        proof.reads(writing)
        prove_end(topology, writing, key)
    prove_joined(topology)
    return proof.routings


def prove_part(topology: Topology) -> dict[str, Routing]:
    """Prove a graph that stands for a node, but for the fields; see `prove`."""
    if GAME in topology.seats:
        raise ConfigError(
            f"{topology.where.text('sequence', GAME)}: a graph that stands for a node does not "
            "command the game; let the graph around it do so"
        )
    return _Proof(topology).routings


class _Proof:
    """The proof of one graph; all that does not hang on how it begins is proved at once."""

    def __init__(self, topology: Topology, *, whole: bool = False) -> None:
        self.topology = topology
        self.shape = topology.shape
        self.where, self.place = topology.where, topology.place
        self.edges = topology.graph.edges
        self._targets()
        self._ends()
        if whole:
            self._game()
        self.routings = {
            name: routing_of(name, way, self.shape, self.where)
            for name, way in self.shape.ways.items()
            if way.router is not None
        }
        self._loops()
        self._fans()
        self._branches()
        self.within = {name: _Proof(inner) for name, inner in topology.within.items()}

    def reads(self, writing: Writing) -> None:
        """What nodes read has been written before, in the graphs within too."""
        prove_reads(self.topology, writing, self.routings)
        for name, inner in self.within.items():
            if name in writing.nodes:
                firsts = inner.shape.ways[START].targets[""]
                inner.reads(Writing(inner.topology, firsts, found(writing, name)))

    def _game(self) -> None:
        """Every way goes through the game, once."""
        starts = self.shape.ways[START].targets
        for label, key in ((OPENING, "opening"), (TURN, "sequence"), ("", "sequence")):
            for first in starts.get(label, ()):
                way = self._way_without_game(first)
                if way:
                    at = self._edge_on(way) or self.where(key)
                    raise ConfigError(
                        f"{at}: no command is played on the way {' -> '.join(way)}; "
                        "let every way go through 'game'"
                    )
        if GAME in self.shape.reachable(GAME):
            graph = self._graph()
            back = next(one for one in graph[GAME] if nx.has_path(graph, one, GAME))
            way = [GAME, *nx.shortest_path(graph, back, GAME)]
            at = self._edge_on(way) or self.place(GAME)
            raise ConfigError(
                f"{at}: leads from 'game' back to 'game', and a turn plays one "
                "command; let loops end before it"
            )

    def _targets(self) -> None:
        known = [*self.topology.seats, "END"]
        for name, way in self.shape.ways.items():
            for label, nodes in way.targets.items():
                for node in nodes:
                    if node not in (END, *self.topology.seats):
                        at = self.where("edges", name, "to", label)
                        raise ConfigError(f"{at} = {node!r}: {unknown('node', node, known)}")

    def _ends(self) -> None:
        reached = self.shape.reachable(START)
        for name in self.topology.seats:
            if name not in reached:
                raise ConfigError(
                    f"{self.place(name)}: nothing leads to {name!r}; put it into the sequence, or "
                    "let an edge lead to it"
                )
            if END not in self.shape.reachable(name):
                self._taken_over(name)
                behind = [one for one in self.shape.reachable(name) if one in self.edges]
                at = self.where("edges", behind[-1]) if behind else self.place(name)
                raise ConfigError(
                    f"{at}: from {name!r} no way leads to the end; let an edge lead on, or to END"
                )

    def _taken_over(self, name: str) -> None:
        """An edge of another file leads to a node that the sequence of this one does not name."""
        here = self.where.file("sequence")
        for source, way in self.shape.ways.items():
            if name not in way.nodes or name in named(self.topology.graph.sequence):
                continue
            if self.where.file("edges", source) not in ("", here):
                raise ConfigError(
                    f"{self.where('sequence')}: names no {name!r}, and the edge that is taken over "
                    f"({self.where('edges', source)}) leads there; name it, or write "
                    f"[edges.{source}] anew"
                )

    def _loops(self) -> None:
        """Every circle goes through an edge with a bound."""
        graph: nx.DiGraph[str] = nx.DiGraph()
        for name in self.topology.seats:
            bounded = self.routings[name].back if name in self.routings else ()
            for label, nodes in self._labelled(name):
                if label not in bounded:
                    graph.add_edges_from((name, node) for node in nodes)
        for circle in nx.simple_cycles(graph):
            source = next((one for one in circle if one in self.routings), circle[0])
            at = circle.index(source)
            way = " -> ".join([*circle[at:], *circle[:at], source])
            raise ConfigError(
                f"{self.where('edges', source)}: the loop {way} has no bound; choose by a router, "
                "and say how often a turn may go back: at_most = 2"
            )

    def _fans(self) -> None:
        inside = {name for group in self.shape.groups for branch in group for name in branch}
        for name, seat in self.topology.seats.items():
            if seat.config.each is None:
                continue
            sources = [one for one, way in self.shape.ways.items() if name in way.nodes]
            alone = len(sources) == 1 and dict(self.shape.ways[sources[0]].targets) == {"": (name,)}
            joined = any(name == join.target for join in self.shape.joins)
            if not alone or sources == [START] or joined or name in inside or name in self.routings:
                raise ConfigError(
                    f"{self.where(*seat.key, 'each')}: runs for each of {seat.config.each!r}; it "
                    "has to stand between two nodes of a sequence, in no branch and at no router; "
                    "what is more goes into a graph file of its own: use = 'graph:FILE'"
                )
            for one in sorted(may_write(self.topology, name)):
                self._reduced(name, one, f"for each of {seat.config.each!r} at the same time")

    def _branches(self) -> None:
        for group in self.shape.groups:
            for ours, theirs in combinations(group, 2):
                for name in ours:
                    for other in theirs:
                        both = may_write(self.topology, name) & may_write(self.topology, other)
                        for one in sorted(both):
                            self._reduced(other, one, f"at the same time as {name!r}")
            if any(GAME in branch for branch in group):
                raise ConfigError(
                    f"{self.place(GAME)}: 'game' is in one of several parallel branches; put it "
                    "behind them"
                )

    def _reduced(self, name: str, written: str, when: str) -> None:
        if reduced(self.topology.fields[written]):
            return
        seat = self.topology.seats[name]
        remedy = "give the field a reducer"
        if _answers(seat, written):
            into = INTO.get(written, "A_LIST")
            remedy = f"let answers go into a list (into = {into!r}) and join them behind"
        raise ConfigError(
            f"{self.where(*seat.key)}: {name!r} writes {written!r} {when}, and that field has no "
            f"reducer; {remedy}"
        )

    def _labelled(self, name: str) -> Iterator[tuple[str, Iterable[str]]]:
        if name in self.shape.ways:
            yield from self.shape.ways[name].targets.items()
        for join in self.shape.joins:
            if name in join.sources:
                yield "", (join.target,)

    def _graph(self, *besides: str) -> nx.DiGraph[str]:
        graph: nx.DiGraph[str] = nx.DiGraph()
        graph.add_nodes_from(besides)
        for name in self.topology.seats:
            graph.add_edges_from((name, node) for node in self.shape.after(name))
        return graph

    def _edge_on(self, way: list[str]) -> str:
        """Where an edge on a way stands, the file's own before those that it takes over."""
        keys = [
            ("edges", here, *(["to", label] if label else []))
            for here, there in reversed(list(pairwise(way)))
            if here in self.edges
            for label, nodes in self.shape.ways[here].targets.items()
            if there in [LAST if node == END else node for node in nodes]
        ]
        keys.sort(key=lambda key: self.where.is_taken_over(*key))
        return self.where(*keys[0]) if keys else ""

    def _way_without_game(self, first: str) -> list[str]:
        graph = self._graph(first, END)
        graph.remove_nodes_from([GAME] if first != GAME else [])
        if first == GAME or not nx.has_path(graph, first, END):
            return []
        return [one if one != END else LAST for one in nx.shortest_path(graph, first, END)]


def _answers(seat: Seat, written: str) -> bool:
    return seat.role is not None and seat.role.answer == written
