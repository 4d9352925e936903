"""A graph file with its names looked up: every node with its role and part, every field."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from orchestrator.config import GraphConfig
from orchestrator.errors import ConfigError, unknown
from orchestrator.graph.fields import Fields, fields_of, is_list, reduced
from orchestrator.graph.plan import GAME, LAST, plan_of
from orchestrator.graph.shape import Shape, shape_of
from orchestrator.graph.spec import InsertConfig, NodeConfig, PartGraph, named, names_code
from orchestrator.graph.where import Where
from orchestrator.roles import ROLES, ModelPart, Role, role_of
from orchestrator.settings.models import DEFAULT
from orchestrator.settings.parts import load_part, named_fields, refuse_async, takes, takes_model
from orchestrator.settings.stories import teller

ITEMS = 8
"""So many items of a list have a node run for them, if nothing else is said."""
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


def topology_of(config: GraphConfig) -> Topology:
    """The topology of a whole graph.

    Raises:
        ConfigError: a name in it is unknown, or does not fit where it stands.
    """
    fields = fields_of(config.state, config.where)
    topology = _Reader(config, config.where, fields, insert=config.insert).topology(config)
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
    if not plan.turn:
        raise ConfigError(f"{config.where('sequence')} names no node that is switched on")
    return shape_of(plan, config.where)


def part_shape(part: PartGraph, where: Where) -> Shape:
    """The shape of a graph that stands for a node.

    Raises:
        ConfigError: it has none.
    """
    plan = plan_of(part)
    if not plan.turn:
        raise ConfigError(f"{where('sequence')} names no node that is switched on")
    return shape_of(plan, where)


class _Reader:
    """Looks up the names of one graph."""

    def __init__(
        self,
        graph: PartGraph,
        where: Where,
        fields: Fields,
        insert: Mapping[str, InsertConfig] | None = None,
        path: str = "",
    ) -> None:
        self.graph = graph
        self.where = where
        self.fields = fields
        self.inserted = insert or {}
        self.path = path

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
                path=f"{seat.path}.",
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
        part = load_part(node.use, role.parts, at, role.name)
        if not callable(getattr(part, role.method, None)):
            raise ConfigError(
                f"{at} = {node.use!r}: does not fit the role {role.name}, "
                f"it has no method {role.method}(briefing); see docs/roles.md"
            )
        refuse_async(part, at, node.use, role.method, awaited=True)
        return part

    def _own(self, key: tuple[str, ...], node: NodeConfig) -> Seat:
        """A node of a user's own: a function of the state, or a class of such."""
        at, use = self.where(*key, "use"), str(node.use)
        part = load_part(use, {}, at, "node")
        if not takes(part, 1, 2):
            raise ConfigError(
                f"{at} = {use!r}: does not take the state; a node is a function of it, "
                "or a class whose instances are called with it; see docs/roles.md"
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
        kind = self.fields.get(into)
        if kind is None:
            known = unknown("field", into, self.fields)
            raise ConfigError(f"{at}: {known}; or declare it: [state.{into}] with type =")
        if not (reduced(kind) and is_list(kind)):
            lists = ", ".join(
                name for name, one in self.fields.items() if reduced(one) and is_list(one)
            )
            raise ConfigError(f"{at}: is no list with a reducer; these are: {lists}")
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
