"""What tracing costs: the same episode played with and without it, turn by turn in turns.

Usage: python -m benchmarks.tracing [STORY] [TURNS]
"""

from __future__ import annotations

import gzip
import statistics
import sys
import tempfile
import time
from pathlib import Path

from langgraph.checkpoint.memory import InMemorySaver

from environments.jericho_game import open_game
from orchestrator.context import Context
from orchestrator.graph import TurnGraph, build_graph
from orchestrator.setup import Setup
from orchestrator.traces.segments import segments
from orchestrator.traces.writer import TraceWriter

CPU_MS, DISK_KB = 0.8, 6.0
"""The goals, per turn."""


def main(story: str = "hollow", turns: str = "200") -> None:
    setup = Setup.resolve(story, seed=7)
    with (
        tempfile.TemporaryDirectory() as folder,
        open_game(setup.story, setup.config.access) as game,
    ):
        path = Path(folder) / "trace.jsonl"
        context = Context(game=game, roles=setup.roles(), seed=7, agent_seed=7)
        writer = TraceWriter(path, metadata={"seed": 7, "access": ["text"]})
        plain, traced = _graph(setup, traced=False), _graph(setup, traced=True)
        costs = []
        for turn in range(int(turns)):
            without = _turn(plain, context, "plain", turn)
            costs.append(_turn(traced, context, "traced", turn, writer) - without)
        writer.close()
        content = b"".join(part.read_bytes() for part in segments(path))
    cpu, raw = statistics.median(costs), len(content) / len(costs) / 1000
    compressed = len(gzip.compress(content, 6)) / len(costs) / 1000
    print(f"{len(costs)} turns of {story}, graph offline, seed 7")
    print(f"CPU of tracing   {cpu:.3f} ms a turn (median; mean {statistics.mean(costs):.3f}; goal {CPU_MS})")
    print(f"on disk          {compressed:.2f} KB a turn compressed, {raw:.1f} plain (goal {DISK_KB})")


def _graph(setup: Setup, *, traced: bool) -> TurnGraph:
    builder = build_graph(setup.config)
    if not traced:
        for node in builder.nodes.values():
            node.trace_policy = None
    return builder.compile(checkpointer=InMemorySaver(), name="turn")


def _turn(
    graph: TurnGraph, context: Context, thread: str, turn: int, *callbacks: TraceWriter
) -> float:
    """Milliseconds of CPU for one turn."""
    config = {
        "configurable": {"thread_id": thread},
        "callbacks": list(callbacks),
        "run_name": "turn",
        "metadata": {"turn": turn},
    }
    start = time.process_time()
    graph.invoke({}, config, context=context, durability="exit")
    return (time.process_time() - start) * 1000


if __name__ == "__main__":
    main(*sys.argv[1:])
