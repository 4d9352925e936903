"""The entry point: mounts the commands and prints a user's errors in one line."""

from __future__ import annotations

import sys
from importlib.metadata import version
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from environments.game import GameError
from orchestrator.cli import bench, doctor, fork, games, graph, play, replay, resume, runs, trace
from orchestrator.errors import ConfigError, RoleError, RunError

USER_ERRORS = (ConfigError, GameError, RoleError, RunError)

app = typer.Typer(
    name="zork",
    help="Play Zork and other interactive fiction with an orchestra of agents.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
app.command("play")(play.play)
app.command("resume")(resume.resume)
app.command("fork")(fork.fork)
app.command("replay")(replay.replay)
app.command("bench")(bench.bench)
app.command("compare")(bench.compare)
app.command("doctor")(doctor.doctor)
app.add_typer(games.app, name="games")
app.add_typer(graph.app, name="graph")
app.add_typer(runs.app, name="runs")
app.add_typer(trace.app, name="trace")


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"zork-orchestrator {version('zork-orchestrator')}")
        raise typer.Exit


@app.callback()
def options(
    _version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Play Zork and other interactive fiction with an orchestra of agents."""


def main() -> None:
    """Run the command line; exit status 2 for what the user can mend."""
    try:
        app()
    except USER_ERRORS as error:
        line = " ".join(str(error).split())
        Console(stderr=True, soft_wrap=True).print(Text(f"zork: {line}", style="red"))
        sys.exit(2)
