"""What orchestration costs a turn: a plain loop, the bare graph, with checkpoints, with traces.

    python -m benchmarks.durability [--story zork1] [--turn 400]

All play the same turns on from the same state; the difference of their processor times is what
graph, checkpoints and traces add. Then the graph plays on with nodes that write the same values
every turn, so that the state keeps its size: what grows then, grows with the number of turns
alone. A run of few turns and one of many are measured in turn, so that a busy machine slows both.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from langchain_core.runnables import RunnableConfig

from benchmarks.turns import (
    SEED,
    THREAD,
    advanced,
    by_hand,
    context,
    disturbance,
    empty_nodes,
    fastest,
    frozen_nodes,
    invoked,
    measured,
    opened,
    paired,
    report,
    undisturbed,
)
from environments.game import Game
from orchestrator.checkpoints.opening import open_sqlite
from orchestrator.checkpoints.saver import Keep
from orchestrator.graph.build import TurnGraph, compile_graph
from orchestrator.setup import Setup
from orchestrator.state import State
from orchestrator.traces.views import turn_metadata
from orchestrator.traces.writer import TraceWriter

CHECKPOINT_MS, TOGETHER_MS, TRACE_MS = 3.0, 6.0, 0.8
"""CPU a turn: of checkpoints above the bare graph, of both above the plain loop, of traces."""
GROWTH, DISK_KB = 1.1, 12.0

COMPARED = 60
"""Turns that are played in each way."""
PASSES = 25
EARLY, LATE, WINDOW = 100, 5000, 200
WAYS = ("plain loop", "bare graph", "with checkpoints", "with traces")

Way = Callable[[State], State]
"""Plays the turn after a state."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--story", default="zork1")
    parser.add_argument("--turn", type=int, default=400)
    options = parser.parse_args()
    setup = Setup.resolve(options.story, seed=SEED)
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        games = [stack.enter_context(opened(setup)) for _ in WAYS]
        start = advanced(setup, games[0], options.turn)
        print(f"{setup.story_id}, state of turn {start['turn']}, seed {SEED}, {disturbance()}")
        empty(setup, games[0], start, Path(folder))
        compare(setup, games, start, Path(folder))
        freeze(setup, games[0], start, Path(folder))


def compare(setup: Setup, games: Sequence[Game], start: State, folder: Path) -> None:
    """Print what the same turns cost in the four ways."""
    passes: list[list[list[float]]] = [[] for _ in WAYS]
    for number in range(PASSES):
        with ways(setup, games, start, folder / f"{number}") as compared, undisturbed():
            spent: list[list[float]] = [[] for _ in WAYS]
            states = [start] * len(WAYS)
            for _ in range(COMPARED):
                for at, way in enumerate(compared):
                    states[at], ms = measured(way, states[at])
                    spent[at].append(ms)
        for known, turns in zip(passes, spent, strict=True):
            known.append(turns)
    best = [fastest(times) for times in passes]
    plain, bare, kept, traced = best
    for name, times in zip(WAYS, best, strict=True):
        ratio = statistics.median(times) / statistics.median(plain)
        print(f"  {name:<24}{statistics.median(times):8.2f} ms CPU a turn, {ratio:.2f} plain loops")
    report("checkpoint", paired(kept, bare), "ms above the bare graph", CHECKPOINT_MS)
    report("graph and checkpoint", paired(kept, plain), "ms above the plain loop", TOGETHER_MS)
    report("trace", paired(traced, bare), "ms above the bare graph", TRACE_MS)


@contextmanager
def ways(
    setup: Setup, games: Sequence[Game], start: State, path: Path
) -> Iterator[tuple[Way, ...]]:
    """The four ways, each with a game and views of its own."""
    bare = compile_graph(setup.config, setup.crew())
    seen, crew = [context(setup, game) for game in games], setup.crew()
    writer = TraceWriter(path.with_suffix(".jsonl"))
    with checkpointed(setup, path.with_suffix(".sqlite"), start) as kept, closing(writer):

        def traced(state: State) -> State:
            config: RunnableConfig = {
                **THREAD,
                "callbacks": [writer],
                "run_name": "turn",
                "metadata": turn_metadata(state),
            }
            return invoked(bare, state, seen[3], config)

        yield (
            lambda state: by_hand(crew, state, seen[0]),
            lambda state: invoked(bare, state, seen[1]),
            lambda state: invoked(kept, state, seen[2]),
            traced,
        )


def empty(setup: Setup, game: Game, start: State, folder: Path) -> None:
    """Print what a graph of the same nodes takes that read and write nothing."""
    seen = context(setup, game)
    writer = TraceWriter(folder / "empty.jsonl")
    config: RunnableConfig = {**THREAD, "callbacks": [writer], "run_name": "turn"}
    with empty_nodes(), closing(writer), undisturbed():
        graph = compile_graph(setup.config, setup.crew())
        for name, told in (("empty graph", THREAD), ("empty graph, traced", config)):
            spent = [measured(invoked, graph, start, seen, told)[1] for _ in range(WINDOW)]
            print(
                f"  {name:<24}{statistics.median(spent):8.2f} ms CPU a turn, best {min(spent):.2f}"
            )


def freeze(setup: Setup, game: Game, start: State, folder: Path) -> None:
    """Print what grows though the state does not."""
    seen, memory = context(setup, game), {}
    long, short = folder / "long.sqlite", folder / "short.sqlite"
    with (
        frozen_nodes(setup, start, seen),
        checkpointed(setup, long, start) as late,
        checkpointed(setup, short, start) as early,
    ):
        for number in range(1, LATE + 1):
            invoked(late, start, seen)
            if number <= EARLY:
                invoked(early, start, seen)
            if number in (LATE // 10, LATE):
                memory[number] = resident_mb()
        size = sum(path.stat().st_size for path in folder.glob("long.sqlite*"))
        spent: tuple[list[float], list[float]] = ([], [])
        with undisturbed():
            for _ in range(WINDOW):
                for graph, times in zip((early, late), spent, strict=True):
                    _, ms = measured(invoked, graph, start, seen)
                    times.append(ms)
    first, last = map(statistics.median, spent)
    print(f"  turns with that state   {first:8.2f} ms CPU about turn {EARLY}, {last:.2f} at {LATE}")
    report("growth", last / first, f"times from turn {EARLY} to {LATE}", GROWTH)
    report("disk", size / 1000 / LATE, "KB a turn", DISK_KB)
    for number, mb in memory.items():
        print(f"  memory {mb:25.1f} MB after {number} turns")


@contextmanager
def checkpointed(setup: Setup, path: Path, start: State) -> Iterator[TurnGraph]:
    """The graph with a database in which `start` is the last turn."""
    with open_sqlite(path, {}, Keep()) as saver:
        graph = compile_graph(setup.config, setup.crew(), saver)
        graph.update_state(THREAD, dict(start), as_node="learner")
        yield graph


def resident_mb() -> float:
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    (line,) = (line for line in status.splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1000


if __name__ == "__main__":
    main()
