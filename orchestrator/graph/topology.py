"""A graph file with its names looked up: sequence, fields, every node with role and part."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import networkx as nx
from langgraph.graph import END, START

from orchestrator.config import GraphConfig
from orchestrator.errors import ConfigError, unknown
from orchestrator.graph.fields import Fields, fields_of, is_list, reduced
from orchestrator.graph.spec import (
    GAME,
    EdgeConfig,
    InsertConfig,
    NodeConfig,
    PartGraph,
    Step,
    Where,
    named,
    names_code,
)
from orchestrator.roles import ROLES, ModelPart, Role, role_of
from orchestrator.settings.models import DEFAULT
from orchestrator.settings.parts import (
    answers,
    load_part,
    named_fields,
    refuse_async,
    takes,
    takes_model,
)
from orchestrator.settings.stories import teller
from orchestrator.state import WRITES

# -- the sequence, with what is inserted ---------------------------------------


Branches = list[list[str]]
"""Nodes in a row, several rows at the same time; a step of a single node is one row of one."""
LAST = "END"
"""What a graph file calls the end."""
APPROVAL = "approval"


@dataclass
class Edge:
    """Where a node leads: label -> nodes; without a router the label is empty."""

    targets: dict[str, tuple[str, ...]]
    router: EdgeConfig | None = None


@dataclass
class GraphPlan:
    """What a graph file says, in one form."""

    turn: list[Branches]
    opening: list[Branches] = field(default_factory=list)
    edges: dict[str, Edge] = field(default_factory=dict)

    def insert(self, name: str, extra: InsertConfig) -> None:
        """Put a node after another one, or before it; what opens the story stays the first."""
        if extra.after:
            self._put(name, extra.after, 1)
            if extra.after in self.edges:
                self.edges[name] = self.edges.pop(extra.after)
            if not self._has(name):
                self.edges[extra.after] = Edge({"": (name,)})
        elif extra.before:
            self._put(name, extra.before, 0)
            self._lead(extra.before, (name,))
            if not self._has(name):
                self.edges[name] = Edge({"": (extra.before,)})

    def leave_out(self, name: str) -> None:
        """Take a node out; what led to it leads to what follows it in the sequence."""
        following = tuple(self._following(name))
        self.edges.pop(name, None)
        self._lead(name, following)
        for sequence in (self.turn, self.opening):
            for branches in sequence:
                for branch in branches:
                    branch[:] = [node for node in branch if node != name]
                branches[:] = [branch for branch in branches if branch]
            sequence[:] = _flattened(branches for branches in sequence if branches)

    def approve(self, where: Where) -> None:
        """Have a person asked before the game, who may send the turn back to its actor.

        A graph that says itself where it leads from there stays as it is.
        """
        if APPROVAL in self.edges:
            return
        said = self.edges["critic"].targets.get("object") if "critic" in self.edges else None
        actor = said or tuple(name for step in self.turn for name in step[0] if name == "actor")
        if not actor:
            raise ConfigError(
                f"{where('approve')}: no node named 'actor' to go back to; put 'approval' into the "
                "sequence, and say in [edges.approval] where its labels object and play lead"
            )
        self._put(APPROVAL, GAME, 0)
        self._lead(GAME, (APPROVAL,))
        to = {"object": actor[0], "play": GAME}
        router = EdgeConfig(router="decision", to=to)
        self.edges[APPROVAL] = Edge({label: (node,) for label, node in to.items()}, router)

    def _put(self, name: str, anchor: str, behind: int) -> None:
        for sequence in (self.turn, self.opening):
            for number, branches in enumerate(sequence):
                for branch in branches:
                    begins = sequence is self.opening and not number and branch[0] == anchor
                    if anchor in branch and (behind or not begins):
                        branch.insert(branch.index(anchor) + behind, name)
            sequence[:] = _flattened(sequence)

    def _has(self, name: str) -> bool:
        return any(name in branch for step in (*self.turn, *self.opening) for branch in step)

    def _lead(self, old: str, instead: tuple[str, ...]) -> None:
        """Have all edges that lead to a node lead to others."""
        for edge in self.edges.values():
            for label, nodes in edge.targets.items():
                changed = [instead if node == old else (node,) for node in nodes]
                edge.targets[label] = tuple(node for some in changed for node in some)

    def _following(self, name: str) -> Iterator[str]:
        for sequence in (self.turn, self.opening):
            for branches, after in pairwise([*sequence, [[LAST]]]):
                for branch in branches:
                    if name in branch:
                        rest = branch[branch.index(name) + 1 :]
                        yield from rest[:1] or (one[0] for one in after)
                        return
        if name in self.edges and self.edges[name].router is None:
            yield from self.edges[name].targets[""]


def plan_of(
    part: PartGraph,
    opening: Sequence[Step] = (),
    insert: Mapping[str, InsertConfig] | None = None,
) -> GraphPlan:
    """What a graph file comes to.

    Args:
        part: Nodes and edges.
        opening: The sequence before the first turn, of a whole graph.
        insert: Extra nodes.
    """
    plan = GraphPlan(
        _steps(part.sequence), _steps(opening), _edges(part, (*part.sequence, *opening))
    )
    for name, extra in (insert or {}).items():
        plan.insert(name, extra)
    for name, node in part.nodes.items():
        if not node.active:
            plan.leave_out(name)
    return plan


def _edges(part: PartGraph, steps: Iterable[Step]) -> dict[str, Edge]:
    """Those of the nodes that are in the graph; a base graph may tell of others."""
    edges: dict[str, Edge] = {}
    queue = [name for step in steps for branch in _branches(step) for name in branch]
    for name in queue:
        if name in part.edges and name not in edges:
            edges[name] = _edge(part.edges[name])
            queue += [node for nodes in edges[name].targets.values() for node in nodes]
    return edges


def _edge(edge: str | EdgeConfig) -> Edge:
    if isinstance(edge, str):
        return Edge({"": (edge,)})
    return Edge({label: (node,) for label, node in edge.to.items()}, edge)


def _steps(sequence: Sequence[Step]) -> list[Branches]:
    return list(_flattened(map(_branches, sequence)))


def _branches(step: Step) -> Branches:
    if isinstance(step, str):
        return [[step]]
    return [[branch] if isinstance(branch, str) else list(branch) for branch in step]


def _flattened(steps: Iterable[Branches]) -> list[Branches]:
    """A single branch is no branch but a part of the sequence."""
    flat: list[Branches] = []
    for branches in steps:
        flat += [branches] if len(branches) > 1 else [[[node]] for node in branches[0]]
    return flat


# -- which node leads where ----------------------------------------------------


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
        aside = (node for group in self.groups for branch in group for node in branch)
        told = [one for one in (*self.ways, *aside) if one not in (START, *seen)]
        return [*seen, *dict.fromkeys(told)]

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
        ConfigError: opening and turn contradict each other, or leave a branch from within; or
            there is no turn.
    """
    if not plan.turn:
        raise ConfigError(f"{where('sequence')} names no node that is switched on")
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


def as_said(node: str) -> str:
    """A node as a graph file calls it."""
    return LAST if node == END else node


# -- nodes with their roles and parts ------------------------------------------


ITEMS = 8
"""So many items of a list have a node run for them, if nothing else is said."""
GIVEN = {1: "the briefing", 2: "the briefing and what it is about"}
"""What a part is asked with, by the number of values."""
MODEL = "llm"
"""The short name of a part that asks a model."""


@dataclass(frozen=True)
class Seat:
    """A node with what plays it."""

    path: str
    """Its name, after those of the nodes that it stands within: `critics.strict`."""
    key: tuple[str, ...]
    """Where its table stands, within its own graph."""
    config: NodeConfig
    needs: frozenset[str] = frozenset()
    writes: frozenset[str] = frozenset()
    role: Role | None = None
    """None for a node of a user's own, and where a graph stands for it."""
    part: Any = None
    """The class or function that plays it; None where none does."""

    @property
    def name(self) -> str:
        """Its own name."""
        return self.key[1]

    @property
    def surely(self) -> frozenset[str]:
        """What it writes whenever it runs."""
        sometimes = self.role.sometimes if self.role else frozenset()
        if self.role and self.role.answer in sometimes and self.config.into is not None:
            sometimes |= {self.config.into}
        return self.writes - sometimes

    def reads(self, known: frozenset[str]) -> frozenset[str]:
        """What it needs where so much has been written: the game needs more once it is open."""
        is_open = self.role is not None and self.role.writes <= known
        return self.needs | (self.role.needs_open if self.role and is_open else frozenset())

    @property
    def options(self) -> dict[str, Any]:
        """What the part is made with."""
        settings = self.role.settings if self.role else ()
        return {key: one for key, one in self.config.options.items() if key not in settings}

    @property
    def model(self) -> str | None:
        """The name of the model that the part asks, if it asks one."""
        asks = self.part is ModelPart or takes_model(self.part)
        return str(self.options.get("model", DEFAULT)) if asks else None

    @property
    def items(self) -> int:
        """For so many items of a list it runs at most."""
        return self.config.at_most or ITEMS


@dataclass(frozen=True)
class Topology:
    """A graph with its nodes; those for which a graph stands have a topology of their own."""

    graph: PartGraph
    where: Where
    fields: Fields
    shape: Shape
    seats: Mapping[str, Seat] = field(default_factory=dict)
    within: Mapping[str, Topology] = field(default_factory=dict)

    def place(self, name: str) -> str:
        """Where a node is put into the sequence, or else its table."""
        if name in named(self.graph.sequence):
            return self.where.text("sequence", name)
        return self.where(*self.seats[name].key)

    @property
    def all_seats(self) -> Iterator[Seat]:
        """Those of the graphs within, too."""
        for name, seat in self.seats.items():
            yield from self.within[name].all_seats if name in self.within else [seat]


def topology_of(config: GraphConfig, given: Mapping[str, Any] | None = None) -> Topology:
    """The topology of a whole graph; `given` are parts that are there already, by role.

    Raises:
        ConfigError: a name in it is unknown, or does not fit where it stands.
    """
    fields = fields_of(config.state, config.where)
    reader = _Reader(config, config.where, fields, insert=config.insert, given=given)
    topology = reader.topology(config)
    modes = (seat for seat in topology.all_seats if seat.role is ROLES["mode"])
    if config.mind.modes and not any(modes):
        raise ConfigError(
            f"{config.where('mind', 'modes')}: no node chooses the mode; put 'mode' into the "
            "sequence, before 'planner'"
        )
    return topology


def part_topology(config: GraphConfig) -> Topology:
    """The topology of a graph that is to stand for a node, read without the graph around it.

    Raises:
        ConfigError: a name in it is unknown, or does not fit where it stands.
    """
    return _Reader(config, config.where, fields_of(config.state, config.where)).topology()


def is_part(config: GraphConfig) -> bool:
    """Whether a graph commands no game, so that it can only stand for a node of another."""
    return GAME not in _placed(config) and not config.insert


def whole_shape(config: GraphConfig) -> Shape:
    """The shape of a whole graph, as its file says; no part of it is looked up or loaded.

    Raises:
        ConfigError: it has none.
    """
    plan = plan_of(config, config.opening, config.insert)
    if config.approve:
        plan.approve(config.where)
    return shape_of(plan, config.where)


def part_shape(part: PartGraph, where: Where) -> Shape:
    """The shape of a graph that stands for a node.

    Raises:
        ConfigError: it has none.
    """
    return shape_of(plan_of(part), where)


class _Reader:
    """Looks up the names of one graph."""

    def __init__(
        self,
        graph: PartGraph,
        where: Where,
        fields: Fields,
        insert: Mapping[str, InsertConfig] | None = None,
        path: str = "",
        given: Mapping[str, Any] | None = None,
    ) -> None:
        self.graph = graph
        self.where = where
        self.fields = fields
        self.inserted = insert or {}
        self.path = path
        self.given = given or {}

    def topology(self, whole: GraphConfig | None = None) -> Topology:
        if whole and is_part(whole):
            raise ConfigError(
                f"{self.where('sequence')}: names no 'game', so that it can only stand for a node: "
                f"use = 'graph:{whole.name}.toml' in another file; or put 'game' into it"
            )
        self._check_inserted()
        self._check_tables(whole.opening if whole else ())
        shape = whole_shape(whole) if whole else part_shape(self.graph, self.where)
        seats = {name: self._seat(name) for name in shape.nodes}
        within = {
            name: _Reader(
                seat.config.graph, self.where.within("nodes", name, "graph"), self.fields,
                path=f"{seat.path}.", given=self.given,
            ).topology()
            for name, seat in seats.items()
            if seat.config.graph is not None
        }  # fmt: skip
        return Topology(self.graph, self.where, self.fields, shape, seats, within)

    def _seat(self, name: str) -> Seat:
        if name in self.inserted:
            extra = self.inserted[name]
            node = NodeConfig.model_validate(extra.model_dump(exclude={"after", "before"}))
            return self._own(("insert", name), node)
        node = self.graph.nodes.get(name, NodeConfig())
        key, named = ("nodes", name), node.role or name
        if node.graph is not None:
            return self._of_graph(key, node)
        if named in ROLES:
            return self._of_role(key, node, ROLES[named])
        if node.role is not None:
            at = self.where(*key, "role")
            described = load_part(node.role, {}, at, "role") if names_code(node.role) else None
            if described is None:
                raise ConfigError(f"{at}: {unknown('role', node.role, ROLES)} or module:Class")
            return self._of_role(key, node, role_of(described, name, f"{at} = {node.role!r}"))
        if names_code(node.use):
            return self._own(key, node)
        known = dict.fromkeys([*self.graph.nodes, *self.inserted, *_plain_roles()])
        known.pop(name, None)
        place = self.where(*key) if name in self.graph.nodes else self._place(name)
        raise ConfigError(f"{place}: {unknown('node', name, known)}; a node of your own has a "
                          f"table [nodes.{name}] with role = or use =")  # fmt: skip

    def _of_graph(self, key: tuple[str, ...], node: NodeConfig) -> Seat:
        """A node for which a graph stands; what is said of it stands in the tables of its nodes."""
        at, stands = self.where(*key, "into"), f"a graph stands for {key[1]!r}, and"
        if node.into is not None:
            raise ConfigError(
                f"{at}: {stands} hands on what its nodes write; say into in the tables of these"
            )
        if node.options:
            at = self.where(*key, min(node.options))
            raise ConfigError(f"{at}: {stands} has no options; say it in the tables of its nodes")
        return Seat(self.path + key[1], key, node)

    def _of_role(self, key: tuple[str, ...], node: NodeConfig, role: Role) -> Seat:
        writes = role.writes
        if node.into is not None:
            writes = (role.writes - {role.answer}) | {self._into(key, node.into, role)}
        if node.each is not None:
            self._check_list(key, node.each)
        needs = role.reads | ({node.each} if node.each else frozenset())
        for one in sorted(writes - self.fields.keys()):
            raise ConfigError(
                f"{self.where(*key, 'role')}: {role.name} writes {one!r}, which is no field; "
                f"declare it: [state.{one}] with type ="
            )
        part = self._part(key, node, role)
        return Seat(self.path + key[1], key, node, needs, writes, role, part)

    def _part(self, key: tuple[str, ...], node: NodeConfig, role: Role) -> Any:
        at = self.where(*key, "use")
        if role.name == GAME and node.use is not None:
            teller(node, at)
            return None
        if not role.method and node.options:
            option = self.where(*key, min(node.options))
            raise ConfigError(f"{option}: {role.name} has no options; leave it out")
        if not role.method:
            if node.use is not None:
                raise ConfigError(f"{at} = {node.use!r}: no part plays {role.name}; leave it out")
            return None
        if node.use is None:
            known = ", ".join([*role.parts, "module:Class", "none"])
            at = at if key[1] in self.graph.nodes else self._place(key[1])
            raise ConfigError(
                f"{at}: {key[1]!r} has no use, which says who plays it; write "
                f"[nodes.{key[1]}] with use = one of {known}"
            )
        if node.use == MODEL and role.kind is not None and MODEL not in role.parts:
            return ModelPart
        part = self.given.get(role.name)
        part = load_part(node.use, role.parts, at, role.name) if part is None else part
        _check_fit(part, role, node.use, at)
        return part

    def _own(self, key: tuple[str, ...], node: NodeConfig) -> Seat:
        """A node of a user's own: a function of the state, or a class of such."""
        at, use = self.where(*key, "use"), str(node.use)
        part = load_part(use, {}, at, "node")
        if not takes(part, 1, 2):
            raise ConfigError(
                f"{at} = {use!r}: does not take the state; a node is a function of it, "
                "or a class whose instances are called with it; see docs/graphs.md"
            )
        refuse_async(part, at, use, awaited=True)
        needs, writes = (
            frozenset(named_fields(part, attribute) if declared is None else declared)
            for attribute, declared in (("needs", node.needs), ("writes", node.writes))
        )
        for name, fields in (("needs", needs), ("writes", writes)):
            for one in sorted(fields - self.fields.keys()):
                known = unknown("field", one, self.fields)
                raise ConfigError(
                    f"{self.where(*key, name)}: {known}; or declare it: [state.{one}] with type ="
                )
        if node.each is not None:
            self._check_list(key, node.each)
            needs |= {node.each}
        return Seat(self.path + key[1], key, node, needs, writes, None, part)

    def _into(self, key: tuple[str, ...], into: str, role: Role) -> str:
        at = f"{self.where(*key, 'into')} = {into!r}"
        if not role.answer:
            raise ConfigError(f"{at}: {role.name} has no answer that could go elsewhere")
        if into not in self.fields:
            known = unknown("field", into, self.fields)
            raise ConfigError(f"{at}: {known}; or declare it: [state.{into}] with type =")
        joined = {name for name, one in self.fields.items() if reduced(one) and is_list(one)}
        lists = [name for name in self.fields if name in joined and name not in WRITES[GAME]]
        if into not in lists:
            shown = ", ".join(lists)
            raise ConfigError(f"{at}: is no list with a reducer; these are: {shown}")
        return into

    def _check_list(self, key: tuple[str, ...], name: str) -> None:
        at = f"{self.where(*key, 'each')} = {name!r}"
        lists = [one for one, kind in self.fields.items() if is_list(kind)]
        if name not in lists:
            raise ConfigError(f"{at}: {unknown('list', name, lists)}")

    def _check_inserted(self) -> None:
        taken = {*self.graph.nodes, *ROLES}
        for name, extra in self.inserted.items():
            at = self.where("insert", name)
            if name in taken or not name.isidentifier():
                raise ConfigError(f"{at}: a new node needs a name of its own, in letters")
            anchor = extra.after or extra.before
            if anchor is None or (extra.after and extra.before):
                raise ConfigError(f"{at}: say after = NODE or before = NODE")
            placed = _placed(self.graph)
            earlier = list(self.inserted)[: list(self.inserted).index(name)]
            if anchor not in (*placed, *earlier):
                raise ConfigError(f"{at}: {unknown('node', anchor, placed)}")

    def _check_tables(self, opening: Any) -> None:
        """A table that nothing leads to is a slip, unless a base graph has it for a role."""
        known = dict.fromkeys([*_placed(self.graph), *named(opening), *self.inserted])
        for kind, tables in (("nodes", self.graph.nodes), ("edges", self.graph.edges)):
            for name in tables:
                if name not in known and name not in ROLES:
                    raise ConfigError(
                        f"{self.where(kind, name)}: {unknown('node', name, known)}; "
                        "nothing leads there: put it into the sequence"
                    )

    def _place(self, name: str) -> str:
        """Where a name without a table is used first."""
        for key in ("sequence", "opening"):
            if name in named(getattr(self.graph, key, [])):
                return self.where.text(key, name)
        for source, edge in self.graph.edges.items():
            to = {"": edge} if isinstance(edge, str) else edge.to
            for label, node in to.items():
                if node == name:
                    return self.where("edges", source, *(["to", label] if label else []))
        return self.where("sequence")


def _check_fit(part: Any, role: Role, use: str, at: str) -> None:
    misfit = ""
    if not callable(getattr(part, role.method, None)):
        misfit = f"it has no method {role.method}(briefing)"
    elif role.given and not answers(part, role.method, role.given):
        misfit = f"its method {role.method} has to take {GIVEN[role.given]}"
    if misfit:
        raise ConfigError(
            f"{at} = {use!r}: does not fit the role {role.name}, {misfit}; see docs/roles.md"
        )
    refuse_async(part, at, use, role.method, awaited=True)


def _plain_roles() -> Iterator[str]:
    return (name for name, role in ROLES.items() if not role.method)


def _placed(graph: PartGraph) -> list[str]:
    """The nodes that sequence and edges name."""
    targets = (
        [edge] if isinstance(edge, str) else edge.to.values() for edge in graph.edges.values()
    )
    led = (one for some in targets for one in some)
    found = dict.fromkeys([*named(graph.sequence), *led])
    return [one for one in found if one != LAST]
