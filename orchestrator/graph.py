"""The graph of one turn, built from a graph config."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from typing import Any, Literal

from langchain_core.runnables import Runnable, RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from orchestrator import nodes
from orchestrator.config import GraphConfig, InsertConfig
from orchestrator.context import Context
from orchestrator.contract import Node, keeping_contract
from orchestrator.current import current_decisions, current_judgements
from orchestrator.errors import ConfigError, unknown
from orchestrator.parts import make_node
from orchestrator.state import WRITES, State

TurnGraph = CompiledStateGraph[State, Context, State, State]


@dataclass(frozen=True)
class Way:
    """Where a node leads: to one node, or to what a router names."""

    targets: dict[Hashable, str]
    """What the router returns -> node; a single target where there is no router."""
    router: Callable[..., str] | None = None

    @classmethod
    def to(cls, node: str) -> Way:
        return cls({node: node})

    def redirected(self, old: str, new: str) -> Way:
        """The same way with one target exchanged; the opening stays direct, it has no turn yet."""
        targets = {
            label: new if node == old and label != "opening" else node
            for label, node in self.targets.items()
        }
        return replace(self, targets=targets)


class Router(Runnable[State, str]):
    """A router as LangGraph asks it: without a run of its own in the traces."""

    def __init__(self, route: Callable[[State], str]) -> None:
        self.name = route.__name__
        self._route = route

    def invoke(self, input: State, config: RunnableConfig | None = None, **_kwargs: Any) -> str:
        return self._route(input)


def build_graph(
    config: GraphConfig, context: Context | None = None
) -> StateGraph[State, Context, State, State]:
    """The uncompiled graph of a turn, so that callers compile it with their own saver.

    Args:
        config: Which parts play the roles.
        context: Built in, for a server whose callers cannot pass one with every turn.
    """
    builder = StateGraph(State, Context)
    ways = _ways(config)
    for name in ways:
        if name in WRITES:
            role = getattr(config.nodes, name, None)
            node = keeping_contract(name, getattr(nodes, name), WRITES[name], context)
            _add(builder, name, node, role.use if role else None)
    for name, insert in config.insert.items():
        for field in sorted(insert.writes - State.__annotations__.keys()):
            known = unknown("field", field, State.__annotations__)
            raise ConfigError(f"insert.{name}.writes: {known}")
        made = make_node(name, insert.use, insert.options)
        _add(builder, name, keeping_contract(name, made, insert.writes, context), insert.use)
    for source, way in ways.items():
        if way.router is not None:
            builder.add_conditional_edges(source, Router(way.router), way.targets)
        else:
            builder.add_edge(source, *way.targets.values())
    return builder


def compile_graph(
    config: GraphConfig, checkpointer: BaseCheckpointSaver[Any] | None = None
) -> TurnGraph:
    """The graph of a turn, to be invoked with the state after the one before."""
    return build_graph(config).compile(checkpointer=checkpointer, name="turn")


def route_opening(state: State) -> Literal["opening", "turn"]:
    """A new episode opens the story first."""
    return "turn" if "snapshot" in state else "opening"


def route_verdict(max_objections: int) -> Callable[[State], Literal["object", "play"]]:
    """Back to the actor while the critic objects and the bound allows it."""

    def route_verdict(state: State) -> Literal["object", "play"]:
        judgements = current_judgements(state)
        objected = bool(judgements) and judgements[-1].objects
        return "object" if objected and len(judgements) <= max_objections else "play"

    return route_verdict


def route_decision(state: State) -> Literal["object", "play"]:
    """Back to the actor when the person says no."""
    return "play" if current_decisions(state)[-1].accept else "object"


def _ways(config: GraphConfig) -> dict[str, Way]:
    ways = {
        START: Way({"opening": "game", "turn": "objective_manager"}, route_opening),
        "objective_manager": Way.to("mode"),
        "mode": Way.to("planner"),
        "planner": Way.to("oracle"),
        "oracle": Way.to("actor"),
        "actor": Way.to("critic"),
        "critic": Way(
            {"object": "actor", "play": "game"}, route_verdict(config.nodes.critic.max_objections)
        ),
        "game": Way.to("extractor"),
        "extractor": Way.to("learner"),
        "learner": Way.to(END),
    }
    if not config.nodes.oracle.active:
        del ways["oracle"]
        ways["planner"] = Way.to("actor")
    if not config.nodes.critic.active:
        del ways["critic"]
        ways["actor"] = Way.to("game")
    if config.approve:
        ways = {source: way.redirected("game", "approval") for source, way in ways.items()}
        ways[START] = Way({"opening": "game", "turn": "objective_manager"}, route_opening)
        ways["approval"] = Way({"object": "actor", "play": "game"}, route_decision)
    for name, insert in config.insert.items():
        ways = _inserted(ways, name, insert)
    return ways


def _inserted(ways: dict[str, Way], name: str, insert: InsertConfig) -> dict[str, Way]:
    if name in ways or not name.isidentifier():
        raise ConfigError(f"insert.{name}: a new node needs a name of its own, in letters")
    anchor = insert.after or insert.before
    if anchor is None or (insert.after and insert.before):
        raise ConfigError(f"insert.{name}: say after = NODE or before = NODE")
    if anchor not in ways or anchor == START:
        known = [node for node in ways if node != START]
        raise ConfigError(f"insert.{name}: {unknown('node', anchor, known)}")
    if insert.after:
        return {**ways, anchor: Way.to(name), name: ways[anchor]}
    redirected = {source: way.redirected(anchor, name) for source, way in ways.items()}
    return {**redirected, name: Way.to(anchor)}


def _add(
    builder: StateGraph[State, Context, State, State], name: str, node: Node, part: str | None
) -> None:
    builder.add_node(name, node, metadata={"part": part} if part else None)
