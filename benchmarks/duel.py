"""Two versions of the program play the same episode turn about; what a turn takes in each.

    python -m benchmarks.duel /path/to/one /path/to/other [--story zork1] [--steps 400] [--bare]

Both play in processes of their own, one turn of the one and then the same turn of the other, so
that whatever else the machine does slows both. `--bare` plays without checkpoints and traces.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from itertools import cycle

from benchmarks.turns import disturbance

PLAYER = """
import json, os, sys, tempfile, time
from pathlib import Path
from orchestrator.episode import play_setup
from orchestrator.events import EpisodeEnded
from orchestrator.setup import Setup

story, steps, kept = sys.argv[1], int(sys.argv[2]), sys.argv[3] == "kept"
os.environ["ZORK_HOME"] = tempfile.mkdtemp()
clocks = []

def clock():
    children = Path("/proc/self/task", str(os.getpid()), "children").read_text().split()
    spent = (int(Path("/proc", one, "schedstat").read_text().split()[0]) for one in children)
    return time.perf_counter(), time.process_time() + sum(spent) / 1e9

def note(event):
    if isinstance(event, EpisodeEnded):
        return
    took = [now - then for now, then in zip(clock(), clocks[-1])] if clocks else None
    print(json.dumps(took), flush=True)
    sys.stdin.readline()
    clocks.append(clock())

setup = Setup.resolve(
    story, seed=1, steps=steps, out=tempfile.mkdtemp(), checkpoints=kept, trace=kept, fresh=True,
    watchers=(note,),
)
sys.stdin.readline()
play_setup(setup)
"""
"""What both run; the clocks are read before and after a turn, the emulator's processor included."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("trees", nargs=2)
    parser.add_argument("--story", default="zork1")
    parser.add_argument("--steps", type=int, default=400)
    parser.add_argument("--bare", action="store_true", help="without checkpoints and traces")
    options = parser.parse_args()
    print(f"{options.story}, {options.steps} turns, {disturbance()}")
    told = [options.story, str(options.steps), "bare" if options.bare else "kept"]
    one, other = duel([player(tree, told) for tree in options.trees], options.steps)
    for at, name in enumerate(("wall", "processor")):
        first, second = ([turn[at] for turn in times] for times in (one, other))
        means = [statistics.fmean(times) * 1000 for times in (first, second)]
        ratios = [new / old for old, new in zip(first, second, strict=True)]
        print(
            f"  {name:<10} {means[0]:6.2f} and {means[1]:6.2f} ms a turn, "
            f"{means[1] / means[0]:.2f} times; median of the turns {statistics.median(ratios):.2f}"
        )


def player(tree: str, told: list[str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", PLAYER, *told],
        cwd=tree,
        env={**os.environ, "PYTHONPATH": tree},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def duel(players: list[subprocess.Popen[str]], steps: int) -> list[list[tuple[float, float]]]:
    """Wall and processor time of every turn of both, the one and the other going first."""
    times: list[list[tuple[float, float]]] = [[], []]
    for order, _ in zip(cycle(((0, 1), (1, 0))), range(steps + 1), strict=False):
        for at in order:
            pipes = players[at]
            assert pipes.stdin is not None
            assert pipes.stdout is not None
            pipes.stdin.write("\n")
            pipes.stdin.flush()
            took = json.loads(pipes.stdout.readline())
            if took:
                times[at].append((took[0], took[1]))
    for one in players:
        one.communicate()
    return times


if __name__ == "__main__":
    main()
