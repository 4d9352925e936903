"""What it would cost to sync a run to its disk after every turn.

    python -m benchmarks.syncing [--story hollow] [--steps 200] [--out FOLDER]

The folder decides which disk is measured; without one it is that of temporary files.
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import time
from pathlib import Path

from orchestrator import play
from orchestrator.events import Event, TurnPlayed
from orchestrator.saved.runs import list_runs

FILES = ("transcript.txt", "trace.jsonl", "checkpoints.sqlite", "checkpoints.sqlite-wal")


class Syncing:
    """Syncs whatever a turn has written, and notes how long that took."""

    def __init__(self, out: Path) -> None:
        self.out = out
        self.spent: list[float] = []

    def __call__(self, event: Event) -> None:
        if not isinstance(event, TurnPlayed):
            return
        begun = time.perf_counter()
        for path in (list_runs(self.out)[-1].path / name for name in FILES):
            if path.exists():
                with path.open("rb") as file:
                    os.fsync(file.fileno())
        self.spent.append((time.perf_counter() - begun) * 1000)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--story", default="hollow")
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.out) as folder:
        syncing = Syncing(Path(folder))
        begun = time.perf_counter()
        play(
            options.story,
            seed=7,
            steps=options.steps,
            out=folder,
            fresh=True,
            watchers=(syncing,),
        )
        whole = (time.perf_counter() - begun) * 1000
    spent = sorted(syncing.spent)
    turns = len(spent)
    p99 = spent[min(turns - 1, round(0.99 * turns))]
    print(f"{turns} turns of {options.story}: {(whole - sum(spent)) / turns:.1f} ms a turn without")
    print(f"sync {statistics.median(spent):.2f} ms a turn more (median), p99 {p99:.1f} ms")


if __name__ == "__main__":
    main()
