"""`zork trace`: read, compare, export and push the traces of runs."""

from __future__ import annotations

import typer

app = typer.Typer(help="Read, compare, export and push the traces of runs.", no_args_is_help=True)


@app.callback()
def trace() -> None:
    """Read, compare, export and push the traces of runs."""
