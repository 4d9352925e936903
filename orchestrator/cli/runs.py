"""`zork runs`: the runs at hand, their sizes and kept turns; removing and moving them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.filesize import decimal

from orchestrator.checkpoints.opening import read_turns
from orchestrator.cli.arguments import Out, Run
from orchestrator.cli.listing import RUN_COLUMNS, AsJson, run_rows, show_rows
from orchestrator.cli.terminal import say, say_facts
from orchestrator.recap import Recap
from orchestrator.saved.archive import export_run, import_run, remove_run
from orchestrator.saved.record import Record
from orchestrator.saved.restore import ranges
from orchestrator.saved.runs import RUNS, RunDirectory, list_runs
from orchestrator.viewer.runs import recap_of

app = typer.Typer(help="List, show, remove, export and import recorded runs.", no_args_is_help=True)


@app.command("list")
def list_command(out: Out = RUNS, as_json: AsJson = False) -> None:
    """List the runs, oldest first."""
    show_rows(run_rows(list_runs(out)), RUN_COLUMNS, as_json=as_json)


@app.command()
def show(run: Run, out: Out = RUNS) -> None:
    """Show how a run was set up, what came of it, what it weighs, and which turns it keeps."""
    directory = RunDirectory.find(run, out)
    record = directory.record()
    files = [(name, decimal(size)) for name, size in directory.sizes().items()]
    told = recap_of(directory)
    say(told.title)
    say_facts([*_came(told), *_setup(directory, record), *_weight(directory, record), *files])


@app.command()
def rm(
    runs: Annotated[list[str], typer.Argument(help="Ids or directories of runs.")],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    out: Out = RUNS,
) -> None:
    """Remove runs with all their files."""
    directories = [RunDirectory.find(run, out) for run in runs]
    for directory in directories:
        if yes or typer.confirm(f"remove {directory.path}?"):
            remove_run(directory)


@app.command()
def export(
    run: Run,
    file: Annotated[
        Path | None, typer.Argument(help="By default the run's id with .tar.gz, here.")
    ] = None,
    out: Out = RUNS,
) -> None:
    """Pack a run into one file that can be resumed, forked and replayed elsewhere."""
    directory = RunDirectory.find(run, out)
    target = file or Path(f"{directory.record().run_id}.tar.gz")
    export_run(directory, target)
    say(f"{target}: {decimal(target.stat().st_size)}")


@app.command("import")
def import_command(
    file: Annotated[Path, typer.Argument(help="What `zork runs export` wrote.")], out: Out = RUNS
) -> None:
    """Unpack an exported run."""
    run = import_run(file, out)
    say(f"{run.path}; play it on with: {run.way_on}")


def _came(told: Recap) -> list[tuple[str, str]]:
    """What came of it, as labelled lines."""
    highlights = [(f"turn {one.turn}", one.text) for one in told.highlights]
    then = [("then", f"{one.command}  # {one.purpose}") for one in told.then]
    return [("end", told.end), *highlights, *then]


def _setup(run: RunDirectory, record: Record) -> list[tuple[str, str]]:
    """How it was set up, as labelled lines."""
    rows = [
        ("run", str(run.path)),
        ("story", f"{record.story} (SHA-256 {record.story_sha256[:12]}...)"),
        ("graph", f"{record.graph}, access {'+'.join(record.access)}"),
        ("seeds", f"emulator {_seeds(record)}, agent {record.agent_seed}"),
        ("versions", ", ".join(f"{name} {it}" for name, it in record.versions.items())),
        ("sessions", ", ".join(f"from turn {it.from_turn}" for it in record.sessions)),
    ]
    if record.parent:
        rows.append(("forked from", _origin(record)))
    if record.recording:
        rows.append(("answers from", record.recording))
    return rows


def _weight(run: RunDirectory, record: Record) -> list[tuple[str, str]]:
    """Which turns are kept, and what they take."""
    if not record.checkpoints:
        return [("keeps", "nothing; it can be replayed, not resumed")]
    with read_turns(run, record) as saver:
        kept = saver.turns(record.thread)
        size = saver.size(record.thread)
    turns = ranges(one.turn for one in kept) or "none"
    return [
        ("keeps", f"{record.keep}: turns {turns}"),
        ("checkpoints", f"{len(kept)}, {decimal(size // max(1, len(kept)))} each"),
    ]


def _origin(record: Record) -> str:
    return f"{record.parent.run_id} turn {record.parent.turn}" if record.parent else ""


def _seeds(record: Record) -> str:
    first, *later = record.emulator_seeds
    return ", ".join([str(first[1]), *(f"{seed} from turn {turn}" for turn, seed in later)])
