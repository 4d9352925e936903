"""Two configs from the very same moments: forks many points of one run into both.

    python -m benchmarks.forks RUN [--points 100] [--steps 20] -a KEY=VALUE ... -b KEY=VALUE ...

Each point is a turn of RUN; from it both configs play on for the same number of steps. Prints
at how many points they played differently, and the mean paired difference of what they gained,
with a 95 % confidence interval by bootstrap.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
from pathlib import Path
from typing import NamedTuple

from orchestrator.fork import branch_at, open_fork
from orchestrator.saved.restore import ranges
from orchestrator.saved.runs import RunDirectory

RESAMPLES = 10_000


def main() -> None:
    """Print one line per ten points, then the paired difference."""
    options = arguments()
    run = RunDirectory.find(options.run)
    last = branch_at(run).turn
    count = min(options.points, last + 1)
    points = [round(last * number / max(1, count - 1)) for number in range(count)]
    print(f"{run.path.name}: {count} points, turns {ranges(points)}, {options.steps} steps each")
    differences: list[float] = []
    apart = 0
    for number, turn in enumerate(points, start=1):
        first = outcome(run, turn, options.steps, options.a)
        second = outcome(run, turn, options.steps, options.b)
        differences.append(second.gain - first.gain)
        apart += second.transcript != first.transcript
        if number % 10 == 0 or number == count:
            print(f"  {number:>4} points: b - a = {statistics.fmean(differences):+.3f}", flush=True)
    low, high = interval(differences)
    print(f"played differently at {apart} of {count} points")
    print(
        f"b {options.b} - a {options.a}: {statistics.fmean(differences):+.3f} points of score "
        f"in {options.steps} steps, 95 % [{low:+.3f}, {high:+.3f}]"
    )


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("run")
    parser.add_argument("--points", type=int, default=100)
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("-a", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("-b", action="append", default=[], metavar="KEY=VALUE")
    return parser.parse_args()


class Outcome(NamedTuple):
    """What came of playing on from one point."""

    gain: float
    """Points of score."""
    transcript: bytes


def outcome(run: RunDirectory, turn: int, steps: int, settings: list[str]) -> Outcome:
    """Play on for so many steps from the end of a turn."""
    branch = branch_at(run, turn)
    before: int = branch.stand.values["score"].last.score
    if branch.stand.values["score"].last.ended:
        return Outcome(0.0, b"")
    with (
        tempfile.TemporaryDirectory() as folder,
        open_fork(branch, settings=settings, steps=steps, out=Path(folder), trace=False) as episode,
    ):
        result = episode.play()
        if result["end_reason"] == "paused":
            raise SystemExit(f"turn {turn}: {result['outage']}")
        return Outcome(result["score"] - before, episode.run.transcript.read_bytes())


def interval(values: list[float]) -> tuple[float, float]:
    """The middle 95 % of the means of resampled values."""
    rng = random.Random(1)
    means = sorted(statistics.fmean(rng.choices(values, k=len(values))) for _ in range(RESAMPLES))
    return means[round(0.025 * RESAMPLES)], means[round(0.975 * RESAMPLES) - 1]


if __name__ == "__main__":
    main()
