"""Which fields have surely been written when a node runs, whatever way the turn took."""

from __future__ import annotations

from collections.abc import Iterable

from langgraph.graph import END, START

from orchestrator.graph.topology import Topology
from orchestrator.state import NEVER_EMPTY

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
        return [
            self._after[one] for one in self.nodes if source in ways.get(one, ways[START]).nodes
        ]

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
