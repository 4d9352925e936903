"""Arguments and options that several commands have."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def run_ids(incomplete: str) -> list[str]:
    """The runs under `runs` whose ids begin so, for a shell to complete."""
    from orchestrator.saved.runs import list_runs

    known = ["last", *(run.path.name for run in list_runs())]
    return [name for name in known if name.startswith(incomplete)]


Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set", "-s", metavar="KEY=VALUE", help="Set one key, e.g. nodes.critic.use=none."
    ),
]
Configs = Annotated[
    list[Path] | None, typer.Option("--config", "-c", help="A TOML file merged over the graph.")
]

Steps = Annotated[
    int | None, typer.Option(min=1, help="So many turns more; else to the run's own limit.")
]
Run = Annotated[
    str,
    typer.Argument(
        help="A run: `last`, its id or a part of it, or its directory.", autocompletion=run_ids
    ),
]
KeepRule = Annotated[
    str,
    typer.Option("--keep", metavar="RULE", help="Checkpoints that stay: all, every:N or last:N."),
]
Database = Annotated[
    str,
    typer.Option(
        "--checkpoints",
        metavar="ADDRESS",
        envvar="ZORK_CHECKPOINTS",
        help="A PostgreSQL database for checkpoints, e.g. postgresql://host/name.",
    ),
]
NoCache = Annotated[
    bool, typer.Option("--no-cache", help="Ask the models again what they answered before.")
]
Trust = Annotated[
    bool,
    typer.Option("--trust", help="Allow the code and servers that a file or a run names."),
]
Out = Annotated[Path, typer.Option(help="Where run directories are made and looked for.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="Only the progress line.")]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON object per episode.")]
Game = Annotated[
    str | None, typer.Option(help="Where the story lies, if not where it was or in the catalog.")
]
AnyVersion = Annotated[
    bool, typer.Option("--any-version", help="Even if other versions may play differently.")
]


Secrets = Annotated[
    list[str] | None,
    typer.Option(
        "--set", "-s", metavar="KEY=VALUE", help="A key of models: a secret, which no run keeps."
    ),
]


def given_options(context: typer.Context) -> list[str]:
    """The names of the options that stand on the command line."""
    sources = {name: context.get_parameter_source(name) for name in context.params}
    return [name for name, source in sources.items() if source and source.name == "COMMANDLINE"]
