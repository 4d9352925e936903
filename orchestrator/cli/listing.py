"""Lists for people and for programs: the same rows as a table or as JSON, one a line."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.filesize import decimal
from rich.table import Table

from orchestrator.cli.terminal import Terminal
from orchestrator.errors import RunError

if TYPE_CHECKING:
    from orchestrator.saved.runs import RunDirectory

Row = Mapping[str, Any]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON object a line.")]

RUN_COLUMNS = {
    "run": "id",
    "started": "started",
    "story": "story",
    "graph": "graph",
    "seed": "seed",
    "turns": "turns",
    "score": "score",
    "end": "end",
    "size": "size",
    "forked from": "parent",
}
"""Heading -> key of a run's row."""
_LEFT = (
    *("id", "started", "story", "game", "graph", "end", "parent"),
    *("title", "where", "description", "model", "source"),
)
_JOINED = "\u00a0"
"""Stands for a blank at which no line is broken."""


def show_rows(rows: Iterable[Row], columns: Mapping[str, str], *, as_json: bool) -> None:
    """Print rows: as JSON with all they hold, or the columns that are named."""
    if as_json:
        for row in rows:
            typer.echo(json.dumps(row, default=str))
        return
    terminal = Terminal(markup=False, highlight=False)
    cells = [{key: _cell(key, row.get(key)) for key in columns.values()} for row in rows]
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading, key in columns.items():
        table.add_column(heading, justify="left" if key in _LEFT else "right", no_wrap=True)
    for row in cells:
        table.add_row(*row.values())
    if terminal.is_terminal and terminal.width_of(table) > terminal.width:
        for row in cells:
            terminal.print(_block(row, columns, terminal.width), soft_wrap=True)
    else:
        terminal.print_whole(table)


def _block(row: Mapping[str, str], columns: Mapping[str, str], width: int) -> str:
    """A row of a table that is wider than the terminal: its name, and the rest under it."""
    (_, key), *others = columns.items()
    told = [f"{heading} {row[key]}".replace(" ", _JOINED) if heading else row[key]
            for heading, key in others if row[key]]  # fmt: skip
    wrapper = textwrap.TextWrapper(
        width=width,
        initial_indent="  ",
        subsequent_indent="  ",
        break_long_words=False,
        break_on_hyphens=False,
    )
    return "\n".join([row[key], *wrapper.wrap("  ".join(told))]).replace(_JOINED, " ")


def run_rows(runs: Sequence[RunDirectory]) -> list[Row]:
    """What a list tells of each run that nobody has removed meanwhile."""
    rows = [(run, _row(run)) for run in runs]
    return [row for run, row in rows if run.is_there]


def _row(run: RunDirectory) -> Row:
    size = sum(run.sizes().values())
    try:
        record = run.record()
        end = run.status(record)
    except RunError as error:
        return {"id": run.path.name, "size": size, "end": "unreadable", "fault": str(error)}
    came = record.outcome
    return {
        "id": run.path.name,
        "started": record.sessions[0].started.isoformat() if record.sessions else None,
        "story": record.story,
        "graph": record.graph,
        "seed": record.seed,
        "turns": came.steps,
        "score": came.scored,
        "end": end,
        "size": size,
        "parent": f"{record.parent.run_id} turn {record.parent.turn}" if record.parent else None,
        "calls": came.llm_calls,
        "tokens": (came.prompt_tokens or 0) + (came.completion_tokens or 0),
    }


def _cell(key: str, value: Any) -> str:
    if value is None:
        return ""
    if key == "size":
        return decimal(value)
    return str(value)[:16].replace("T", " ") if key == "started" else str(value)
