"""`zork graph`: what graphs there are, what they resolve to, and what they look like."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from orchestrator.cli.arguments import Configs, Settings, Trust
from orchestrator.cli.listing import AsJson, show_rows
from orchestrator.cli.terminal import say
from orchestrator.settings.sheets import shipped_graphs

if TYPE_CHECKING:
    from langgraph.graph.state import CompiledStateGraph

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
def show(
    name: Name = "offline", config: Configs = None, setting: Settings = None, trust: Trust = False
) -> None:
    """Print the resolved config without its secrets: a valid file to start one's own from."""
    import tomli_w

    from orchestrator.traces.redaction import redact

    proved = _proved(name, config, setting, trust)
    resolved = redact(proved.config.model_dump(mode="json", exclude_none=True))
    say(tomli_w.dumps(resolved).removesuffix("\n"))


@app.command()
def check(
    name: Name = "offline", config: Configs = None, setting: Settings = None, trust: Trust = False
) -> None:
    """Validate a graph without playing: names, parts, options and edges."""
    for told in _proved(name, config, setting, trust).told:
        say(told)


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
    from orchestrator.viewer.diagram import diagram_svg
    from orchestrator.viewer.drawings import turn_diagram
    from orchestrator.viewer.pictures import write_picture

    proved = _proved(name, config, setting, trust)
    mermaid = proved.graph.get_graph().draw_mermaid
    if output is None:
        say(mermaid().removesuffix("\n"))
    else:
        diagram = turn_diagram(proved.config)
        write_picture(output, {"mmd": mermaid, "svg": lambda: diagram_svg(diagram)})


class _Proved(NamedTuple):
    """A graph that would come through a turn."""

    config: GraphConfig
    graph: CompiledStateGraph[Any, Any, Any, Any]
    told: list[str]
    """What it is, in words."""


def _proved(
    name: str, configs: list[Path] | None, settings: list[str] | None, trust: bool
) -> _Proved:
    """The resolved graph, its own code allowed and all of its parts made once."""
    from orchestrator.graph.build import compile_graph, compile_part
    from orchestrator.graph.crew import check_part, make_crew, make_skills
    from orchestrator.graph.topology import is_part
    from orchestrator.settings.stories import own_story

    config = _admitted(name, configs, settings, trust)
    if is_part(config):
        written = ", ".join(check_part(config))
        told = f"{config.name}: fits, to stand for a node; writes {written}"
        return _Proved(config, compile_part(config), [told])
    graph = compile_graph(config)
    make_crew(config)
    make_skills(config)
    fits = [f"{config.name}: fits, access {'+'.join(config.access)}"]
    if story := own_story(config):
        story.make()
        fits.append(story.limits(config.access) or f"{story.name}: tells its story")
    return _Proved(config, graph, fits)


def _admitted(
    name: str, configs: list[Path] | None, settings: list[str] | None, trust: bool
) -> GraphConfig:
    """The resolved config, its own code allowed."""
    from orchestrator.config import load_config
    from orchestrator.settings.trust import admit

    config = load_config(name, configs or (), settings or ())
    what = " with ".join([f"graph {name!r}", *map(str, configs or ())])
    admit(config, config.folders, what, given=settings or (), trust=trust)
    return config
