"""What play loses without each system: share of commands changed, and points, pair by pair.

Usage: python -m benchmarks.knockout [--games hollow,zork1] [--graph offline] [--seeds 1-10]
       [--steps 200] [--without beliefs,dynamics] [-s KEY=VALUE ...]
A command is changed where the two transcripts differ in that turn. Points are the best score of the
whole agent less that of the agent without the system, with a 95 % interval over a story's pairs.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

from orchestrator.episode import play_setup
from orchestrator.evaluation.cells import Cell
from orchestrator.evaluation.plan import seed_range
from orchestrator.evaluation.statistics import interval
from orchestrator.events import Event, TurnPlayed

SYSTEMS: Mapping[str, tuple[str, ...]] = {
    "beliefs: blocker": ('faculties.without=["blocker"]',),
    "dynamics: experience": ('nodes.actor.without=["experience"]',),
    "dynamics: information": ('nodes.actor.without=["information"]',),
    "advice": ('nodes.actor.without=["advice","staying"]',),
    "deliberation": ("nodes.oracle.price=0",),
    "objectives": ("faculties.objectives=false",),
    "chaining": ("faculties.chaining=false",),
    "issues": ("nodes.objective_manager.issues=0",),
    "enrichment": ("nodes.objective_manager.enrichment=false",),
    "failed actions": ("faculties.failures=false",),
    "rates": ("faculties.statistics=false",),
    "affordances": ("faculties.affordances=false",),
    "modes": ("faculties.modes=false",),
    "critic": ("nodes.critic.use=none",),
}
"""System -> the settings that stub it."""
ORACLES = ("advice", "deliberation", "modes")
"""Those that only a graph with an oracle has."""


class Played(NamedTuple):
    """One episode: its commands and its best score."""

    commands: tuple[str, ...]
    score: int


def main() -> None:
    """Play all, and print a table for every story."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", default="hollow")
    parser.add_argument("--graph", default="offline")
    parser.add_argument("--seeds", default="1-10")
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--without", default=",".join(SYSTEMS), help=f"of {', '.join(SYSTEMS)}")
    parser.add_argument("-s", "--set", action="append", default=[], help="for all episodes")
    given = parser.parse_args()
    if unknown := set(given.without.split(",")).difference(SYSTEMS):
        parser.error(f"no system {', '.join(sorted(unknown))} (known: {', '.join(SYSTEMS)})")
    asked = given.graph != "offline"
    systems = [one for one in given.without.split(",") if asked or one not in ORACLES]
    for game in given.games.split(","):
        whole = _all(game, given, ())
        rows = {name: _all(game, given, SYSTEMS[name]) for name in systems}
        Console().print(_table(game, whole, rows))


def _all(game: str, given: argparse.Namespace, settings: Sequence[str]) -> list[Played]:
    print(".", end="", file=sys.stderr, flush=True)
    seeds, more = seed_range(given.seeds), (*given.set, *settings)
    return [play_cell(Cell(game, given.graph, seed, given.steps, more)) for seed in seeds]


def play_cell(cell: Cell) -> Played:
    """The commands and the score of one episode without a memory."""
    commands: list[str] = []

    def note(event: Event) -> None:
        if isinstance(event, TurnPlayed):
            commands.append(event.after["command"])

    with tempfile.TemporaryDirectory() as folder:
        result = play_setup(replace(cell.setup(Path(folder)), watchers=(note,)))
    return Played(tuple(commands), int(result["best_score"]))


def changed(one: Played, other: Played) -> float:
    """The share of turns in which the two played something else."""
    turns = max(len(one.commands), len(other.commands), 1)
    same = sum(a == b for a, b in zip(one.commands, other.commands, strict=False))
    return 1.0 - same / turns


def _table(game: str, whole: Sequence[Played], rows: Mapping[str, Sequence[Played]]) -> Table:
    mean = interval([one.score for one in whole])
    title = f"{Path(game).stem}: {mean} points, {len(whole)} seeds"
    table = Table("without", "commands changed", "points lost", title=title)
    for name, without in rows.items():
        pairs = list(zip(whole, without, strict=True))
        share = sum(changed(*pair) for pair in pairs) / len(pairs)
        lost = interval([one.score - other.score for one, other in pairs])
        table.add_row(name, f"{share:.0%}", str(lost))
    return table


if __name__ == "__main__":
    main()
