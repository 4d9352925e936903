"""The same turns with what LangGraph, LangChain and Jericho bring along, in one run.

    python -m benchmarks.peers [--story zork1] [--turn 400]

LangGraph's own saver and serialiser keep the same state, LangChain's own run tree is dumped as
JSON, and Jericho's own state is pickled. Nodes write the same values every turn, so that nothing
but keeping and tracing is measured.
"""

from __future__ import annotations

import argparse
import logging
import pickle
import sqlite3
import statistics
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, cast

from jericho import FrotzEnv
from langchain_core.runnables import RunnableConfig
from langchain_core.tracers.base import BaseTracer
from langchain_core.tracers.schemas import Run
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.sqlite import SqliteSaver

from benchmarks.turns import (
    SEED,
    THREAD,
    advanced,
    context,
    disturbance,
    fastest,
    frozen_nodes,
    invoked,
    measured,
    opened,
    paired,
    story_file,
    undisturbed,
)
from environments.jericho_game import open_game
from environments.story import Story
from orchestrator.checkpoints.opening import open_sqlite
from orchestrator.checkpoints.saver import Keep
from orchestrator.graph.build import TurnGraph, compile_graph
from orchestrator.setup import Setup
from orchestrator.state import State
from orchestrator.traces.redaction import dumps
from orchestrator.traces.views import turn_metadata
from orchestrator.traces.writer import TraceWriter
from orchestrator.turns.context import Context

TURNS, PASSES = 40, 3


class Keeping(NamedTuple):
    """A way to keep or trace turns."""

    name: str
    play: Callable[[State], State]
    file: Path | None = None


class RunTree(BaseTracer):
    """LangChain's own run tree, written as JSON when a turn ends."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.file = path.open("wb")

    def _persist_run(self, run: Run) -> None:
        self.file.write(dumps(run.model_dump(exclude={"parent_run", "ls_client"})) + b"\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--story", default="zork1")
    parser.add_argument("--turn", type=int, default=400)
    options = parser.parse_args()
    logging.getLogger("langgraph").setLevel(logging.ERROR)
    setup = Setup.resolve(options.story, seed=SEED)
    with opened(setup) as game:
        start, seen = advanced(setup, game, options.turn), context(setup, game)
        print(f"{setup.story_id}, state of turn {start['turn']}, seed {SEED}, {disturbance()}")
        with frozen_nodes(setup, start, seen):
            compare(setup, start, seen)
    snapshots(story_file(setup))


def compare(setup: Setup, start: State, seen: Context) -> None:
    """Print what keeping and tracing add to a turn of the bare graph, and what they leave."""
    passes: dict[str, list[list[float]]] = {}
    for _ in range(PASSES):
        with tempfile.TemporaryDirectory() as folder:
            with keepings(setup, start, seen, Path(folder)) as opened, undisturbed():
                ways = list(opened)
                spent: dict[str, list[float]] = {way.name: [] for way in ways}
                for _ in range(TURNS):
                    for way in ways:
                        spent[way.name].append(measured(way.play, start)[1])
            sizes = {way.name: _size(way.file) / TURNS for way in ways}
        for name, times in spent.items():
            passes.setdefault(name, []).append(times)
    best = {name: fastest(times) for name, times in passes.items()}
    bare = best.pop("bare graph")
    print(f"  {'bare graph':<36}{statistics.median(bare):8.2f} ms CPU a turn")
    for name, times in best.items():
        print(f"  {name:<36}{paired(times, bare):8.2f} ms more, {sizes[name]:8.1f} KB a turn")


@contextmanager
def keepings(
    setup: Setup, start: State, seen: Context, folder: Path
) -> Iterator[Iterator[Keeping]]:
    """The bare graph, ours and theirs."""
    bare = compile_graph(setup.config, setup.crew())
    with ExitStack() as stack:

        def kept(saver: BaseCheckpointSaver[Any]) -> TurnGraph:
            graph = compile_graph(setup.config, setup.crew(), saver)
            graph.update_state(THREAD, dict(start), as_node="learner")
            return graph

        def theirs(durability: str) -> Keeping:
            name = f"SqliteSaver {durability}"
            graph = kept(stock(name))
            again = partial(graph.invoke, {}, THREAD, durability=durability)
            return Keeping(name, lambda _: cast(State, again(context=seen)), folder / name)

        def traced(name: str, tracer: BaseTracer) -> Keeping:
            config: RunnableConfig = {
                **THREAD, "callbacks": [tracer], "metadata": turn_metadata(start),
            }  # fmt: skip
            return Keeping(name, lambda state: invoked(bare, state, seen, config), folder / name)

        def stock(name: str) -> SqliteSaver:
            connection = sqlite3.connect(folder / name, check_same_thread=False)
            return SqliteSaver(stack.enter_context(closing(connection)))

        ours = stack.enter_context(open_sqlite(folder / "our checkpoints", {}, Keep()))
        own = kept(ours)
        writer = stack.enter_context(closing(TraceWriter(folder / "our trace")))
        tree = RunTree(folder / "LangChain's run tree")
        stack.enter_context(closing(tree.file))
        yield iter(
            (
                Keeping("bare graph", lambda state: invoked(bare, state, seen)),
                Keeping(
                    "our checkpoints",
                    lambda state: invoked(own, state, seen),
                    folder / "our checkpoints",
                ),
                *(theirs(durability) for durability in ("exit", "async", "sync")),
                traced("our trace", writer),
                traced("LangChain's run tree", tree),
            )
        )


def snapshots(story: Story) -> None:
    """Print what a state of the emulator takes, ours and Jericho's."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        jericho = FrotzEnv(str(story.path), SEED)
    commands = jericho.get_walkthrough()[:TURNS]
    theirs, ours = [], []
    with open_game(story) as game:
        step = game.start(SEED)
        for command in commands:
            jericho.step(command)
            step = game.play(step.snapshot, command)
            theirs.append(len(pickle.dumps(jericho.get_state())))
            ours.append(len(step.snapshot))
    print(f"  {'our snapshot':<36}{statistics.median(ours):8.0f} bytes")
    print(f"  {'Jericho get_state, pickled':<36}{statistics.median(theirs):8.0f} bytes")


def _size(file: Path | None) -> float:
    if file is None:
        return 0.0
    return sum(part.stat().st_size for part in file.parent.glob(f"{file.name}*")) / 1000


if __name__ == "__main__":
    main()
