"""`zork graph`: what graphs there are, what they resolve to, and what they look like."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import tomli_w
import typer

from orchestrator.cli.play import Configs, Settings
from orchestrator.config import GraphConfig, load_config, search_path, shipped_graphs
from orchestrator.graph import compile_graph
from orchestrator.models import Models
from orchestrator.parts import importable, make_role

app = typer.Typer(help="Show, check and draw graphs.", no_args_is_help=True)

Name = Annotated[str, typer.Argument(help="Shipped graph or a TOML file.")]


@app.command("list")
def list_graphs() -> None:
    """List the shipped graphs."""
    for name, description in shipped_graphs().items():
        typer.echo(f"{name:<14}{description}")


@app.command()
def show(name: Name = "offline", config: Configs = None, setting: Settings = None) -> None:
    """Print the resolved config: a valid file to start one's own from."""
    resolved = _resolved(name, config, setting).model_dump(mode="json", exclude_none=True)
    typer.echo(tomli_w.dumps(resolved), nl=False)


@app.command()
def check(name: Name = "offline", config: Configs = None, setting: Settings = None) -> None:
    """Validate a graph without playing: names, parts, options and edges."""
    resolved = _resolved(name, config, setting)
    models = Models(resolved.models)
    for role, node in iter(resolved.nodes):
        make_role(role, node, models)
    compile_graph(resolved)
    typer.echo(f"{resolved.name}: fits, access {'+'.join(resolved.access)}")


@app.command()
def draw(
    name: Name = "offline",
    config: Configs = None,
    setting: Settings = None,
    output: Annotated[Path | None, typer.Option(help="Write to a file.")] = None,
) -> None:
    """Draw the graph of a turn as Mermaid."""
    picture = compile_graph(_resolved(name, config, setting)).get_graph().draw_mermaid()
    if output:
        output.write_text(picture, encoding="utf-8")
    else:
        typer.echo(picture, nl=False)


def _resolved(name: str, configs: list[Path] | None, settings: list[str] | None) -> GraphConfig:
    importable(search_path(name, configs or ()))
    return load_config(name, configs or (), settings or ())
