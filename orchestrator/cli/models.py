"""`zork models`: the models at hand, what they can do, adding more, and which is the default."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.filesize import decimal
from rich.progress import BarColumn, DownloadColumn, Progress, TransferSpeedColumn

from agents.abilities import examine, known
from agents.models import ModelConfig, ModelError, ModelFault, make_model
from agents.models.config import configured
from agents.models.default import choose, chosen_model
from agents.models.local import adding, weights
from agents.models.local.gguf import read_model_file
from agents.models.providers import check
from agents.models.serving import served
from environments.extras import installing
from orchestrator.cli.listing import AsJson, Row, show_rows
from orchestrator.cli.terminal import Terminal, say, say_facts
from orchestrator.errors import ConfigError

_COLUMNS = {
    "": "default",
    "model": "model",
    "from": "source",
    "size": "size",
    "parameters": "parameters",
    "context": "context",
    "reads/s": "reads",
    "writes/s": "writes",
}

app = typer.Typer(help="List, add, choose and test models.")


@app.callback(invoke_without_command=True)
def models(context: typer.Context, as_json: AsJson = False) -> None:
    """List the models at hand: files on this machine, and those of servers that answer."""
    if context.invoked_subcommand is not None:
        return
    usual = chosen_model()
    rows = [*map(_of_file, _files(usual)), *_of_servers()]
    rows = [{**row, "default": "*" if row["model"] == usual else None} for row in rows]
    show_rows(rows, _COLUMNS, as_json=as_json)
    if not rows and not as_json:
        say(f"no model is found: {installing('local')}, or zork models add FILE")


@app.command()
def add(
    source: Annotated[str, typer.Argument(metavar="FILE|URL", help="A .gguf file.")],
    sha256: Annotated[str, typer.Option(help="What its hash must be.")] = "",
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Fetch without asking.")] = False,
) -> None:
    """Bring a model into your models, from this machine or from an address."""
    try:
        found = _fetched(source, sha256, yes) if "://" in source else _copied(source)
    except ModelError as error:
        raise ConfigError(str(error)) from error
    say(f"added {found.path}; play with it: zork play --graph oracle --model local:{found.name}")


@app.command()
def use(
    name: Annotated[str, typer.Argument(help="As for --model, or the path of a file.")],
) -> None:
    """Make a model the default: of graphs that ask one, and a local file of `--model local`."""
    try:
        chosen = choose(name)
    except ModelError as error:
        raise ConfigError(f"models use {name!r}: {error}") from error
    say(f"graphs that name no other model ask {chosen} now; try: zork play --graph oracle")


@app.command("test")
def ask_a_few(
    name: Annotated[str, typer.Argument(help="As for --model: provider:name, or local.")],
    base_url: Annotated[str | None, typer.Option(help="Where its server is.")] = None,
) -> None:
    """Ask a model a few questions and say what it can do, and how fast."""
    try:
        config = configured({"model": name, "base_url": base_url})
        health = check(make_model(config), config)
        for problem in health.problems:
            raise ConfigError(problem)
        found = examine(config, health.served)
    except (ModelError, ModelFault) as error:
        raise ConfigError(f"model {name!r}: {error}") from error
    say_facts([("model", config.model), *found.lines()])


def _files(usual: str) -> list[weights.Weights]:
    """The files that are found, and the one that is the default though it lies elsewhere."""
    found = weights.find_weights()
    provider, _, name = usual.partition(":")
    if provider == "local" and name not in {one.name for one in found}:
        with suppress(ModelError):  # it may be gone
            found.append(weights.weights_of(name)._replace(name=name))
    return found


def _of_file(found: weights.Weights) -> Row:
    """What a list tells of one file."""
    name = f"local:{found.name}"
    row = {"model": name, "source": found.source, "size": found.size, "path": str(found.path)}
    try:
        file = read_model_file(found.path)
    except ModelError as error:
        return {**row, "fault": str(error), "parameters": "unreadable"}
    return {
        **row,
        "parameters": file.parameters or None,
        "context": file.context or None,
        **_speeds(ModelConfig(model=name)),
    }


def _of_servers() -> Iterator[Row]:
    """What is told of the models of servers that answer at their usual places."""
    for one in served():
        speeds = _speeds(ModelConfig(model=one.model))
        yield {"model": one.model, "source": "server", "size": one.size, **speeds}


def _speeds(config: ModelConfig) -> dict[str, Any]:
    found = known(config)
    if found is None:
        return {}
    return {"reads": round(found.reads) or None, "writes": round(found.writes, 1) or None}


def _copied(source: str) -> weights.Weights:
    path = Path(source).expanduser()
    if not path.is_file():
        raise ModelError(f"{source!r} is no file; give a .gguf file, or an address (https://...)")
    return adding.add_file(path)


def _fetched(url: str, sha256: str, yes: bool) -> weights.Weights:
    remote = adding.look_at(url)
    size = decimal(remote.size) if remote.size else "of unknown size"
    told = f"sha256 {sha256 or remote.sha256}" if sha256 or remote.sha256 else "no hash is told"
    say(f"{remote.name}: {size}, {told}")
    if not yes:
        typer.confirm("Fetch it?", abort=True)
    columns = ("{task.description}", BarColumn(), DownloadColumn(), TransferSpeedColumn())
    with Progress(*columns, console=Terminal(stderr=True)) as progress:
        task = progress.add_task(remote.name, total=remote.size)
        return adding.fetch(remote, lambda done: progress.update(task, completed=done), sha256)
