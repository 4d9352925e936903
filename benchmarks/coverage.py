"""How often do the intervals of `zork compare` hold the truth, and how often is chance called so?

Usage: python -m benchmarks.coverage RESULTS [FIRST SECOND] [--seeds 10] [--times 1000]
The rows of two graphs, by default `random` and `offline`, are taken for all that could happen:
so many seeds a story are drawn of them with replacement, again and again, and compared. What is
between the two is then known. Intervals of 95 % should hold it 95 times of 100, and two samples of
one graph should be called different 5 times at most. Where fewer stories are compared than there
are, these are drawn, too.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from orchestrator.evaluation.rows import Row, read_rows
from orchestrator.evaluation.scores import counted
from orchestrator.evaluation.statistics import Floats, Interval, difference, paired

Draw = Callable[[Sequence[Floats], np.random.Generator, int], Interval]
"""Of stories, each with a column for either graph and a line a seed."""


def in_pairs(stories: Sequence[Floats], rng: np.random.Generator, seeds: int) -> Interval:
    """The same seeds of both graphs."""
    drawn = [rows[rng.integers(0, len(rows), seeds)] for rows in stories]
    return paired([list(rows[:, 1] - rows[:, 0]) for rows in drawn])


def apart(stories: Sequence[Floats], rng: np.random.Generator, seeds: int) -> Interval:
    """Seeds of each graph by themselves."""
    first, second = (
        [list(rng.choice(rows[:, side], seeds)) for rows in stories] for side in (0, 1)
    )
    return difference(first, second)


def population(rows: Sequence[Row], graphs: Sequence[str]) -> list[Floats]:
    """The scores of two graphs by story, in pairs by seed."""
    scores = {(row["story"], row["graph"], row["seed"]): counted(row) for row in rows}
    seeds = sorted({row["seed"] for row in rows})
    stories = dict.fromkeys(row["story"] for row in rows)
    return [
        np.array([[scores[story, graph, seed] for graph in graphs] for seed in seeds])
        for story in stories
    ]


def main() -> None:
    """Draw, and print how often the intervals hold what is known and leave 0 out."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("results", type=Path)
    parser.add_argument("graphs", nargs="*", default=["random", "offline"])
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--times", type=int, default=1000)
    given = parser.parse_args()
    first, second = given.graphs
    rows = read_rows(given.results)
    for graphs in ((first, second), (second, second)):
        known = population(rows, graphs)
        for count in sorted({1, 3, len(known)}):
            for draw in (in_pairs, apart):
                if graphs[0] != graphs[1] or draw is apart:
                    told = _held(known, draw, count, given.seeds, given.times)
                    print(f"{graphs[0]}, {graphs[1]}, {count} stories, {draw.__name__}: {told}")


def _held(known: Sequence[Floats], draw: Draw, count: int, seeds: int, times: int) -> str:
    rng = np.random.default_rng(1)
    held = different = 0
    for _ in range(times):
        stories = [known[place] for place in rng.choice(len(known), count, replace=False)]
        truth = np.mean([rows[:, 1].mean() - rows[:, 0].mean() for rows in stories])
        found = draw(stories, rng, seeds)
        held += found.low - 1e-9 <= truth <= found.high + 1e-9
        different += found.excludes_zero
    return f"{held / times:.1%} hold the truth, {different / times:.1%} called different"


if __name__ == "__main__":
    main()
