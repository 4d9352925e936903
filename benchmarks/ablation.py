"""What each part of the offline agent is worth: play with all of them, and without one.

Usage: python -m benchmarks.ablation [--games workshop,hollow] [--without chaining,objectives]
       [--seeds 1-30] [--steps 400] [--workers 1] [--out FILE]
Paired by seed; in points, and in steps to the end where a story is won. Positive: the part helps.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from managers.faculties import Faculties
from orchestrator.bench import Cell, run_grid, seed_range
from orchestrator.figures import Interval, interval

WHOLE = "whole"
PARTS: Mapping[str, tuple[str, ...]] = {
    WHOLE: (),
    **{name: (f"faculties.{name}=false",) for name in Faculties.model_fields},
    "issues": ("nodes.objective_manager.issues=0",),
    "enrichment": ("nodes.objective_manager.enrichment=false",),
    "critic": ("nodes.critic.use=none",),
}
"""Part -> the settings that switch it off."""


class Effect(NamedTuple):
    """What a part is worth on one story."""

    points: Interval
    steps: Interval
    """How many it saves on the way to the end of the story."""
    solved: tuple[int, int]
    """Episodes won with it and without it."""


def effect(whole: Sequence[dict[str, Any]], without: Sequence[dict[str, Any]]) -> Effect:
    """The paired differences; rows of the same seeds in the same order."""
    pairs = list(zip(whole, without, strict=True))
    return Effect(
        interval([one["score"] - other["score"] for one, other in pairs]),
        interval([other["turns"] - one["turns"] for one, other in pairs]),
        (sum(map(_won, whole)), sum(map(_won, without))),
    )


def _won(row: Mapping[str, Any]) -> bool:
    return bool(row["end_reason"] == "won")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", default="workshop,hollow")
    parser.add_argument("--without", default=",".join(PARTS))
    parser.add_argument("--seeds", default="1-30")
    parser.add_argument("--steps", type=int, default=400)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("runs/ablation.jsonl"))
    given = parser.parse_args()
    parts = [WHOLE, *(part for part in given.without.split(",") if part != WHOLE)]
    for game in given.games.split(","):
        rows: dict[str, list[dict[str, Any]]] = {}
        for part in parts:
            cells = [
                Cell(game, "offline", seed, given.steps, PARTS[part])
                for seed in seed_range(given.seeds)
            ]
            rows[part] = run_grid(cells, given.out, given.workers, _tell)
            print(_line(game, part, rows), flush=True)


def _line(game: str, part: str, rows: Mapping[str, list[dict[str, Any]]]) -> str:
    start = f"{Path(game).stem:<12}"
    if part == WHOLE:
        scores = interval([row["score"] for row in rows[part]])
        steps = interval([row["turns"] for row in rows[part]])
        return f"{start}{part:<22}{scores} points, {steps} steps, {len(rows[part])} seeds"
    worth = effect(rows[WHOLE], rows[part])
    with_it, without = worth.solved
    solved = f", won {with_it} with it and {without} without" if with_it or without else ""
    return f"{start}{part:<22}{worth.points} points, {worth.steps} steps saved{solved}"


def _tell(cell: Cell, row: dict[str, Any]) -> None:
    print(".", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
