"""What play loses without each skill and each system: commands changed, and points, pair by pair.

Usage: python -m benchmarks.knockout [--games hollow,zork1] [--graph offline] [--seeds 1-10]
       [--steps 200] [--without beliefs,fights] [-s KEY=VALUE ...] [--workers 2] [--out FILE]
A command is changed where the two transcripts differ in that turn. Points are the best score of the
whole agent less that of the agent without the system, with a 95 % interval over a story's pairs;
for several stories together in percent of each story's maximum. Episodes are kept in FILE as they
end: the same command goes on where it was stopped. Another version of the code needs another FILE.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

from managers.skills import SHIPPED
from orchestrator.episode import play_setup
from orchestrator.evaluation.cells import Cell
from orchestrator.evaluation.plan import seed_range
from orchestrator.evaluation.scores import maximum
from orchestrator.evaluation.statistics import interval, paired
from orchestrator.events import Event, TurnPlayed

SYSTEMS: Mapping[str, tuple[str, ...]] = {
    "beliefs: blocker": ('mind.without=["blocker"]',),
    "dynamics: experience": ('nodes.actor.without=["experience"]',),
    "dynamics: information": ('nodes.actor.without=["information"]',),
    "advice": ('nodes.actor.without=["advice","staying"]',),
    "deliberation": ("nodes.oracle.price=0",),
    **{name: (f"skills.{name}.enabled=false",) for name in SHIPPED},
    "chaining": ("skills.plans.chaining=false",),
    "issues": ("nodes.objective_manager.issues=0",),
    "enrichment": ("nodes.objective_manager.enrichment=false",),
    "failed actions": ("mind.failures=false",),
    "rates": ("mind.statistics=false",),
    "affordances": ("skills.things.affordances=false",),
    "modes": ("mind.modes=false",),
    "critic": ("nodes.critic.use=none",),
}
"""System -> the settings that stub it."""
ORACLES = ("advice", "deliberation", "modes")
"""Those that only a graph with an oracle has."""


class Played(NamedTuple):
    """One episode: its commands, its best score, and the most points there are, if known."""

    commands: tuple[str, ...]
    score: int
    maximum: int | None


Runs = dict[tuple[str, str, int], Played]
"""Story, system that is left out (empty for none) and seed -> what was played."""


def main() -> None:
    """Play all, and print a table for every story and one for all together."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", default="hollow")
    parser.add_argument("--graph", default="offline")
    parser.add_argument("--seeds", default="1-10")
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--without", default=",".join(SYSTEMS), help=f"of {', '.join(SYSTEMS)}")
    parser.add_argument("-s", "--set", action="append", default=[], help="for all episodes")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    if unknown := set(given.without.split(",")).difference(SYSTEMS):
        parser.error(f"no system {', '.join(sorted(unknown))} (known: {', '.join(SYSTEMS)})")
    asked = given.graph != "offline"
    systems = [one for one in given.without.split(",") if asked or one not in ORACLES]
    games, seeds = given.games.split(","), seed_range(given.seeds)
    cells = {
        (game, name, seed): Cell(
            game, given.graph, seed, given.steps, (*given.set, *SYSTEMS.get(name, ()))
        )
        for game in games
        for name in ("", *systems)
        for seed in seeds
    }
    runs = played(cells, given.workers, given.out)
    for game in games:
        Console().print(_table(game, runs, systems, seeds))
    if len(games) > 1:
        Console().print(_together(games, runs, systems, seeds))


def played(cells: Mapping[tuple[str, str, int], Cell], workers: int, out: Path | None) -> Runs:
    """Every cell played, those in the file `out` not anew."""
    runs: Runs = {}
    for line in out.read_text(encoding="utf-8").splitlines() if out and out.exists() else ():
        row = json.loads(line)
        runs[row["game"], row["without"], row["seed"]] = Played(
            tuple(row["commands"]), row["score"], row["maximum"]
        )
    left = {key: cell for key, cell in cells.items() if key not in runs}
    with ProcessPoolExecutor(workers) as pool:
        waiting = {pool.submit(play_cell, cell): key for key, cell in left.items()}
        for done in as_completed(waiting):
            (game, name, seed), found = waiting[done], done.result()
            runs[game, name, seed] = found
            print(".", end="", file=sys.stderr, flush=True)
            if out:
                row = {"game": game, "without": name, "seed": seed, **found._asdict()}
                with out.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(row) + "\n")
    return runs


def play_cell(cell: Cell) -> Played:
    """The commands and the score of one episode without a memory."""
    commands: list[str] = []

    def note(event: Event) -> None:
        if isinstance(event, TurnPlayed):
            commands.append(event.after["command"])

    with tempfile.TemporaryDirectory() as folder:
        setup = replace(cell.setup(Path(folder)), watchers=(note,), trace=False)
        result = play_setup(setup)
    told = maximum(setup.story, result["max_score"])["max_score"]
    return Played(tuple(commands), int(result["best_score"]), told)


def changed(one: Played, other: Played) -> float:
    """The share of turns in which the two played something else."""
    turns = max(len(one.commands), len(other.commands), 1)
    same = sum(a == b for a, b in zip(one.commands, other.commands, strict=False))
    return 1.0 - same / turns


def _table(game: str, runs: Runs, systems: Sequence[str], seeds: Sequence[int]) -> Table:
    whole = [runs[game, "", seed] for seed in seeds]
    mean = interval([one.score for one in whole])
    title = f"{Path(game).stem}: {mean} points, {len(whole)} seeds"
    table = Table("without", "commands changed", "points lost", title=title)
    for name in systems:
        pairs = [(one, runs[game, name, seed]) for one, seed in zip(whole, seeds, strict=True)]
        share = sum(changed(*pair) for pair in pairs) / len(pairs)
        lost = interval([one.score - other.score for one, other in pairs])
        table.add_row(name, f"{share:.0%}", str(lost))
    return table


def _together(
    games: Sequence[str], runs: Runs, systems: Sequence[str], seeds: Sequence[int]
) -> Table:
    """All stories, each as much: what is lost in percent of its maximum."""
    title = f"{len(games)} stories, {len(seeds)} seeds each"
    table = Table(
        "without", "commands changed", "plays changed", "% of the maximum lost", title=title
    )
    for name in systems:
        shares, losses = list[float](), list[list[float]]()
        for game in games:
            pairs = [(runs[game, "", seed], runs[game, name, seed]) for seed in seeds]
            shares += [changed(*pair) for pair in pairs]
            most = pairs[0][0].maximum
            if most:
                losses.append([100 * (one.score - other.score) / most for one, other in pairs])
        share, plays = sum(shares) / len(shares), sum(one > 0 for one in shares) / len(shares)
        table.add_row(name, f"{share:.0%}", f"{plays:.0%}", str(paired(losses)))
    return table


if __name__ == "__main__":
    main()
