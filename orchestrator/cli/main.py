"""The entry point: mounts the commands and prints a user's errors in one line."""

from __future__ import annotations

import importlib
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import typer
from rich.text import Text
from typer.core import TyperGroup
from typer.exceptions import TyperException

from orchestrator.cli.mistakes import mistake_in_own_part, own_fault, refused, way_on
from orchestrator.cli.stopping import obey_signals, stop_status
from orchestrator.cli.terminal import Terminal, finish, fitted, give_up, take_any_terminal

COMMANDS = {
    "play": ("play:play", "Play a story, with every turn shown as it happens."),
    "resume": (
        "resume:resume",
        "Play a run on from its last turn: after a crash, a kill, a pause, or for more steps.",
    ),
    "fork": (
        "fork:fork",
        "Start a new run from any turn of another one, with other nodes, models or seeds.",
    ),
    "replay": (
        "replay:replay",
        "Play a run's commands again and verify every answer; exit status 1 if one differs.",
    ),
    "bench": ("bench:bench", "Play a plan of games, graphs and seeds and print what it comes to."),
    "compare": (
        "results:compare",
        "Pair episodes by story, graph, seed and steps and print second - first.",
    ),
    "report": (
        "results:report",
        "Write results as one page of HTML: leaderboard, curves, comparisons, stories.",
    ),
    "reproduce": (
        "results:reproduce",
        "Play a row of results again and say whether it matches; exit status 1 if it does not.",
    ),
    "mcp": (
        "mcp:mcp",
        "Serve stories and notes on them to an MCP client, over standard input and output.",
    ),
    "doctor": ("doctor:doctor", "Look at the installation and say what to do next."),
    "view": (
        "view:view",
        "Look at runs in a browser: on this machine only, and only with the address printed.",
    ),
    "watch": (
        "watch:watch",
        "Watch a run in the terminal as it is played, or look through one that was.",
    ),
    "games": ("games:app", "List, describe, add and fetch stories."),
    "graph": ("graph:app", "Show, check and draw graphs."),
    "models": ("models:app", "List, add, choose and test models."),
    "memory": ("memory:app", "Show, export, import and clear what earlier episodes learned."),
    "prompt": ("prompt:app", "Show what the models are asked."),
    "runs": ("runs:app", "List, show, remove, export and import recorded runs."),
    "trace": ("trace:app", "Read, compare, measure, export and push the traces of runs."),
    "world": ("world:app", "Show what the agent knew."),
}
"""Name -> where in this package it is, and what it does; it is loaded when it is called."""

TRACEBACK = "ZORK_TRACEBACK"
"""The variable that has a fault of this program's own shown whole."""


class Commands(TyperGroup):
    """The commands by name and purpose, as long as none of them is called."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that is called, loaded."""
        name, command, rest = super().resolve_command(ctx, args)
        return name, loaded(name) if command and name else command, rest

    def make_context(self, *args: Any, **extra: Any) -> Any:
        """The context of a call, with what is wrong with its first words in one line."""
        with _short_errors():
            return super().make_context(*args, **extra)

    def invoke(self, ctx: Any) -> Any:
        """The call, with what is wrong with its words in one line."""
        with _short_errors():
            return super().invoke(ctx)


@contextmanager
def _short_errors() -> Iterator[None]:
    """Typer quotes what it does not understand, however long it is."""
    try:
        yield
    except TyperException as error:
        from environments.secrets import told

        if message := getattr(error, "message", ""):
            error.message = told(message)
        raise


def loaded(name: str) -> Any:
    """A command or a group of commands, with all that it needs."""
    module, _, attribute = COMMANDS[name][0].partition(":")
    found = getattr(importlib.import_module(f"orchestrator.cli.{module}"), attribute)
    app = typer.Typer()
    if isinstance(found, typer.Typer):
        app.add_typer(found, name=name)
    else:
        app.command(name)(found)
    return typer.main.get_group(app).commands[name]


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

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
        cls=Commands,
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(options)
    for name, (_, purpose) in COMMANDS.items():
        app.command(name, help=purpose)(lambda: None)
    return app


def main() -> None:
    """Run the command line.

    Exit status 2 for what the user can mend, 1 for what is wrong with a part of his own, or here.
    """
    # What a run leaves is nobody else's business.
    os.umask(0o077)
    obey_signals()
    take_any_terminal()
    try:
        status = make_app()(standalone_mode=False)
        if status == 128 + signal.SIGINT:  # What Typer says of every interruption.
            status = stop_status()
        finish()
    except BrokenPipeError:
        # Nobody reads on, as with `zork runs list | head -1`.
        give_up(sys.stdout)
        status = 1
    except Exception as error:  # noqa: BLE001 - told, whatever it is
        status = _explained(error)
    sys.exit(status if isinstance(status, int) else 0)


def _explained(error: Exception) -> int:
    """Tell in one line what went wrong; returns the exit status."""
    told, status = _fault(error)
    try:
        finish()
    except OSError:
        give_up(sys.stdout)
    try:
        if told:
            _tell(told)
        finish()
    except OSError:
        give_up(sys.stderr)
    return status


def _fault(error: Exception) -> tuple[str, int]:
    """What is said of an error, and the exit status."""
    if isinstance(error, typer.Abort):
        return "given up", 1
    if isinstance(error, TyperException):
        return _usage(error), error.exit_code
    if isinstance(error, _user_errors()):
        return f"{error}{way_on(error)}", 2
    if mistake := mistake_in_own_part(error):
        return mistake, 1
    if isinstance(error, OSError):
        return f"{refused(error)}{way_on(error)}", 2
    if os.environ.get(TRACEBACK):
        raise error
    return f"{own_fault(error)}; {TRACEBACK}=1 shows all of it{way_on(error)}", 1


def _usage(error: TyperException) -> str:
    """What does not fit a command; empty where its help was printed instead."""
    told = str(getattr(error, "format_message", error.__str__)())
    context = getattr(error, "ctx", None)
    more = f" (see {context.command_path} --help)" if context and told else ""
    return f"{told}{more}"


def _user_errors() -> tuple[type[Exception], ...]:
    from environments.game import GameError
    from orchestrator.errors import ConfigError, RoleError, RunError

    return ConfigError, GameError, RoleError, RunError


def _tell(message: str) -> None:
    from environments.secrets import told

    line = Text(fitted(f"zork: {told(message)}", sys.stderr), style="red")
    Terminal(stderr=True, soft_wrap=True).print(line)
