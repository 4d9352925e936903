"""The graph as LangGraph's own tools serve it: `langgraph dev`, Studio, the LangGraph SDK."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from functools import cached_property
from typing import Any, Literal, cast

from langchain_core.runnables import RunnableConfig
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from environments.catalog import list_stories
from environments.game import Game, GameError
from environments.offering import game_for_agents
from orchestrator.errors import ConfigError, unknown
from orchestrator.graph.build import Router, build_graph
from orchestrator.graph.crew import make_skills
from orchestrator.graph.fields import fields_of, schema
from orchestrator.settings.sheets import shipped_graphs
from orchestrator.setup import DEFAULT_SEED, Setup
from orchestrator.state import State
from orchestrator.traces.live import live_tracers
from orchestrator.turns.approval import Approval, Question
from orchestrator.turns.context import Context

GRAPHS = "ZORK_GRAPHS"
ServedGraph = CompiledStateGraph[State, None, State, State]


@asynccontextmanager
async def make_graph(config: RunnableConfig) -> AsyncIterator[ServedGraph]:
    """An episode of a thread: every run plays on from where the thread stands.

    `configurable` may name `story`, `graph` and `seed`, and how long a run plays:
    `until`, the turn it ends with; without it a run is one turn. With `approve` a run is
    interrupted before every command, and goes on with an answer: `{"resume": {"do": "accept"}}`,
    or the fields of `orchestrator.turns.approval.Approval`.

    Graphs are the shipped ones and the files that `ZORK_GRAPHS`, a path list, names when the
    server starts; stories are those of the catalog.

    Raises:
        ConfigError: there is no such graph.
        GameError: there is no such story.
    """
    with ExitStack() as stack:
        yield await asyncio.to_thread(_episode, stack, **_wanted(config.get("configurable", {})))
        await asyncio.to_thread(stack.close)


def _wanted(configurable: dict[str, Any]) -> dict[str, Any]:
    return {
        "story": configurable.get("story"),
        "graph": str(configurable.get("graph", "offline")),
        "seed": _number("seed", configurable.get("seed", DEFAULT_SEED)),
        "until": _number("until", configurable.get("until", 0)),
        "approve": bool(configurable.get("approve", False)),
    }


def _number(name: str, value: Any) -> int:
    try:
        return int(value)
    except (TypeError, ValueError) as error:
        raise ConfigError(f"configurable.{name} {value!r}: must be a whole number") from error


def _episode(
    stack: ExitStack, *, story: Any, graph: str, seed: int, until: int, approve: bool
) -> ServedGraph:
    """Turns until the story ends or the run has played long enough."""
    settings = ["approve=true"] if approve else []
    setup = Setup.resolve(
        _served_story(str(story)) if story else None,
        graph=_served_graph(graph),
        settings=settings,
        seed=seed,
        approver=_client_answers,
    )
    game = cast(Game, LateGame(setup, stack))
    seed, agent_seed = setup.seeds(1)
    mind, skills = setup.config.mind, make_skills(setup.config)
    context = Context(game, seed, agent_seed, mind=mind, skills=skills)

    def route_start(state: State) -> Literal["play", "end"]:
        return "end" if "score" in state and state["score"].last.ended else "play"

    def route_turn(state: State) -> Literal["play", "end"]:
        over = state["score"].last.ended or state["turn"] >= until
        return "end" if over else "play"

    fields = fields_of(setup.config.state, setup.config.where)
    builder = StateGraph(schema("State", fields))
    builder.add_node("turn", build_graph(setup.config, setup.crew(), context).compile(name="turn"))
    builder.add_conditional_edges(START, Router(route_start), {"play": "turn", "end": END})
    builder.add_conditional_edges("turn", Router(route_turn), {"play": "turn", "end": END})
    return builder.compile(name="episode").with_config(callbacks=live_tracers({}))


def _client_answers(question: Question) -> Approval:
    """The graph is interrupted instead; it is the client that sends the answer."""
    raise ConfigError(f"{question.command!r} is put to the client of the server, not to a person")


def _served_graph(name: str) -> str:
    """A shipped graph, or a file that whoever started the server has named.

    Raises:
        ConfigError: it is neither.
    """
    named = [path for path in os.environ.get(GRAPHS, "").split(os.pathsep) if path]
    if name not in shipped_graphs() and name not in named:
        known = unknown("graph", name, [*shipped_graphs(), *named])
        raise ConfigError(f"{known}; files are served that {GRAPHS} named at the start")
    return name


def _served_story(name: str) -> str:
    """A story of the catalog; a client has no business with other files.

    Raises:
        GameError: it is none.
    """
    known = [listing.id for listing in list_stories()]
    if name not in known:
        raise GameError(unknown("story", name, known))
    return name


class LateGame:
    """A game whose worker starts when it is first used: servers also ask for mere pictures."""

    def __init__(self, setup: Setup, stack: ExitStack) -> None:
        self._setup = setup
        self._stack = stack

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    @cached_property
    def _game(self) -> Game:
        game = game_for_agents(self._setup.story, self._setup.config.access)
        return self._stack.enter_context(game)
