"""`zork graph`: what graphs there are, what they resolve to, and what they look like."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from orchestrator.cli.arguments import Configs, Settings, Trust
from orchestrator.cli.listing import AsJson, show_rows
from orchestrator.cli.terminal import say
from orchestrator.settings.sheets import shipped_graphs

if TYPE_CHECKING:
    from orchestrator.config import GraphConfig

# What only one of the commands needs is imported in it: a list of graphs is there at once.
app = typer.Typer(help="Show, check and draw graphs.", no_args_is_help=True)

Name = Annotated[str, typer.Argument(help="Shipped graph or a TOML file.")]


@app.command("list")
def list_graphs(as_json: AsJson = False) -> None:
    """List the shipped graphs."""
    rows = [{"id": name, "description": text} for name, text in shipped_graphs().items()]
    show_rows(rows, {"graph": "id", "": "description"}, as_json=as_json)


@app.command()
def show(name: Name = "offline", config: Configs = None, setting: Settings = None) -> None:
    """Print the resolved config without its secrets: a valid file to start one's own from."""
    import tomli_w

    from orchestrator.config import load_config
    from orchestrator.traces.redaction import redact

    loaded = load_config(name, config or (), setting or ())
    resolved = redact(loaded.model_dump(mode="json", exclude_none=True))
    typer.echo(tomli_w.dumps(resolved), nl=False)


@app.command()
def check(
    name: Name = "offline", config: Configs = None, setting: Settings = None, trust: Trust = False
) -> None:
    """Validate a graph without playing: names, parts, options and edges."""
    from orchestrator.graph.build import compile_graph
    from orchestrator.graph.crew import check_part, make_roles
    from orchestrator.graph.topology import is_part
    from orchestrator.settings.stories import own_story

    resolved = _admitted(name, config, setting, trust)
    if is_part(resolved):
        written = ", ".join(check_part(resolved))
        say(f"{resolved.name}: fits, to stand for a node; writes {written}")
        return
    compile_graph(resolved)
    make_roles(resolved)
    say(f"{resolved.name}: fits, access {'+'.join(resolved.access)}")
    if story := own_story(resolved):
        story.make()
        say(story.limits(resolved.access) or f"{story.name}: tells its story")


@app.command()
def draw(
    name: Name = "offline",
    config: Configs = None,
    setting: Settings = None,
    trust: Trust = False,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write to a .svg, .png or .mmd.")
    ] = None,
) -> None:
    """Draw the graph of a turn; without a file as Mermaid."""
    from orchestrator.graph.build import compile_graph
    from orchestrator.viewer.diagram import diagram_svg
    from orchestrator.viewer.drawings import turn_diagram
    from orchestrator.viewer.pictures import write_picture

    admitted = _admitted(name, config, setting, trust)
    graph = compile_graph(admitted).get_graph()
    if output is None:
        typer.echo(graph.draw_mermaid(), nl=False)
    else:
        diagram = turn_diagram(admitted)
        write_picture(output, {"mmd": graph.draw_mermaid, "svg": lambda: diagram_svg(diagram)})


def _admitted(
    name: str, configs: list[Path] | None, settings: list[str] | None, trust: bool
) -> GraphConfig:
    """The resolved config, its own code allowed."""
    from orchestrator.config import load_config, search_path
    from orchestrator.settings.trust import admit

    config = load_config(name, configs or (), settings or ())
    folders = search_path(name, configs or ())
    what = " with ".join([f"graph {name!r}", *map(str, configs or ())])
    admit(config, folders, what, given=settings or (), trust=trust)
    return config
