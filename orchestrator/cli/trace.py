"""`zork trace`: read, compare, measure, export and push the traces of runs."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console, Group

from agents.models.trace_files import TraceFiles
from environments.secrets import told
from orchestrator.cli import trace_view as view
from orchestrator.cli.listing import RUN_COLUMNS, AsJson, run_rows, show_rows
from orchestrator.cli.terminal import Terminal, say
from orchestrator.cli.trace_diff import compared
from orchestrator.cli.trace_runs import errors as errors_in
from orchestrator.cli.trace_runs import node_runs
from orchestrator.cli.trace_stats import statistics
from orchestrator.errors import ConfigError, RunError, check_spared, unknown, writing
from orchestrator.evaluation import charts
from orchestrator.saved.lineage import lineage
from orchestrator.saved.restore import ranges
from orchestrator.saved.runs import MOST_NAMED, RUNS, RunDirectory, list_runs
from orchestrator.traces.export import FORMATS
from orchestrator.traces.forecasts import critic_curve, curve, of_options, of_oracle
from orchestrator.traces.push import Target
from orchestrator.traces.push import push as push_trace
from orchestrator.traces.reader import Trace, TraceReader, read_trace
from orchestrator.traces.turns import TracedTurn, played, read_turns
from orchestrator.traces.writer import read_on
from orchestrator.viewer.pictures import write_picture

HOSTED = "https://api.smith.langchain.com"
POLL_S = 0.2
PIPED_WIDTH = 160

app = typer.Typer(
    help="Read, compare, measure, export and push the traces of runs.", no_args_is_help=True
)

Name = Annotated[
    str, typer.Argument(metavar="RUN", help="Run id, run directory, trace file, or `last`.")
]
Out = Annotated[Path, typer.Option(help="Where run directories are.")]
Chart = StrEnum("Chart", ["score", "calibration"])
Format = StrEnum("Format", {name: name for name in FORMATS})  # type: ignore[misc]


@app.command("list")
def list_traces(out: Out = RUNS, as_json: AsJson = False) -> None:
    """List the runs, oldest first; the same list as `zork runs list`."""
    show_rows(run_rows(list_runs(out)), RUN_COLUMNS, as_json=as_json)


@app.command()
def show(
    run: Name = "last",
    turn: Annotated[int | None, typer.Option(help="One turn, in full.")] = None,
    node: Annotated[str | None, typer.Option(help="One node: what it read and wrote.")] = None,
    errors: Annotated[bool, typer.Option("--errors", help="Only what went wrong.")] = False,
    follow: Annotated[bool, typer.Option("--follow", help="Go on as the run does.")] = False,
    out: Out = RUNS,
) -> None:
    """Show a run turn by turn, or one turn as a tree."""
    path, console = trace_path(run, out), _console()
    if follow and (errors or (turn, node) != (None, None)):
        raise ConfigError("--follow shows all turns: leave out --turn, --node and --errors")
    if follow:
        _follow(path, console)
        return
    trace = read_trace(path)
    known = list(read_turns(trace.roots))
    turns = [found for found in known if turn is None or found.number == turn]
    if not turns:
        wanted = "turns" if turn is None else f"turn {turn}"
        has = ranges(found.number for found in known) or "none"
        raise RunError(f"{str(path)!r}: no {wanted} in it (it has {has})")
    if errors:
        console.print(errors_in(turns))
    elif node is not None:
        _show_node(turns, node, console)
    elif turn is not None:
        for found in turns:
            console.print(view.turn_in_full(found))
    else:
        console.print(view.turn_table(turns))
    _report(trace)


@app.command()
def diff(
    first: Name,
    second: Name,
    turns: Annotated[int, typer.Option(min=1)] = 10,
    out: Out = RUNS,
) -> None:
    """Show two runs side by side from the turn where they part."""
    one, two = trace_path(first, out), trace_path(second, out)
    sides = lineage(one, out), lineage(two, out)
    first_name, second_name = _labels([one, two])
    _console().print(compared(*sides, names=(first_name, second_name), most=turns))


@app.command()
def stats(runs: Annotated[list[str] | None, typer.Argument()] = None, out: Out = RUNS) -> None:
    """Show what each role cost over one run or several, and what came of what it said."""
    paths = dict.fromkeys(trace_path(run, out) for run in runs or ["last"])
    traces = [read_trace(path) for path in paths]
    _console().print(statistics(traces))
    for trace in traces:
        _report(trace)


@app.command()
def draw(
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="A .svg or .png to write.")
    ],
    runs: Annotated[list[str] | None, typer.Argument()] = None,
    what: Annotated[Chart, typer.Option("--what", help="What to draw.")] = Chart.score,
    out: Out = RUNS,
) -> None:
    """Draw the score over the turns of runs, or how chances that were given came out."""
    charts.check_installed()
    paths = [trace_path(run, out) for run in runs or ["last"]]
    turns = {
        name: played(read_trace(path).roots)
        for name, path in zip(_labels(paths), paths, strict=True)
    }
    drawing = _scores if what is Chart.score else _chances
    write_picture(output, {"svg": lambda: drawing(turns)})


def _scores(runs: dict[str, list[TracedTurn]]) -> str:
    known = {
        name: [(turn.number, turn.score) for turn in turns if turn.score is not None]
        for name, turns in runs.items()
    }
    return charts.scores(known)


def _chances(runs: dict[str, list[TracedTurn]]) -> str:
    turns = [turn for one in runs.values() for turn in one]
    return charts.forecasts(
        {
            "options: that it works": curve(of_options(turns)),
            "critic: that it fails": critic_curve(runs.values()),
            "oracle: that it helps": curve(of_oracle(turns)),
        }
    )


@app.command()
def export(
    run: Name = "last",
    format: Annotated[Format, typer.Option("--format", "-f", help="What to write.")] = "jsonl",  # type: ignore[assignment]
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Not to the terminal.")
    ] = None,
    out: Out = RUNS,
) -> None:
    """Write a trace as LangSmith records, as a table or as OpenTelemetry spans."""
    if format == "parquet" and output is None and sys.stdout.isatty():
        raise ConfigError("a Parquet file is not for the terminal: give --output FILE")
    path = trace_path(run, out)
    if output is not None:
        check_spared(output, path, *RunDirectory(path.parent).files())
    trace = read_trace(path)
    content = FORMATS[format](trace)
    if output is None:
        sys.stdout.buffer.writelines(content)
    else:
        with writing(output, "--output "), output.open("wb") as file:
            file.writelines(content)
    _report(trace)


@app.command()
def push(
    run: Name = "last",
    endpoint: Annotated[
        str, typer.Option(envvar="LANGSMITH_ENDPOINT", help="LangSmith or a compatible server.")
    ] = HOSTED,
    project: Annotated[
        str | None, typer.Option(envvar="LANGSMITH_PROJECT", help="As in the trace by default.")
    ] = None,
    shift_time: Annotated[
        bool, typer.Option("--shift-time", help="Move all times so that the newest is now.")
    ] = False,
    out: Out = RUNS,
) -> None:
    """Send a trace to LangSmith; the key is taken from LANGSMITH_API_KEY."""
    key = os.environ.get("LANGSMITH_API_KEY")
    if endpoint == HOSTED and not key:
        raise RunError(f"push to {endpoint} needs LANGSMITH_API_KEY; or give --endpoint URL")
    path = trace_path(run, out)
    trace = read_trace(path)
    console = Terminal(stderr=True)
    target = Target(endpoint, project or _session(trace), key)
    with console.status("sending") as status:
        report = push_trace(
            trace,
            target,
            path,
            shift_time=shift_time,
            progress=lambda sent: status.update(f"{sent} runs sent"),
        )
    say(
        f"{report.sent} runs sent to project {target.project!r} at {told(endpoint)}; "
        f"{report.known} were there, {report.open} belong to turns that have not ended"
        + (f"; times moved by {report.shift_s / 3600:.1f} h" if report.shift_s else "")
    )
    _report(trace)


def trace_path(name: str, out: Path) -> Path:
    """The trace of a run named by id, directory or file; `last` is the newest.

    Raises:
        RunError: there is no such run.
    """
    if Path(name).is_file():
        return Path(name)
    return RunDirectory.find(name, out).trace


def _console() -> Terminal:
    return Terminal(width=None if sys.stdout.isatty() else PIPED_WIDTH, soft_wrap=False)


def _follow(path: Path, console: Console) -> None:
    reader = TraceReader()
    console.print(Group(view.turn_header()))
    shown = 0
    for content in _growing(path):
        reader.feed(content)
        told = read_turns(reader.trace.roots)
        turns = [turn for turn in told if not (turn.is_open or turn.is_waiting)]
        for turn in turns[shown:]:
            console.print(Group(view.turn_line(turn)))
        shown = len(turns)


def _growing(path: Path) -> Iterator[bytes]:
    """What is appended to a trace, until its episode has ended or the user stops."""
    files = TraceFiles(path)
    while True:
        ended, grown = _ended(path), False
        for content in read_on(files, []):
            grown = True
            yield content
        if not grown and ended:
            return
        if not grown:
            time.sleep(POLL_S)


def _ended(path: Path) -> bool:
    """Nobody plays the run any more: its lock is free."""
    if not (path.parent / "episode.json").exists():
        return True
    return not RunDirectory(path.parent).is_in_use()


def _show_node(turns: list[TracedTurn], node: str, console: Console) -> None:
    names = dict.fromkeys(run.name for turn in turns for run in turn.walk())
    if node not in names:
        raise RunError(unknown("node", node, names))
    for turn in turns:
        console.print(node_runs(turn, node))


def _report(trace: Trace) -> None:
    for fault in trace.faults[:MOST_NAMED]:
        say(f"zork: trace: {fault}", err=True)
    if more := len(trace.faults[MOST_NAMED:]):
        say(f"zork: trace: and {more} more like that", err=True)


def _session(trace: Trace) -> str:
    return str(trace.roots[0].record["session_name"]) if trace.roots else "zork-orchestrator"


def _labels(paths: Sequence[Path]) -> list[str]:
    """What traces are called: by their runs, or by where they lie if two are called the same."""
    places = [path.parent if path.name == "trace.jsonl" else path for path in paths]
    short = [place.name for place in places]
    return short if len(set(short)) == len(set(paths)) else [str(place) for place in places]
