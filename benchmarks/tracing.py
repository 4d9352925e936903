"""What tracing costs: every turn of an episode played with and without it, from the same state.

Usage: python -m benchmarks.tracing [STORY] [TURNS]
"""

from __future__ import annotations

import gzip
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from langchain_core.runnables import RunnableConfig

from benchmarks.arguments import given
from benchmarks.turns import opened
from orchestrator.graph.build import compile_graph
from orchestrator.setup import Setup
from orchestrator.traces.writer import TraceWriter, read_segments
from orchestrator.turns.context import Context
from orchestrator.turns.turn import run_turn

CPU_MS, DISK_KB = 0.8, 6.0
"""The goals, per turn."""

REPEATS = 6
"""Each turn is played so often either way; the fastest counts, whatever else is running."""


def main(story: str = "hollow", turns: str = "60") -> None:
    setup = Setup.resolve(story, seed=7)
    with (
        tempfile.TemporaryDirectory() as folder,
        opened(setup) as game,
    ):
        context = Context(game=game, seed=7, agent_seed=7)
        path = Path(folder) / "trace.jsonl"
        writer = TraceWriter(path, metadata={"seed": 7, "access": ["text"]})
        costs = turn_costs(setup, context, writer, int(turns))
        writer.close()
        content = b"".join(read_segments(path))
    count = len(costs) * REPEATS
    added, plain_turn = (statistics.mean(column) for column in zip(*costs, strict=True))
    plain, compressed = len(content) / count / 1000, len(gzip.compress(content)) / count / 1000
    print(f"{len(costs)} turns of {story}, graph offline, seed 7, best of {REPEATS}")
    share = added / plain_turn
    print(f"CPU   {added:.2f} ms a turn (goal {CPU_MS}), {share:.0%} of a turn without")
    print(f"disk  {compressed:.2f} KB a turn compressed (goal {DISK_KB}), {plain:.1f} plain")


def turn_costs(
    setup: Setup, context: Context, writer: TraceWriter, turns: int
) -> list[tuple[float, float]]:
    """Milliseconds of CPU of each turn: what tracing adds, and what it takes without."""
    graph = compile_graph(setup.config, setup.crew())
    state: Any = {}
    after: Any = None
    costs = []

    def cpu(*callbacks: TraceWriter) -> float:
        nonlocal after
        config = RunnableConfig(
            callbacks=list(callbacks), run_name="turn", metadata={"thread_id": "a", "turn": 1}
        )
        start = time.process_time()
        after = run_turn(graph, state, config, context).value
        return (time.process_time() - start) * 1000

    for _ in range(turns):
        pairs = [(cpu(), cpu(writer)) for _ in range(REPEATS)]
        plain = min(plain for plain, _ in pairs)
        costs.append((min(traced for _, traced in pairs) - plain, plain))
        state = after
    return costs


if __name__ == "__main__":
    main(*given(__doc__))
