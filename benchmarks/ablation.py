"""What each part of the offline agent is worth: play with all of them, and without one.

Usage: python -m benchmarks.ablation [--games workshop,hollow] [--without chaining,objectives]
       [--seeds 1-30] [--steps 400] [--workers 1] [--out FILE]
Paired by seed; in points, and in steps to the end where a story is won. Positive: the part helps.
Episodes are kept in FILE as they end: the same command goes on where it was stopped, and its table
tells how many pairs there are. Another version of the code needs another FILE.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table

from managers.core.scene import Mind
from managers.skills import SHIPPED
from orchestrator.evaluation.cells import Cell, Task
from orchestrator.evaluation.grid import check_complete, run_grid
from orchestrator.evaluation.plan import seed_range
from orchestrator.evaluation.statistics import Interval, interval, paired

WHOLE = "whole"
PARTS: Mapping[str, tuple[str, ...]] = {
    WHOLE: (),
    **{name: (f"mind.{name}=false",) for name, on in Mind() if on},
    **{name: (f"skills.{name}.enabled=false",) for name in SHIPPED},
    "chaining": ("skills.plans.chaining=false",),
    "affordances": ("skills.things.affordances=false",),
    "issues": ("nodes.objective_manager.issues=0",),
    "enrichment": ("nodes.objective_manager.enrichment=false",),
    "critic": ("nodes.critic.use=none",),
}
"""Part -> the settings that switch it off."""


Rows = Sequence[Mapping[str, Any]]


class Effect(NamedTuple):
    """What a part is worth on one story."""

    pairs: int
    points: Interval
    steps: Interval
    """How many it saves on the way to the end of the story."""
    solved: tuple[int, int]
    """Episodes won with it and without it."""


def effect(whole: Rows, without: Rows) -> Effect:
    """The paired differences over the seeds that were played with the part and without it."""
    found = {row["seed"]: row for row in without}
    pairs = [(one, found[one["seed"]]) for one in whole if one["seed"] in found]
    return Effect(
        len(pairs),
        paired([[one["score"] - other["score"] for one, other in pairs]]),
        paired([[other["turns"] - one["turns"] for one, other in pairs]]),
        (sum(_won(one) for one, _ in pairs), sum(_won(other) for _, other in pairs)),
    )


def _won(row: Mapping[str, Any]) -> bool:
    return bool(row["end_reason"] == "won")


def main() -> None:
    """Play what is missing, and print a table for every story."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", default="workshop,hollow")
    parser.add_argument("--without", default=",".join(PARTS), help=f"of {', '.join(PARTS)}")
    parser.add_argument("--seeds", default="1-30")
    parser.add_argument("--steps", type=int, default=400)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("runs/ablation.jsonl"))
    given = parser.parse_args()
    parts = [WHOLE, *(part for part in given.without.split(",") if part != WHOLE)]
    if unknown := set(parts).difference(PARTS):
        parser.error(f"no part {', '.join(sorted(unknown))} (known: {', '.join(PARTS)})")
    for game in given.games.split(","):
        rows = {part: _played(game, part, given) for part in parts}
        Console().print(_table(game, rows))


def _played(game: str, part: str, given: argparse.Namespace) -> Rows:
    seeds = seed_range(given.seeds)
    cells = [Cell(game, "offline", seed, given.steps, PARTS[part]) for seed in seeds]
    print(f"\n{Path(game).stem}, {part}: ", end="", file=sys.stderr, flush=True)
    return check_complete(run_grid(cells, given.out, given.workers, _tell))


def _table(game: str, rows: Mapping[str, Rows]) -> Table:
    whole = rows[WHOLE]
    scores, steps = (interval([row[name] for row in whole]) for name in ("score", "turns"))
    title = f"{Path(game).stem}: {scores} points, {steps} steps, {len(whole)} seeds"
    table = Table("part", "pairs", "points", "steps saved", "won with it / without", title=title)
    for part, without in rows.items():
        if part != WHOLE:
            worth = effect(whole, without)
            won = " / ".join(map(str, worth.solved))
            table.add_row(part, str(worth.pairs), str(worth.points), str(worth.steps), won)
    return table


def _tell(_task: Task, _row: dict[str, Any]) -> None:
    print(".", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
