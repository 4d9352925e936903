"""Are two workers twice as fast as one? The same plan with one and with two, in turns.

Usage: python -m benchmarks.scaling [--games hollow,zork1] [--seeds 1-8] [--steps 150] [--rounds 3]
By wall clock, beside what others took of the machine meanwhile, which makes it longer; and by
processor time, which tells what two free processors would give: what a bench takes that has
nothing left to play cannot be shared out, all the rest can.
"""

from __future__ import annotations

import argparse
import os
import resource
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

_ZORK = [sys.executable, "-c", "from orchestrator.cli import main; main()"]


class Took(NamedTuple):
    """What a bench took."""

    wall: float
    cpu: float
    """Seconds of processor time, its workers' too."""
    others: float
    """Processors that others took meanwhile, in the mean."""

    def __str__(self) -> str:
        return f"{self.wall:.1f} s, {self.cpu:.1f} s of processor time, others {self.others:.2f}"


def bench(workers: int, out: Path, plan: list[str]) -> Took:
    """Play a plan, or what is missing of it."""
    begun, cpu, busy = time.monotonic(), _cpu(), _busy()
    command = [*_ZORK, "bench", *plan, "--workers", str(workers), "-o", str(out)]
    ran = subprocess.run(command, check=False, capture_output=True, text=True)
    if ran.returncode:
        sys.exit(f"{shlex.join(['zork', *command[3:]])}: {ran.stderr.strip() or ran.returncode}")
    wall, took = time.monotonic() - begun, _cpu() - cpu
    return Took(wall, took, max(0.0, _busy() - busy - took) / wall)


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _busy() -> float:
    """Seconds of processor time that everybody on this machine has taken."""
    ticks = [int(word) for word in Path("/proc/stat").read_text().split("\n")[0].split()[1:9]]
    return (sum(ticks) - ticks[3] - ticks[4]) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Play the plan in turns, and print what each bench took and how much faster two are."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", default="hollow,zork1")
    parser.add_argument("--seeds", default="1-8")
    parser.add_argument("--steps", default="150")
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    plan = ["--games", given.games, "--graphs", "offline", "--seeds", given.seeds]
    plan += ["--steps", given.steps]
    for number in range(given.rounds):
        with tempfile.TemporaryDirectory() as folder:
            one = bench(1, Path(folder, "one.jsonl"), plan)
            two = bench(2, Path(folder, "two.jsonl"), plan)
            rest = bench(2, Path(folder, "two.jsonl"), plan)
        shared = rest.cpu + (two.cpu - rest.cpu) / 2
        print(f"round {number + 1}\n  one worker: {one}\n  two workers: {two}")
        print(f"  nothing left to play: {rest}")
        print(f"  two are {one.wall / two.wall:.2f} times as fast by the clock,")
        print(f"  {one.cpu / shared:.2f} times on two free processors", flush=True)


if __name__ == "__main__":
    main()
