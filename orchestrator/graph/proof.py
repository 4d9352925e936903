"""Whether a graph comes through a turn: every field that is read was written, every loop ends."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations, pairwise

import networkx as nx
from langgraph.graph import END, START

from orchestrator.errors import ConfigError, unknown
from orchestrator.graph.fields import reduced
from orchestrator.graph.routing import Routing, routing_of
from orchestrator.graph.spec import GAME, named
from orchestrator.graph.topology import LAST, OPENING, TURN, Branches, Seat, Topology, as_said
from orchestrator.roles import ROLES
from orchestrator.state import NEVER_EMPTY, WRITES

# -- what has been written where -----------------------------------------------


Written = frozenset[str]


class Writing:
    """What is written in one pass through a graph.

    Args:
        topology: The graph.
        firsts: The nodes that it begins with.
        before: What is written already.
    """

    def __init__(self, topology: Topology, firsts: Iterable[str], before: Written) -> None:
        self.topology = topology
        self._firsts = tuple(firsts)
        self._before = before
        shape = topology.shape
        reached = [
            *self._firsts,
            *(one for first in self._firsts for one in shape.reachable(first)),
        ]
        self.nodes = [one for one in dict.fromkeys(reached) if one != END]
        self._after: dict[str, Written] = dict.fromkeys(self.nodes, frozenset(topology.fields))
        while self._improved():
            pass

    @property
    def end(self) -> Written:
        """What is written in the end."""
        return self.known(END)

    def after(self, name: str) -> Written:
        """What is written when a node has run."""
        return self._after[name]

    def known(self, name: str) -> Written:
        """What is written when a node runs: of all ways that lead to it, what they share."""
        shape = self.topology.shape
        ways = [self._before] if name in self._firsts else []
        for source in self.nodes:
            if source in shape.ways and name in shape.ways[source].nodes:
                ways.append(self._after[source])
                ways += self._around(source)
        for join in shape.joins:
            if join.target == name and all(one in self._after for one in join.sources):
                ways.append(frozenset().union(*(self._after[one] for one in join.sources)))
        return frozenset.intersection(*ways) if ways else self._before

    def _around(self, source: str) -> list[Written]:
        """A list may be empty; then the node that runs for each of it is passed by."""
        if self.topology.seats[source].config.each in (None, *NEVER_EMPTY):
            return []
        ways = self.topology.shape.ways
        return [self._after[one] for one in self.nodes if one in ways and source in ways[one].nodes]

    def _improved(self) -> bool:
        changed = False
        for name in self.nodes:
            known = self.known(name)
            now = known | surely(self.topology, name, known)
            changed = changed or now != self._after[name]
            self._after[name] = now
        return changed


def surely(topology: Topology, name: str, known: Written) -> Written:
    """What a node writes whenever it runs, if that is known before."""
    if name not in topology.within:
        return topology.seats[name].surely
    inner = topology.within[name]
    return Writing(inner, inner.shape.ways[START].targets[""], known).end


def may_write(topology: Topology, name: str) -> Written:
    """What a node, or one within it, may write."""
    if name not in topology.within:
        return topology.seats[name].writes
    return frozenset().union(*(seat.writes for seat in topology.within[name].all_seats))


# -- what is read where --------------------------------------------------------


JOINED = {"proposals": "judge", "opinions": "vote"}
"""List of answers -> the role that makes one of them."""
AT_THE_END = WRITES[GAME]
"""What is there when the opening or a turn is over; the rest is there for those who read it."""
ITEM = "item"


def found(writing: Writing, name: str) -> Written:
    """What is there when a node runs."""
    is_each = writing.topology.seats[name].config.each is not None
    return writing.known(name) | ({ITEM} if is_each else frozenset())


def prove_reads(topology: Topology, writing: Writing, routings: Mapping[str, Routing]) -> None:
    """What the nodes and routers of a graph read has been written on every way to them.

    Raises:
        ConfigError: which node reads what, and what would mend it.
    """
    for name in writing.nodes:
        known = found(writing, name)
        _prove(topology, name, f"{name!r} reads", topology.seats[name].reads(known) - known)
        if name in routings:
            missing = routings[name].needs - writing.after(name)
            at = topology.where("edges", name, "router")
            _prove(topology, name, f"the router behind {name!r} reads", missing, at)


def prove_end(topology: Topology, writing: Writing, key: str) -> None:
    """All that is expected of the opening, or of a turn, has been written in the end.

    Raises:
        ConfigError: something has not.
    """
    for one in sorted(AT_THE_END - writing.end):
        raise ConfigError(
            f"{topology.where(key)}: {one!r} is not written on every way to the end of "
            f"{'the opening' if key == 'opening' else 'a turn'}; let every way go through {GAME!r}"
        )


def prove_joined(topology: Topology) -> None:
    """Answers that are put into a list are read before the game goes on.

    Raises:
        ConfigError: they would be dropped.
    """
    for name in topology.seats:
        for listed in sorted(_left(topology, name)):
            way = _way_past(topology, name, listed)
            if way:
                raise ConfigError(
                    f"{topology.place(name)}: {name!r} puts its answer into {listed!r}, which "
                    f"nobody reads on the way {' -> '.join(way)}; put a {JOINED[listed]} behind it"
                    f"{_ALSO.get(listed, '')}"
                )


_ALSO = {"opinions": ", or leave its into = 'opinions' out: then every objection counts"}


def _left(topology: Topology, name: str) -> Written:
    """The lists that a node, or one within it, puts something into for others to read."""
    if name not in topology.within:
        into = topology.seats[name].config.into
        return frozenset({into} if into in JOINED else ())
    inner = topology.within[name]
    left = (
        (listed, _way_past(inner, node, listed))
        for node in inner.seats
        for listed in _left(inner, node)
    )
    return frozenset(listed for listed, way in left if way)


def _way_past(topology: Topology, name: str, listed: str) -> list[str]:
    """A way from a node to the game or the end on which nobody reads a list; empty if none is."""
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from((name, END))
    readers = {one for one in topology.seats if one != name and _reads(topology, one, listed)}
    for one in topology.seats:
        if one not in readers:
            onward = ([END] if other == GAME else [other] for other in topology.shape.after(one))
            graph.add_edges_from((one, other) for [other] in onward if other not in readers)
    if not nx.has_path(graph, name, END):
        return []
    return [*map(as_said, nx.shortest_path(graph, name, END))]


def _reads(topology: Topology, name: str, listed: str) -> bool:
    if name not in topology.within:
        return listed in topology.seats[name].needs
    return any(listed in seat.needs for seat in topology.within[name].all_seats)


def _prove(topology: Topology, name: str, who: str, missing: Written, at: str = "") -> None:
    at = at or topology.place(name)
    for one in sorted(missing):
        raise ConfigError(
            f"{at}: {who} {one!r}, which is not written on every way to it; "
            f"{_remedy(topology, name, one)}"
        )


def _remedy(topology: Topology, name: str, field: str) -> str:
    writers = {other: it for other, it in topology.seats.items() if field in it.writes}
    before = [it for one, it in writers.items() if name in topology.shape.reachable(one)]
    if before:
        return _why_not_always(before[0], field)
    if writers:
        return f"put {' or '.join(writers)} before it"
    for seat in topology.seats.values():
        into = seat.config.into
        if into is not None and seat.role is not None and seat.role.answer == field:
            reader = JOINED.get(into, "node that reads it")
            at = topology.where(*seat.key, "into")
            return (
                f"the answer of {seat.name!r} goes into {into!r} ({at}): put a {reader} behind it"
            )
    roles = [role.name for role in ROLES.values() if field in role.writes]
    for role in roles:
        if role in topology.graph.nodes and not topology.graph.nodes[role].active:
            return f"{role!r} would, and is switched off: {topology.where('nodes', role, 'use')}"
    if field in JOINED:
        roles = [f"one with into = {field!r}"]
    return f"put a node before it that does{': ' if roles else ''}{' or '.join(roles)}"


def _why_not_always(seat: Seat, field: str) -> str:
    """What to do where a node stands before it that does not surely write the field."""
    if seat.config.each is not None:
        return (
            f"{seat.name!r} does not run where there is nothing in {seat.config.each!r}: "
            "put a node beside it that always answers"
        )
    if field not in seat.surely:
        return f"{seat.name!r} writes it now and then only: read it with state.get({field!r})"
    return f"let every way to it go through {seat.name!r}"


# -- the whole -----------------------------------------------------------------


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
        self._into_branches()
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
        known = [*self.topology.seats, LAST]
        for name, way in self.shape.ways.items():
            for label, nodes in way.targets.items():
                at = self.where("edges", name, *(["to", label] if label else []))
                if not nodes:
                    raise ConfigError(
                        f"{at}: leads to a node that is switched off, behind which nothing says "
                        "how to go on; let it lead elsewhere"
                    )
                for node in nodes:
                    if node not in (END, *self.topology.seats):
                        raise ConfigError(f"{at} = {node!r}: {unknown('node', node, known)}")

    def _into_branches(self) -> None:
        """Who leads to parallel branches begins all of them: what follows waits for all."""
        for group in self.shape.groups:
            firsts, inside = (
                {branch[0] for branch in group},
                {one for some in group for one in some},
            )
            for name, way in self.shape.ways.items():
                for label, nodes in way.targets.items() if name not in inside else ():
                    within = inside.intersection(nodes)
                    if within and within != firsts:
                        self._refuse_branch(name, label, min(within), group)

    def _refuse_branch(self, name: str, label: str, node: str, group: Branches) -> None:
        at = self.where(label) if name == START else ""
        at = at or self.where("edges", name, *(["to", label] if label else []))
        others = " and ".join(repr(branch[0]) for branch in group if node not in branch)
        raise ConfigError(
            f"{at}: leads to {node!r}, one of several parallel branches, and what follows these "
            f"waits for {others} too; let it lead to a node before them all, or take {node!r} "
            "out of the brackets"
        )

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
            if there in map(as_said, nodes)
        ]
        keys.sort(key=lambda key: self.where.is_taken_over(*key))
        return self.where(*keys[0]) if keys else ""

    def _way_without_game(self, first: str) -> list[str]:
        graph = self._graph(first, END)
        graph.remove_nodes_from([GAME] if first != GAME else [])
        if first == GAME or not nx.has_path(graph, first, END):
            return []
        return [*map(as_said, nx.shortest_path(graph, first, END))]


def _answers(seat: Seat, written: str) -> bool:
    return seat.role is not None and seat.role.answer == written
