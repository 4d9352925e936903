"""What nodes read has been written before, and what is put into a list for one of them is read."""

from __future__ import annotations

from collections.abc import Mapping

import networkx as nx
from langgraph.graph import END

from orchestrator.errors import ConfigError
from orchestrator.graph.plan import GAME
from orchestrator.graph.routing import Routing
from orchestrator.graph.topology import Seat, Topology
from orchestrator.graph.writing import Writing, Written
from orchestrator.roles import ROLES
from orchestrator.state import WRITES

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
    return ["END" if one == END else one for one in nx.shortest_path(graph, name, END)]


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
