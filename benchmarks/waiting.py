"""What a slow model leaves to wait for: `python -m benchmarks.waiting [STORY] [TURNS]`.

A fake server in a process of its own takes 0.3 s for every answer and makes eight at a time.
One episode of `llm` is played alone, then eight at once in one process, and one of `council`, whose
advocates are asked at the same time. Exit status 1 if a bound is missed.
"""

from __future__ import annotations

import itertools
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

from benchmarks.arguments import given
from orchestrator import play
from orchestrator.traces.reader import Run, read_trace

LATENCY, SLOTS = 0.3, 8
"""Seconds of one answer, and answers made at a time."""
OVERHEAD, SPEEDUP, COUNCIL = 1.15, 6.0, 1.3
"""The goals: time of a turn by that of its calls, throughput of eight episodes by that of one, time
of a turn of `council` by that of its longest chain of calls."""


def main(story: str = "hollow", turns: str = "40") -> int:
    steps = int(turns)
    with tempfile.TemporaryDirectory() as folder, slow_server() as url:
        os.environ["OLLAMA_HOST"] = url
        out = Path(folder)
        episode(story, 3, 1, out)
        alone, run = timed_episodes(story, steps, [1], out)
        together, _ = timed_episodes(story, steps, range(1, SLOTS + 1), out)
        ratios = turn_ratios(run, calls)
    with tempfile.TemporaryDirectory() as folder, slow_server(quarrel(Path(folder))) as url:
        os.environ["OLLAMA_HOST"] = url
        council = episode(story, steps, 1, Path(folder), "council")
        branched, saved = turn_ratios(council, longest_chain), turn_ratios(council, calls)
    overhead, speedup = statistics.mean(ratios), SLOTS * alone / together
    print(f"{story}, graph llm, {steps} turns, seeds 1-{SLOTS}, {LATENCY} s a call")
    print(f"a turn by its calls      {overhead:6.3f}  (at most {OVERHEAD})")
    print(f"  the slowest of {len(ratios):<9}{max(ratios):6.3f}")
    print(f"one episode              {alone:6.1f} s")
    print(f"{SLOTS} at once                {together:6.1f} s")
    print(f"throughput               {speedup:6.2f}  (at least {SPEEDUP})")
    chained = statistics.mean(branched)
    print(f"council, a turn by its longest chain {chained:6.3f}  (at most {COUNCIL})")
    print(f"  the slowest of {len(branched):<9}{max(branched):18.3f}")
    print(f"  by all its calls       {statistics.mean(saved):18.3f}")
    return int(overhead > OVERHEAD or speedup < SPEEDUP or chained > COUNCIL)


def timed_episodes(
    story: str, steps: int, seeds: range | list[int], out: Path
) -> tuple[float, Path]:
    """Seconds until the last of these episodes is over, and the directory of the first."""
    with ThreadPoolExecutor(len(seeds)) as pool:
        start = time.perf_counter()
        runs = [pool.submit(episode, story, steps, seed, out) for seed in seeds]
        directories = [run.result() for run in runs]
        return time.perf_counter() - start, directories[0]


def episode(story: str, steps: int, seed: int, out: Path, graph: str = "llm") -> Path:
    """One episode as anybody plays it, with trace and checkpoints; its run directory."""
    result = play(story, graph=graph, steps=steps, seed=seed, out=out, cache=False, fresh=True)
    return Path(result["run_dir"])


def turn_ratios(run: Path, count: Callable[[Run], int]) -> list[float]:
    """Of every turn but the last that asks a model: its time, by that of so many calls."""
    turns = read_trace(run / "trace.jsonl").roots[1:]
    return [
        (after.started - turn.started).total_seconds() / (LATENCY * count(turn))
        for turn, after in itertools.pairwise(turns)
        if calls(turn)
    ]


def calls(turn: Run) -> int:
    return sum(run.kind == "llm" for run in turn.walk())


def longest_chain(turn: Run) -> int:
    """The calls of a turn that have to follow each other: of nodes at the same time, the most."""
    total, most, ends = 0, 0, turn.started
    for node in sorted(turn.children, key=lambda one: one.started):
        if node.started >= ends:
            total, most = total + most, 0
        ended = node.started + timedelta(seconds=node.seconds or 0)
        most, ends = max(most, calls(node)), max(ends, ended)
    return total + most


def quarrel(folder: Path) -> Path:
    """A script by which advocates differ, so that the arbiter is asked in every turn."""
    pleas = {"something new": "examine path", "found": "inventory", "": "look"}
    rules: list[dict[str, Any]] = [
        {
            "asked": "PleaNotes",
            "when": f"Yours is: .*{cause}",
            "answer": {"thinking": "Yes.", "action": command},
        }
        for cause, command in pleas.items()
    ]
    rules.append({"asked": "ChoiceNotes", "answer": {"thinking": "Near.", "number": 1}})
    script = folder / "quarrel.json"
    script.write_text(json.dumps({"rules": rules}), encoding="utf-8")
    return script


@contextmanager
def slow_server(script: Path | None = None) -> Iterator[str]:
    """The address of a fake server with its own interpreter, as a real one would have."""
    command = [sys.executable, "-m", "testing.fake_ollama", "--port", "0"]
    command += ["--latency", str(LATENCY), "--slots", str(SLOTS), "--seed", "1"]
    command += ["--script", str(script)] if script else []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, encoding="utf-8") as server:
        assert server.stdout is not None
        try:
            yield server.stdout.readline().strip().partition("=")[2]
        finally:
            server.send_signal(signal.SIGTERM)


if __name__ == "__main__":
    sys.exit(main(*given(__doc__)))
