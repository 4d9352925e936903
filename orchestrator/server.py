"""The graph as LangGraph's own tools serve it: `langgraph dev`, Studio, the LangGraph SDK."""

from __future__ import annotations

import asyncio
import os
import weakref
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from functools import cached_property
from typing import Any, cast

from langchain_core.runnables import RunnableConfig
from langgraph.graph.state import CompiledStateGraph
from pydantic import BaseModel, ConfigDict, Field

from environments.catalog import list_stories
from environments.game import Game, GameError
from environments.offering import game_for_agents
from orchestrator.episode import context_of
from orchestrator.errors import ConfigError, unknown
from orchestrator.graph.build import build_turns
from orchestrator.settings.models import Models
from orchestrator.settings.sheets import shipped_graphs
from orchestrator.setup import DEFAULT_SEED, Setup
from orchestrator.traces.live import live_tracers
from orchestrator.turns.approval import Approval, Question
from orchestrator.turns.context import Bounds

GRAPHS = "ZORK_GRAPHS"
MOST_STEPS = 1_000_000
"""Of nodes in one run; LangGraph's own bound is for graphs that might not come to an end."""
ServedGraph = CompiledStateGraph[Any, Any, Any, Any]


def _offer_choices(form: dict[str, Any]) -> None:
    """What there is to choose from, as it is when somebody looks at the form."""
    fields = form["properties"]
    fields["story"]["enum"] = [listing.id for listing in list_stories() if listing.path]
    fields["graph"]["enum"] = [*shipped_graphs(), *_named_graphs()]


class Settings(BaseModel):
    """What a run may be told: the form that Studio shows."""

    model_config = ConfigDict(json_schema_extra=_offer_choices)

    story: str = Field(default="hollow", description="A story of the catalog.")
    graph: str = Field(default="offline", description="A shipped graph, or a file served.")
    seed: int = Field(default=DEFAULT_SEED, description="Of the emulator and the agent.")
    until: int = Field(default=0, description="The turn a run ends with; 0 plays one turn a run.")
    approve: bool = Field(default=False, description="Ask before every command.")


@asynccontextmanager
async def make_graph(config: RunnableConfig) -> AsyncIterator[ServedGraph]:
    """An episode of a thread: every run plays on from where the thread stands.

    `configurable`, or the run's context, may hold what `Settings` names. The nodes are the roles
    of the graph, so that a breakpoint can be set at each of them. With `approve` a run is
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


def compile_episode(**settings: Any) -> ServedGraph:
    """The same graph for those who have no server; `settings` are the fields of `Settings`.

    `from orchestrator.server import graph` is the one without settings. Its game ends with it.

    Raises:
        ConfigError: there is no such setting or graph.
        GameError: there is no such story.
    """
    for name in settings:
        if name not in Settings.model_fields:
            raise ConfigError(unknown("setting", name, Settings.model_fields))
    return _episode(ExitStack(), **_wanted(settings))


def __getattr__(name: str) -> Any:
    """`graph` is compiled when it is imported, not with this module."""
    if name == "graph":
        return compile_episode()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


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
    models, bounds = Models(setup.config.models, seed=agent_seed), Bounds(score=setup.max_score)
    context = context_of(setup, game, seed, agent_seed, models, bounds)

    builder = build_turns(setup.config, setup.crew(models), context, until, Settings)
    served = builder.compile(name="episode")
    return served.with_config(callbacks=live_tracers({}), recursion_limit=MOST_STEPS)


def _client_answers(question: Question) -> Approval:
    """The graph is interrupted instead; it is the client that sends the answer."""
    raise ConfigError(f"{question.command!r} is put to the client of the server, not to a person")


def _served_graph(name: str) -> str:
    """A shipped graph, or a file that whoever started the server has named.

    Raises:
        ConfigError: it is neither.
    """
    named = _named_graphs()
    if name not in shipped_graphs() and name not in named:
        known = unknown("graph", name, [*shipped_graphs(), *named])
        raise ConfigError(f"{known}; files are served that {GRAPHS} named at the start")
    return name


def _named_graphs() -> list[str]:
    """The files that whoever started the server has named."""
    return [path for path in os.environ.get(GRAPHS, "").split(os.pathsep) if path]


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
    """A game whose worker starts when it is first used: servers also ask for mere pictures.

    It ends with the stack, or when no copy of the graph that plays it is left.
    """

    def __init__(self, setup: Setup, stack: ExitStack) -> None:
        self._setup = setup
        self._stack = stack
        weakref.finalize(self, stack.close)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    @cached_property
    def _game(self) -> Game:
        game = game_for_agents(self._setup.story, self._setup.config.access)
        return self._stack.enter_context(game)
