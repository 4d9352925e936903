"""The entry point: mounts the commands and prints a user's errors in one line."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable
from importlib.metadata import version
from typing import Annotated

import typer
from rich.text import Text

from environments.game import GameError
from orchestrator.cli import (
    bench,
    doctor,
    fork,
    games,
    graph,
    mcp,
    memory,
    play,
    prompt,
    replay,
    results,
    resume,
    runs,
    trace,
    view,
    watch,
    world,
)
from orchestrator.cli.mistakes import mistake_in_own_part
from orchestrator.cli.stopping import obey_sigterm
from orchestrator.cli.terminal import Terminal
from orchestrator.errors import ConfigError, RoleError, RunError
from orchestrator.traces.redaction import redact_shapes

USER_ERRORS = (ConfigError, GameError, RoleError, RunError)

COMMANDS: dict[str, Callable[..., None]] = {
    "play": play.play,
    "resume": resume.resume,
    "fork": fork.fork,
    "replay": replay.replay,
    "bench": bench.bench,
    "compare": results.compare,
    "report": results.report,
    "reproduce": results.reproduce,
    "mcp": mcp.mcp,
    "doctor": doctor.doctor,
    "view": view.view,
    "watch": watch.watch,
}
GROUPS = {
    "games": games.app,
    "graph": graph.app,
    "memory": memory.app,
    "prompt": prompt.app,
    "runs": runs.app,
    "trace": trace.app,
    "world": world.app,
}


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"zork-orchestrator {version('zork-orchestrator')}")
        raise typer.Exit


def options(
    _version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Play Zork and other interactive fiction with an orchestra of agents."""


def make_app() -> typer.Typer:
    """The whole command line."""
    app = typer.Typer(
        name="zork",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(options)
    for name, command in COMMANDS.items():
        app.command(name)(command)
    for name, group in GROUPS.items():
        app.add_typer(group, name=name)
    return app


def main() -> None:
    """Run the command line; exit status 2 for what the user can mend."""
    # What a run leaves is nobody else's business.
    os.umask(0o077)
    # What is loaded by now stays; the garbage collector need not look through it turn by turn.
    gc.freeze()
    obey_sigterm()
    try:
        make_app()()
    except USER_ERRORS as error:
        _tell(str(error))
        sys.exit(2)
    except Exception as error:
        if not (mistake := mistake_in_own_part(error)):
            raise
        _tell(mistake)
        sys.exit(1)


def _tell(message: str) -> None:
    line = redact_shapes(" ".join(message.split()).encode("utf-8", "replace")).decode()
    Terminal(stderr=True, soft_wrap=True).print(Text(f"zork: {line}", style="red"))
