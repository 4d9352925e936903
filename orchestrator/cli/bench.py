"""`zork bench`."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from orchestrator.cli.arguments import Settings, Trust, given_options
from orchestrator.cli.listing import show_rows
from orchestrator.cli.stopping import stop_status
from orchestrator.cli.terminal import Terminal, say
from orchestrator.errors import ConfigError, check_spared
from orchestrator.evaluation.cells import Task
from orchestrator.evaluation.engines import make_engine
from orchestrator.evaluation.grid import Outcome, run_grid
from orchestrator.evaluation.plan import EvaluationPlan, planned, protocols, read_plan, seed_range
from orchestrator.evaluation.playing import play_task
from orchestrator.evaluation.rows import Row
from orchestrator.evaluation.scores import agreed, turns_of
from orchestrator.evaluation.tables import (
    ROLE_COLUMNS,
    achieving,
    learning,
    lines,
    replaying,
    role_lines,
    telling,
    told_role,
)
from orchestrator.parquet import check_installed, write_parquet
from orchestrator.settings.called import called

MOST = 5
"""So many cells that broke off are named."""
_MEASURED_S = 900
"""So long ago played turns still count for the time that is left: a model may take minutes each."""
_OF_A_PLAN = (
    *("games", "graphs", "models", "access", "seeds", "steps", "episodes"),
    *("total_steps", "replays", "lives", "setting", "protocol", "baselines", "trace"),
)
"""Options that a plan file says itself."""


def bench(
    context: typer.Context,
    plan: Annotated[
        Path | None, typer.Argument(help="A plan as a TOML file; instead of the options below.")
    ] = None,
    games: Annotated[
        str, typer.Option(help="Paths, ids or names, with commas; or a folder.")
    ] = "hollow",
    graphs: Annotated[str, typer.Option(help="Graphs, with commas.")] = "offline,random",
    models: Annotated[str, typer.Option(help="As provider:name, with commas.")] = "",
    access: Annotated[str, typer.Option(help="For instance text,text+tree.")] = "",
    seeds: Annotated[str, typer.Option(help="For instance 1-20 or 1,5,9.")] = "1-5",
    steps: Annotated[int, typer.Option(min=0, help="Commands allowed an episode.")] = 400,
    episodes: Annotated[
        int, typer.Option(min=1, help="In a row, each learning from those before.")
    ] = 1,
    total_steps: Annotated[
        int | None, typer.Option(min=1, help="So many steps in episodes in a row.")
    ] = None,
    replays: Annotated[
        int, typer.Option(min=0, help="Of the best trajectory that a graph explored.")
    ] = 0,
    lives: Annotated[
        int | None, typer.Option(min=1, help="Deaths that end an episode; else the story decides.")
    ] = None,
    setting: Settings = None,
    protocol: Annotated[
        str, typer.Option(help="tales-100, jericho-400, learning-10x100, search-100k, ...")
    ] = "",
    baselines: Annotated[
        bool, typer.Option("--baselines", help="Play random, idle, walkthrough, recalled as well.")
    ] = False,
    trace: Annotated[
        bool, typer.Option("--trace", help="Keep every turn of the episodes, to look at them.")
    ] = False,
    trust: Trust = False,
    engine: Annotated[str, typer.Option(help="local, or ray for a cluster.")] = "local",
    address: Annotated[
        str | None, typer.Option(help="Of the Ray cluster, for instance auto or ray://host:10001.")
    ] = None,
    workers: Annotated[int, typer.Option(min=1, help="Processes.")] = os.cpu_count() or 1,
    out: Annotated[
        Path, typer.Option("--output", "-o", help="Results file; a stopped bench goes on.")
    ] = Path("runs/bench.jsonl"),
    parquet: Annotated[
        Path | None, typer.Option(help="Write the rows as a Parquet file, too (EXTRAS=parquet).")
    ] = None,
) -> None:
    """Play a plan of games, graphs and seeds and print what it comes to."""
    if parquet is not None:
        check_spared(parquet, out, *([plan] if plan else []))
        check_installed()
    short: dict[str, Any] = {"games": games.split(","), "graphs": graphs.split(",")}
    short |= {"models": _list(models), "access": _list(access), "seeds": seed_range(seeds)}
    short |= {"steps": steps, "episodes": episodes, "total_steps": total_steps}
    short |= {"replays": replays, "lives": lives, "settings": setting or ()}
    short |= {"protocol": protocol, "baselines": baselines, "trace": trace}
    told = _of_options(context, short) if plan is None else _from_file(context, plan)
    made = partial(make_engine, engine, workers, play_task, address)
    source = f"plan {str(plan)!r}" if plan else ""
    play = partial(run_grid, workers=workers, engine=made, trust=trust, source=source)
    outcome = _played(told, out, play)
    if parquet is not None:
        write_parquet(parquet, outcome.rows)
    if outcome.rows:
        _print_table(outcome.rows)
    _print_more(outcome.rows)
    _close(outcome, out)


def _list(text: str) -> list[str]:
    return text.split(",") if text else []


def _of_options(context: typer.Context, short: dict[str, Any]) -> EvaluationPlan:
    """The plan of the command line; a protocol stands in for the options that are not given."""
    given = given_options(context)
    kept = (
        short
        if not short["protocol"]
        else {
            name: value
            for name, value in short.items()
            if name in (*given, "games", "graphs", "seeds")
        }
    )
    fixed = protocols().get(short["protocol"], {})
    if "least_seeds" in fixed and "seeds" not in given:
        del kept["seeds"]
    kept = {name: value for name, value in kept.items() if name in given or name not in fixed}
    return planned(kept, "of the options")


def _from_file(context: typer.Context, path: Path) -> EvaluationPlan:
    for name in given_options(context):
        if name in _OF_A_PLAN:
            option = f"--{name.replace('_', '-')}"
            raise ConfigError(f"plan {str(path)!r} says it all: write it there, leave out {option}")
    return read_plan(path)


def _played(plan: EvaluationPlan, out: Path, play: Callable[..., Outcome]) -> Outcome:
    cells = plan.cells()
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[ended]}/{task.fields[cells]}"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[spent]}"),
    )
    console = Terminal(stderr=True)
    watched = console.is_terminal
    with Progress(
        *columns,
        console=console,
        transient=True,
        disable=not watched,
        speed_estimate_period=_MEASURED_S,
    ) as progress:
        bar = progress.add_task("episodes", total=None, cells=len(cells), ended=0, spent="")
        tokens, cost, ended, turns, left = 0, 0.0, 0, 0, 0

        def advance(task: Task, row: Row) -> None:
            nonlocal tokens, cost, ended, turns, left
            ended += 1
            turns += turns_of(row)
            left -= task.cell.turns
            tokens += row["prompt_tokens"] + row["completion_tokens"]
            cost += row["cost"]
            label = f"{row['story']} {task.graph} s{task.cell.seed}: {row['score']}"
            spent = f"{tokens:,} tokens, cost {cost:.4g}" if tokens else ""
            progress.update(bar, ended=ended, description=label, spent=spent)

        def begin(waiting: list[Task]) -> None:
            nonlocal ended, left
            ended = len(cells) - len(waiting)
            left = sum(task.cell.turns for task in waiting)
            progress.update(bar, ended=ended, total=left)

        def turning(running: int) -> None:
            progress.update(bar, completed=turns + running, total=turns + left)

        return play(cells, out, progress=advance, limits=plan.servers, begin=begin, turning=turning)


def _close(outcome: Outcome, out: Path) -> None:
    """Say what is missing, and how to go on."""
    for task, error in list(outcome.failed.items())[:MOST]:
        say(f"broke off: {task.folder}: {error}", err=True)
    if outcome.missing:
        again = f"{called()} {shlex.join(sys.argv[1:])}"
        played = f"{len(outcome.rows)} of {len(outcome.rows) + outcome.missing} cells"
        say(f"{played} are in {out}; go on with: {again}", err=True)
    if outcome.stopped:
        raise typer.Exit(stop_status())
    if outcome.missing:
        raise typer.Exit(1)


def _print_table(rows: list[Row]) -> None:
    told = lines(agreed(rows))
    columns = telling(told)
    show_rows(
        [{column.title: column.tell(line) for column in columns} for line in told],
        {column.title: column.title for column in columns},
        as_json=False,
    )


def _print_more(rows: list[Row]) -> None:
    named = {row["graph"]: row for row in rows if row["settings"]}
    for name, row in named.items():
        said = f"{name}: {row['config'].get('description', '')}".rstrip()
        say(f"{said} With {', '.join(row['settings'])}.")
    costs = [told_role(line) for line in role_lines(rows)]
    if costs:
        say("\nwhat a turn cost the models, by role:")
        show_rows(costs, ROLE_COLUMNS, as_json=False)
    for line in learning(rows):
        say(
            f"{line.game} {line.graph}: later half - earlier half of the episodes: "
            f"score {line.score}, turns {line.turns}"
        )
    for game, graph, reached, of, often in achieving(rows):
        seen = ", ".join(f"{name} {times}" for name, times in often.items())
        say(f"{game} {graph}: achieved {reached} of {of}: {seen or 'nothing'}")
    for game, graph, replayed in replaying(rows):
        say(f"{game} {graph}: replayed with unseen seeds: score {replayed}")
