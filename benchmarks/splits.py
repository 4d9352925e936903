"""How often two random halves of the same rows are called different.

Usage: python -m benchmarks.splits RESULTS [GRAPH] [--splits 100]
Of the rows of a graph, `offline` if none is named, half of each story's go to either side, and are
compared as `zork compare --unpaired` does it: once with the stories split apart from each other,
once with the same seeds of all stories on the same side. 5 of 100 are expected to be called so.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Sequence
from pathlib import Path

from orchestrator.evaluation.compare import compare_unpaired
from orchestrator.evaluation.rows import Row, read_rows

Split = Callable[[Sequence[Row], random.Random], tuple[list[Row], list[Row]]]


def apart(rows: Sequence[Row], rng: random.Random) -> tuple[list[Row], list[Row]]:
    """Halves in which every story is split by itself."""
    halves: tuple[list[Row], list[Row]] = ([], [])
    for story in dict.fromkeys(row["story"] for row in rows):
        of_it = [row for row in rows if row["story"] == story]
        rng.shuffle(of_it)
        halves[0].extend(of_it[: len(of_it) // 2])
        halves[1].extend(of_it[len(of_it) // 2 :])
    return halves


def together(rows: Sequence[Row], rng: random.Random) -> tuple[list[Row], list[Row]]:
    """Halves of the seeds."""
    seeds = sorted({row["seed"] for row in rows})
    first = set(rng.sample(seeds, len(seeds) // 2))
    return (
        [row for row in rows if row["seed"] in first],
        [row for row in rows if row["seed"] not in first],
    )


def same(rows: Sequence[Row], split: Split, times: int) -> int:
    """How many of so many splits are not shown to be different."""
    halves = (split(rows, random.Random(number)) for number in range(times))
    return sum(not compare_unpaired(*both).different for both in halves)


def main() -> None:
    """Split a file, and print how often the halves are the same."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("results", type=Path)
    parser.add_argument("graph", nargs="?", default="offline")
    parser.add_argument("--splits", type=int, default=100)
    given = parser.parse_args()
    rows = [row for row in read_rows(given.results) if row["graph"] == given.graph]
    print(f"{len(rows)} rows of {given.graph}, {given.splits} splits each way")
    for split in (apart, together):
        count = same(rows, split, given.splits)
        print(f"{split.__name__}: {count} not shown to be different")


if __name__ == "__main__":
    main()
