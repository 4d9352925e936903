"""The graph of a turn for LangGraph: nodes that run, edges between them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from langchain_core.runnables import Runnable, RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import Send

from managers.core.skill import SkillError
from orchestrator.checkpoints.serializer import StateSerializer
from orchestrator.config import GraphConfig
from orchestrator.errors import RoleError
from orchestrator.graph.fields import Fields, schema, written
from orchestrator.graph.proof import may_write, prove, prove_part
from orchestrator.graph.routing import Routing
from orchestrator.graph.spec import GAME
from orchestrator.graph.topology import (
    OPENING,
    TURN,
    Seat,
    Topology,
    Way,
    part_topology,
    topology_of,
)
from orchestrator.reducers import Rounds, rounds
from orchestrator.roles import Role
from orchestrator.settings.parts import make
from orchestrator.state import Item, State, Update
from orchestrator.turns.asking import Node, fitting, keeping_contract
from orchestrator.turns.context import Context, Crew, Post
from orchestrator.turns.ends import way_on

# -- a node that runs ----------------------------------------------------------


def running(
    seat: Seat,
    post: Post,
    fields: Fields,
    *,
    counted: bool,
    context: Context | None,
    own: Any = None,
) -> Node:
    """The function of a node.

    Args:
        seat: Which node.
        post: Who plays it, and in which company.
        fields: Of the state.
        counted: Whether it closes a loop, so that its runs are counted.
        context: Stands in for the caller's, for a server whose callers have none.
        own: The node itself, where it is a user's own.
    """
    role = seat.role
    writes = seat.writes if role is None else role.writes
    checked = keeping_contract(seat.path, _asking(role, post) or own, seat.needs, writes)
    kinds = _kinds(seat, fields)
    saved = StateSerializer(fields.copy)

    def node(state: State, *, runtime: Runtime[Context]) -> Update:
        try:
            update = checked(
                state, runtime=runtime.override(context=context) if context else runtime
            )
        except SkillError as error:
            raise RoleError(str(error)) from error
        if seat.config.into is not None:
            update = _redirected(update, seat, state)
        if kinds:
            update = _fitted(update, seat.path, kinds, saved)
        return {**update, "rounds": _counted(state, seat.path)} if counted else update

    node.__name__ = seat.path.rpartition(".")[2]
    return node


def _kinds(seat: Seat, fields: Fields) -> Fields:
    """The types of what a node writes that may be another: it is a user's own, or is led `into`."""
    ours = seat.role is not None and seat.role.kind is None
    return {one: written(fields[one]) for one in seat.writes if not ours or one == seat.config.into}


def _fitted(update: Update, path: str, kinds: Fields, saved: StateSerializer) -> Update:
    """The update with every value as its field's type, and such as can be read back."""
    fitted = dict(update)
    for name in update.keys() & kinds.keys():
        said = f"node {path!r} wrote {name!r} ="
        fitted[name] = fitting(said, update[name], kinds[name])
        if kinds[name] is not Any:
            saved.check_read_back(said, fitted[name])
    return fitted


def _asking(role: Role | None, post: Post) -> Callable[..., Update] | None:
    """The node of a role, with who plays it; None for a node of a user's own."""
    if role is None or role.node is None:
        return None
    function = role.node

    def asking(state: State, runtime: Runtime[Context]) -> Update:
        return function(state, runtime.context, post)

    return asking


def runs(state: State, path: str) -> int:
    """How often a counted node has run in the turn at hand."""
    rounds = state.get("rounds") or Rounds()
    return rounds.runs.get(path, 0) if rounds.turn == state.get("turn", -1) else 0


def _counting(graph: CompiledStateGraph[Any, Any, Any, Any], path: str) -> Callable[..., Update]:
    """A node for which a graph stands, with its runs counted; it closes a loop."""

    def node(state: State, config: RunnableConfig) -> Update:
        update = graph.invoke(state, config)
        counted = _counted(state, path)
        return {**update, "rounds": rounds(update.get("rounds", counted), counted)}

    return node


def _counted(state: State, path: str) -> Rounds:
    return Rounds(turn=state.get("turn", -1), runs={path: runs(state, path) + 1})


def _redirected(update: Update, seat: Seat, state: State) -> Update:
    """The answer in the list that it is to go to, with a note of who gave it."""
    assert seat.role is not None
    assert seat.config.into is not None
    into, update = seat.config.into, dict(update)
    if seat.role.answer not in update:
        return update
    answer = update.pop(seat.role.answer)
    if isinstance(answer, list):
        answer = answer[-1]
    if hasattr(answer, "by"):
        answer = answer.model_copy(update={"by": _signature(seat, state, into)})
    return {**update, into: [answer]}


def _signature(seat: Seat, state: State, into: str) -> str:
    """The node's name, with a number where it answers more than once in a turn."""
    if "item" in state:
        return f"{seat.path} {state['item'].number + 1}"
    given = cast(Mapping[str, Any], state).get(into, [])
    earlier = [one for one in given if one.turn > state["turn"] and one.by.startswith(seat.path)]
    return f"{seat.path} {len(earlier) + 1}" if earlier else seat.path


# -- the graph -----------------------------------------------------------------


NOBODY = Crew()
TurnGraph = CompiledStateGraph[State, Context, State, State]
Builder = StateGraph[Any, Any, Any, Any]


class Router(Runnable[State, Any]):
    """A router as LangGraph asks it: without a run of its own in the traces."""

    def __init__(self, route: Any, name: str = "") -> None:
        self.name = name or route.__name__
        self._route = route

    def invoke(self, input: State, config: RunnableConfig | None = None, **_kwargs: Any) -> Any:
        return self._route(input)


def build_graph(
    config: GraphConfig, crew: Crew = NOBODY, context: Context | None = None
) -> StateGraph[State, Context, State, State]:
    """The uncompiled graph of a turn, so that callers compile it with their own saver.

    Args:
        config: Nodes and edges.
        crew: Who plays the nodes, made for this config; without it the graph can be looked at and
            not played.
        context: Built in, for a server whose callers cannot pass one with every turn.

    Raises:
        ConfigError: a name in it is unknown, or it would not come through a turn.
    """
    topology = crew.topology or topology_of(config)
    return _Building(topology, prove(topology), crew, context).graph()


def compile_graph(
    config: GraphConfig,
    crew: Crew = NOBODY,
    checkpointer: BaseCheckpointSaver[Any] | None = None,
) -> TurnGraph:
    """The graph of a turn, to be invoked with the state after the one before."""
    return build_graph(config, crew).compile(checkpointer=checkpointer, name="turn")


def build_turns(
    config: GraphConfig, crew: Crew, context: Context, until: int, form: type[Any]
) -> Builder:
    """Turns in a row as one uncompiled graph, whose nodes are those of a turn.

    Args:
        config: Nodes and edges of a turn.
        crew: Who plays the nodes, made for this config.
        context: Built in.
        until: The turn that ends a run; sooner where the story ends.
        form: What callers may say instead of a context, for those who show a form.
    """
    topology = crew.topology or topology_of(config)
    return _Turns(topology, prove(topology), crew, context, until).turns(form)


def compile_part(config: GraphConfig) -> CompiledStateGraph[Any, Any, Any, Any]:
    """A graph that is to stand for a node, without the graph around it; only to be looked at.

    Raises:
        ConfigError: a name in it is unknown, or it would not come to its end.
    """
    topology = part_topology(config)
    return _Building(topology, prove_part(topology), NOBODY, None).graph().compile(name="graph")


def route_opening(state: State) -> str:
    """A new episode opens the story first."""
    return TURN if "snapshot" in state else OPENING


class _Building:
    """Builds one graph, and those that stand for nodes of it.

    Args:
        topology: What is built.
        routings: Its routers.
        crew: Who plays its nodes.
        context: Stands in for the callers', if they have none.
        behind: Whether all of it comes after the game.
    """

    def __init__(
        self,
        topology: Topology,
        routings: Mapping[str, Routing],
        crew: Crew,
        context: Context | None,
        *,
        behind: bool = False,
    ) -> None:
        self.topology = topology
        self.routings = routings
        self.crew = crew
        self.context = context
        self.behind = behind

    def graph(self, builder: Builder | None = None) -> Builder:
        """All nodes with their edges, added to a builder if one is given."""
        fields = schema("State", self.topology.fields)
        builder = builder or StateGraph(fields, Context)
        for name, seat in self.topology.seats.items():
            node = self._within(name) if name in self.topology.within else self._node(name, seat)
            # Else LangGraph takes the node's type hints, which know no fields of a graph file.
            builder.add_node(name, node, metadata=_told(seat), input_schema=fields)
        for name, way in self.topology.shape.ways.items():
            self._lead(builder, name, way)
        for join in self.topology.shape.joins:
            builder.add_edge(list(join.sources), join.target)
        return builder

    def _node(self, name: str, seat: Seat) -> Node:
        own = None
        if seat.role is None:
            use, key = str(seat.config.use), self.topology.where(*seat.key)
            own = make(seat.part, seat.options, key, use)
        counted = self._is_counted(name)
        role = seat.role.name if seat.role else ""
        post = self.crew.at(seat.path, role, int(not self._is_behind(name)))
        fields = self.topology.fields
        return running(seat, post, fields, counted=counted, context=self.context, own=own)

    def _within(self, name: str) -> Any:
        """The graph that stands for a node; it hands on only what it may write."""
        inner, fields = self.topology.within[name], self.topology.fields
        written = {one: fields[one] for one in sorted(may_write(self.topology, name) | {"rounds"})}
        builder: Builder = StateGraph(
            schema("State", fields), Context, output_schema=schema("Written", written)
        )
        routings, behind = prove_part(inner), self._is_behind(name)
        part = _Building(inner, routings, self.crew, self.context, behind=behind)
        graph = part.graph(builder).compile(name="graph")
        return _counting(graph, self.topology.seats[name].path) if self._is_counted(name) else graph

    def _is_counted(self, name: str) -> bool:
        return name in self.routings and self.routings[name].at_most is not None

    def _is_behind(self, name: str) -> bool:
        whole = GAME in self.topology.seats
        return GAME not in self.topology.shape.reachable(name) if whole else self.behind

    def _lead(self, builder: Builder, name: str, way: Way) -> None:
        if name in self.routings:
            routing, path = self.routings[name], self.topology.seats[name].path
            _choose(builder, name, way, lambda state: routing.label(state, runs(state, path)))
        elif OPENING in way.targets:
            _choose(builder, name, way, route_opening)
        else:
            for goal in way.targets[""]:
                seat = self.topology.seats.get(goal)
                if seat is None or seat.config.each is None:
                    builder.add_edge(name, goal)
                else:
                    behind = self.topology.shape.ways[goal].targets[""]
                    route = Router(_each(seat, goal, behind), f"each_{seat.config.each}")
                    builder.add_conditional_edges(name, route, [goal, *behind])


BETWEEN = "between_turns"
"""The node of several turns that stands where one turn ends."""
OVER = "over"


class _Turns(_Building):
    """Builds several turns in a row: where one ends, the next begins."""

    def __init__(
        self,
        topology: Topology,
        routings: Mapping[str, Routing],
        crew: Crew,
        context: Context,
        until: int,
    ) -> None:
        shape = topology.shape
        ways = {name: _leading_on(way) for name, way in shape.ways.items()}
        joins = [replace(one, target=_or_between(one.target)) for one in shape.joins]
        shape = replace(shape, ways=ways, joins=tuple(joins))
        super().__init__(replace(topology, shape=shape), routings, crew, context)
        self.after_end = context.after_end
        self.until = until

    def turns(self, form: type[Any]) -> Builder:
        """The nodes of a turn, and the one between two of them."""
        builder: Builder = StateGraph(schema("State", self.topology.fields), form)
        builder.add_node(BETWEEN, lambda state: {})
        first = self.topology.shape.ways[START].targets[TURN]
        _choose(builder, BETWEEN, Way({TURN: first, OVER: (END,)}), self._go_on)
        return self.graph(builder)

    def _lead(self, builder: Builder, name: str, way: Way) -> None:
        if name == START:
            _choose(builder, name, Way({**way.targets, OVER: (END,)}), self._begin)
        else:
            super()._lead(builder, name, way)

    def _begin(self, state: State) -> str:
        """A story that is over is not played on."""
        return OVER if self._is_over(state) else route_opening(state)

    def _go_on(self, state: State) -> str:
        return OVER if self._is_over(state) or state["turn"] >= self.until else TURN

    def _is_over(self, state: State) -> bool:
        """The story has ended, and neither is that taken back nor does it begin anew."""
        ended = "score" in state and state["score"].last.ended
        return ended and not way_on(state["score"], self.after_end)


def _leading_on(way: Way) -> Way:
    """A way that leads between two turns where it led to the end."""
    targets = {label: tuple(map(_or_between, nodes)) for label, nodes in way.targets.items()}
    return replace(way, targets=targets)


def _or_between(node: str) -> str:
    return BETWEEN if node == END else node


def _choose(builder: Builder, name: str, way: Way, label: Callable[[State], str]) -> None:
    """Lead on by a label; one that stands for several nodes has a key for each of them."""
    keys = {
        one: [one] if len(nodes) == 1 else [f"{one} {node}" for node in nodes]
        for one, nodes in way.targets.items()
    }
    ends: dict[Hashable, str] = {
        key: node
        for one, nodes in way.targets.items()
        for key, node in zip(keys[one], nodes, strict=True)
    }
    router = Router(lambda state: keys[label(state)], f"route_{name.strip('_')}")
    builder.add_conditional_edges(name, router, ends)


def _each(
    seat: Seat, goal: str, behind: Sequence[str]
) -> Callable[[State], list[Send] | list[str]]:
    """Run a node once for each item of a list; where there is none, go on behind it."""
    listed = str(seat.config.each)

    def route(state: State) -> list[Send] | list[str]:
        items = cast(Mapping[str, Any], state).get(listed, ())
        sends = [
            Send(goal, {**state, "item": Item(number=number, content=item)})
            for number, item in enumerate(items[: seat.items])
        ]
        return sends or [*behind]

    return route


def _told(seat: Seat) -> dict[str, Any]:
    """What traces and pictures tell of a node."""
    name = seat.path.rpartition(".")[2]
    role = seat.role.name if seat.role and seat.role.name != name else None
    told = {"role": role, "part": seat.config.use}
    return {key: value for key, value in told.items() if value is not None}
