"""`zork bench` and `zork compare`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from orchestrator.bench import Cell, read_rows, run_grid, seed_range
from orchestrator.cli.play import Settings, Trust
from orchestrator.errors import RunError
from orchestrator.figures import compare as compared
from orchestrator.figures import learning, replaying, table
from orchestrator.parquet import check_installed, write_parquet


def bench(
    games: Annotated[str, typer.Option(help="Paths, ids or names, with commas.")] = "hollow",
    graphs: Annotated[str, typer.Option(help="Graphs, with commas.")] = "offline,random",
    seeds: Annotated[str, typer.Option(help="For instance 1-20 or 1,5,9.")] = "1-5",
    steps: Annotated[int, typer.Option(min=0, help="Commands per episode.")] = 400,
    episodes: Annotated[
        int, typer.Option(min=1, help="In a row, each learning from those before.")
    ] = 1,
    total_steps: Annotated[
        int | None, typer.Option(min=1, help="So many commands in episodes in a row.")
    ] = None,
    replays: Annotated[
        int, typer.Option(min=0, help="Of the best trajectory that a graph explored.")
    ] = 0,
    setting: Settings = None,
    trust: Trust = False,
    workers: Annotated[int, typer.Option(min=1, help="Processes.")] = os.cpu_count() or 1,
    out: Annotated[Path, typer.Option(help="Results file; a stopped grid goes on.")] = Path(
        "runs/bench.jsonl"
    ),
    parquet: Annotated[
        Path | None, typer.Option(help="Write the rows as a Parquet file, too (EXTRAS=parquet).")
    ] = None,
) -> None:
    """Play a grid of games, graphs and seeds and print what it comes to."""
    if parquet is not None:
        check_installed()
    cells = [
        Cell(game, graph, seed, steps, tuple(setting or ()), episodes, total_steps, replays)
        for game in games.split(",")
        for graph in graphs.split(",")
        for seed in seed_range(seeds)
    ]
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("episodes", total=len(cells))

        def advance(cell: Cell, row: dict[str, Any]) -> None:
            label = f"{Path(cell.game).stem} {cell.graph} s{cell.seed}: {row['score']}"
            progress.update(task, advance=1, description=label)

        rows = run_grid(cells, out, workers, advance, trust=trust)
    if parquet is not None:
        write_parquet(parquet, rows)
    _print_table(rows)
    for line in learning(rows):
        typer.echo(
            f"{Path(line.game).stem} {line.graph}: later half - earlier half of the episodes: "
            f"score {line.score}, steps {line.steps}"
        )
    for game, graph, replayed in replaying(rows):
        typer.echo(f"{Path(game).stem} {graph}: replayed with unseen seeds: score {replayed}")


def compare(
    first: Annotated[Path, typer.Argument(help="Results file.")],
    second: Annotated[Path, typer.Argument(help="Results file.")],
) -> None:
    """Pair two results files by game, seed and steps and print second - first."""
    for path in (first, second):
        if not path.is_file():
            raise RunError(f"no results file {str(path)!r}; zork bench --out FILE writes one")
    comparisons = compared(read_rows(first), read_rows(second))
    if not comparisons:
        raise RunError(f"{str(first)!r} and {str(second)!r} have no game, seed and steps in common")
    for line in comparisons:
        typer.echo(f"{Path(line.game).stem:<14}{line.pairs:>4} pairs  {line.difference}")


def _print_table(rows: list[dict[str, Any]]) -> None:
    columns = ("game", "graph", "n", "final", "median", "best", "best/max", "deaths", "s/episode")
    view = Table(*columns, box=None)
    for row in table(rows):
        share = "" if row.of_maximum is None else f"{row.of_maximum:.1%}"
        view.add_row(
            *(Path(row.game).stem, row.graph, str(row.episodes), str(row.final)),
            *(f"{row.median:g}", str(row.best), share, f"{row.deaths:.2f}", f"{row.wall_s:.1f}"),
        )
    Console().print(view)
