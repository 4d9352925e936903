"""What orchestration costs a turn: a plain loop, the bare graph, the graph with checkpoints.

    python -m benchmarks.durability [--story zork1] [--turn 400]

All three play the same turns on from the same state, turn by turn; the difference of their
processor times is what the graph and the checkpoints add. Then the graph
plays on with nodes that write the same values every turn, so that the state keeps its size:
what grows then, grows with the number of turns alone.
"""

from __future__ import annotations

import argparse
import gc
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import Any, cast
from unittest import mock

from langchain_core.runnables import RunnableConfig
from langgraph.runtime import Runtime

from agents.answers import Ruling
from environments.game import Game
from environments.jericho_game import open_game
from orchestrator import nodes
from orchestrator.checkpoints import open_sqlite, stamp_of
from orchestrator.context import Context
from orchestrator.graph import TurnGraph, compile_graph, route_opening, route_verdict
from orchestrator.keep import Keep
from orchestrator.setup import Setup
from orchestrator.state import Judgement, State

GOALS = {"checkpoint": 1.6, "graph and checkpoint": 3.2, "growth": 1.1, "disk": 12.0}
"""CPU ms a turn above the bare graph and above the plain loop; ratio; KB a turn."""

COMPARED = 60
"""Turns that are played in each way, `REPEATS` times."""
EARLY, LATE, WINDOW = 100, 5000, 100
MEASURED = ("plain loop", "bare graph", "with checkpoints")
REPEATS = 3
THREAD: RunnableConfig = {"configurable": {"thread_id": "benchmark"}}

Way = Callable[[State, RunnableConfig], State]
"""Plays the turn after a state, which is also the newest checkpoint."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--story", default="zork1")
    parser.add_argument("--turn", type=int, default=400)
    options = parser.parse_args()
    setup = Setup.resolve(options.story, seed=7)
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        games = [stack.enter_context(open_game(setup.story)) for _ in MEASURED]
        start = advanced(setup, games[0], options.turn)
        print(f"{setup.story_id}, state of turn {start['turn']}, seed 7")
        compare(setup, games, start, Path(folder, "compared.sqlite"))
        freeze(setup, games[0], start, Path(folder, "frozen.sqlite"))


def compare(setup: Setup, games: list[Game], start: State, path: Path) -> None:
    """Print what the same turns cost in the three ways."""
    bare = compile_graph(setup.config)
    with checkpointed(setup, path, start) as kept:
        seen = [context(setup, game) for game in games]
        ways: tuple[Way, ...] = (
            lambda state, _: by_hand(setup, state, seen[0]),
            lambda state, _: invoked(bare, state, seen[1]),
            lambda _, config: invoked(kept, {}, seen[2], config, durability="exit"),
        )
        spent: list[list[float]] = [[] for _ in ways]
        state = start
        for _ in range(COMPARED):
            config = kept.get_state(THREAD).config
            for way, times in zip(ways, spent, strict=True):
                new, ms = fastest(partial(way, state, config))
                times.append(ms)
            state = new
    for name, times in zip(MEASURED, spent, strict=True):
        ratio = statistics.median(times) / statistics.median(spent[0])
        print(f"  {name:<22}{statistics.median(times):7.2f} ms CPU a turn, {ratio:.2f} plain loops")
    report("checkpoint", paired(spent[2], spent[1]), "ms above the bare graph")
    report("graph and checkpoint", paired(spent[2], spent[0]), "ms above the plain loop")


def fastest(play: Callable[[], State]) -> tuple[State, float]:
    """The turn's state and its processor time in ms: whatever else runs makes it only longer."""
    gc.collect()
    gc.disable()
    played = [measured(play) for _ in range(REPEATS)]
    gc.enable()
    return min(played, key=itemgetter(1))


def freeze(setup: Setup, game: Game, start: State, path: Path) -> None:
    """Print what grows though the state does not."""
    seen = context(setup, game)
    spent = []
    memory = {}
    with frozen_nodes(setup, start, seen), checkpointed(setup, path, start) as graph:
        for number in range(1, LATE + 1):
            _, ms = measured(lambda: invoked(graph, {}, seen, durability="exit"))
            spent.append(ms)
            if number in (LATE // 10, LATE):
                memory[number] = resident_mb()
    early = statistics.median(spent[EARLY : EARLY + WINDOW])
    late = statistics.median(spent[-WINDOW:])
    print(f"  turns with that state  {early:7.2f} ms CPU about turn {EARLY}, {late:.2f} at {LATE}")
    report("growth", late / early, f"times from turn {EARLY} to {LATE}")
    report("disk", path.stat().st_size / 1000 / LATE, "KB a turn")
    for number, size in memory.items():
        print(f"  memory {size:22.1f} MB after {number} turns")


def advanced(setup: Setup, game: Game, turn: int) -> State:
    """The state at the end of a turn; the last one if the story ends before."""
    state, seen = State(), context(setup, game)
    while not state or (state["turn"] < turn and not state["score"].last.ended):
        state = by_hand(setup, state, seen)
    return state


def context(setup: Setup, game: Game) -> Context:
    return Context(game=game, roles=setup.roles(), seed=7, agent_seed=7)


def by_hand(setup: Setup, state: State, seen: Context) -> State:
    """One turn: the graph's nodes, called in their order."""
    runtime = Runtime(context=seen)
    new = dict(state)

    def run(name: str) -> None:
        new.update(getattr(nodes, name)(cast(State, new), runtime))

    if route_opening(state) == "turn":
        route = route_verdict(setup.config.nodes.critic.max_objections)
        run("objective_manager")
        run("actor")
        run("critic")
        while route(cast(State, new)) == "object":
            run("actor")
            run("critic")
    for name in ("game", "extractor", "learner"):
        run(name)
    return cast(State, new)


def accepted(state: State) -> list[Judgement]:
    """The critic agrees, in every turn."""
    return [Judgement(turn=0, attempt=1, command="", verdict=Ruling(accept=True))]


def invoked(
    graph: TurnGraph, given: Any, seen: Context, config: RunnableConfig = THREAD, **options: Any
) -> State:
    return cast(State, graph.invoke(given, config, context=seen, **options))


@contextmanager
def checkpointed(setup: Setup, path: Path, start: State) -> Iterator[TurnGraph]:
    """The graph with a database in which `start` is the last turn."""
    with open_sqlite(path, stamp_of(setup.story.sha256, setup.config), Keep()) as saver:
        graph = compile_graph(setup.config, saver)
        graph.update_state(THREAD, dict(start), as_node="learner")
        yield graph


@contextmanager
def frozen_nodes(setup: Setup, start: State, seen: Context) -> Iterator[None]:
    """Nodes that write again what they wrote in one turn; only the turn is counted."""
    after = by_hand(setup, start, seen)
    written = {
        "objective_manager": ("objectives", "candidates"),
        "actor": ("proposal",),
        "critic": ("judgements",),
        "game": ("observation", "command", "snapshot", "score", "transcript_size"),
        "extractor": ("extraction",),
        "learner": ("world", "map", "dynamics", "recent"),
    }

    def frozen(fields: tuple[str, ...], counts: bool) -> Callable[..., dict[str, Any]]:
        update = {field: after[field] for field in fields}  # type: ignore[literal-required]

        def node(state: State, runtime: Runtime[Context]) -> dict[str, Any]:
            return {**update, "turn": state["turn"] + 1} if counts else dict(update)

        return node

    with ExitStack() as stack:
        for name, fields in written.items():
            node = frozen(fields, name == "game")
            stack.enter_context(mock.patch.object(nodes, name, node))
        stack.enter_context(mock.patch.object(nodes, "current_judgements", accepted))
        yield


def measured(play: Callable[[], State]) -> tuple[State, float]:
    """The turn's state and the processor time of all threads, in ms."""
    begun = time.process_time()
    state = play()
    return state, (time.process_time() - begun) * 1000


def paired(longer: list[float], shorter: list[float]) -> float:
    return statistics.median(a - b for a, b in zip(longer, shorter, strict=True))


def resident_mb() -> float:
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    (line,) = (line for line in status.splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1000


def report(name: str, value: float, unit: str) -> None:
    goal = GOALS[name]
    verdict = "" if value <= goal else "  ABOVE THE GOAL"
    print(f"  {name:<22}{value:7.2f} {unit} (goal {goal}){verdict}")


if __name__ == "__main__":
    main()
