"""`zork prompt`: what the models are asked."""

from __future__ import annotations

from typing import Annotated

import typer

from agents.prompting import PROMPTS, prompt_names, prompt_source
from orchestrator.cli.arguments import Out
from orchestrator.cli.terminal import say
from orchestrator.errors import ConfigError, RunError, unknown
from orchestrator.saved.prompting import asked, would_ask
from orchestrator.saved.runs import RUNS, RunDirectory

app = typer.Typer(help="Show what the models are asked.", no_args_is_help=True)


@app.callback()
def group() -> None:
    """Show what the models are asked."""


@app.command()
def show(
    name: Annotated[
        str, typer.Argument(help="A role: actor, critic, ...; or a prompt: short/actor, solo, ...")
    ],
    run: Annotated[str | None, typer.Option(help="A run's id or directory.")] = None,
    turn: Annotated[int | None, typer.Option(help="One of its turns.")] = None,
    out: Out = RUNS,
) -> None:
    """Print a role's prompt in a turn of a run, or a template to start one's own from.

    Where the role asked no model in that turn, the prompt is what it would have been.
    """
    if (run is None) != (turn is None):
        raise RunError("give both --run RUN and --turn N, or neither")
    known = list(PROMPTS) if run else prompt_names()
    if name not in known:
        raise ConfigError(unknown("role" if run else "role or prompt", name, known))
    if run is None or turn is None:
        say(prompt_source(name))
        return
    directory = RunDirectory.find(run, out)
    for text in asked(directory, name, turn) or [would_ask(directory, name, turn)]:
        say(text)
