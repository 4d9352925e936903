"""Turns to be measured: the graph's nodes called by hand, the graph, and nodes that stand still."""

from __future__ import annotations

import gc
import os
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, cast
from unittest import mock

from langchain_core.runnables import RunnableConfig

from environments.game import Game
from environments.jericho_game import JerichoGame, open_game
from environments.story import Story
from orchestrator.graph.build import TurnGraph, route_opening
from orchestrator.graph.crew import make_skills
from orchestrator.graph.routing import VerdictRouter
from orchestrator.roles import ROLES
from orchestrator.setup import Setup
from orchestrator.state import WRITES, State
from orchestrator.turns.context import Context, Crew, Post
from orchestrator.turns.turn import run_turn

THREAD: RunnableConfig = {"configurable": {"thread_id": "benchmark"}}
SEED = 7
NODES = (
    *("objective_manager", "planner", "actor", "critic"),
    *("game", "extractor", "learner"),
)
"""Of the graph `offline`."""
OBJECTIONS = 2
"""The bound of the graph `offline`."""


def story_file(setup: Setup) -> Story:
    """The story of a setup, which is to be a file."""
    assert isinstance(setup.story, Story)
    return setup.story


def opened(setup: Setup) -> JerichoGame:
    """The game of a setup, with the access of its graph."""
    return open_game(story_file(setup), setup.config.access)


def context(setup: Setup, game: Game) -> Context:
    return Context(
        game=game,
        seed=SEED,
        agent_seed=SEED,
        mind=setup.config.mind,
        skills=make_skills(setup.config),
    )


def advanced(setup: Setup, game: Game, turn: int) -> State:
    """The state at the end of a turn; the last one if the story ends before."""
    state, seen, crew = State(), context(setup, game), setup.crew()
    while not state or (state["turn"] < turn and not state["score"].last.ended):
        state = by_hand(crew, state, seen)
    return state


def by_hand(crew: Crew, state: State, seen: Context) -> State:
    """One turn: the graph's nodes, called in their order."""
    new = dict(state)

    def run(name: str) -> None:
        node, behind = ROLES[name].node, name in NODES[4:]
        assert node is not None
        new.update(node(cast(State, new), seen, crew.at(name, name, int(not behind))))

    if route_opening(state) == "turn":
        for name in NODES[:4]:
            run(name)
        for _ in range(OBJECTIONS):
            if VerdictRouter()(cast(State, new)) != "object":
                break
            run("actor")
            run("critic")
    for name in NODES[4:]:
        run(name)
    return cast(State, new)


def invoked(
    graph: TurnGraph, given: State, seen: Context, config: RunnableConfig = THREAD
) -> State:
    return run_turn(graph, given, config, seen).value


@contextmanager
def frozen_nodes(setup: Setup, start: State, seen: Context) -> Iterator[None]:
    """Graphs compiled here have nodes that write again what they wrote in one turn.

    Only the turn is counted.
    """
    after = by_hand(setup.crew(), start, seen)

    def frozen(name: str) -> Callable[..., dict[str, Any]]:
        written = [field for field in after if field in WRITES[name]]
        update = {field: after[field] for field in written}  # type: ignore[literal-required]

        def node(state: State, _context: Context, _post: Post) -> dict[str, Any]:
            counted = {"turn": state["turn"] + 1} if "turn" in update else {}
            return {**update, **counted}

        return node

    with mock.patch.dict(ROLES, {name: replace(ROLES[name], node=frozen(name)) for name in NODES}):
        yield


@contextmanager
def empty_nodes() -> Iterator[None]:
    """Graphs compiled here have nodes that read and write nothing: the graph itself is left."""

    def node(_state: State, _context: Context, _post: Post) -> dict[str, Any]:
        return {}

    with mock.patch.dict(ROLES, {name: replace(ROLES[name], node=node) for name in NODES}):
        yield


def measured(play: Callable[..., State], *given: Any, **options: Any) -> tuple[State, float]:
    """The turn's state and the processor time of all threads, in ms."""
    begun = time.process_time()
    state = play(*given, **options)
    return state, (time.process_time() - begun) * 1000


@contextmanager
def undisturbed() -> Iterator[None]:
    """No garbage is collected meanwhile."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def disturbance() -> str:
    """How busy the machine is with other things, which makes all processor times longer."""
    times = []
    for _ in range(1000):
        begun = time.thread_time()
        sum(number * number for number in range(2000))
        times.append(time.thread_time() - begun)
    slower = statistics.median(times) / min(times)
    return f"load {os.getloadavg()[0]:.1f}, a fixed loop takes {slower:.2f} times its best"


def fastest(passes: list[list[float]]) -> list[float]:
    """Of every turn the best pass: whatever else runs makes it only longer."""
    return [min(times) for times in zip(*passes, strict=True)]


def paired(longer: list[float], shorter: list[float]) -> float:
    """The median of what the same turns take more."""
    return statistics.median(a - b for a, b in zip(longer, shorter, strict=True))


def report(name: str, value: float, unit: str, goal: float, *, least: bool = False) -> None:
    missed = value < goal if least else value > goal
    print(f"  {name:<24}{value:8.2f} {unit} (goal {goal}){'  MISSED' if missed else ''}")
