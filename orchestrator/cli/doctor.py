"""`zork doctor`: what is installed, which stories are found, does the model answer."""

from __future__ import annotations

import platform
from typing import Annotated

import typer

from agents.models import ModelConfig, ModelError, make_model
from agents.models.config import configured
from agents.models.providers import check
from environments.catalog import list_stories
from orchestrator import memory
from orchestrator.cli.terminal import say_facts
from orchestrator.errors import ConfigError
from orchestrator.saved.runs import versions


def doctor(
    model: Annotated[
        str, typer.Option(metavar="NAME", help="The model to look for, as provider:name.")
    ] = ModelConfig().model,
    base_url: Annotated[
        str | None, typer.Option(metavar="URL", help="Where its server is, if not the usual place.")
    ] = None,
) -> None:
    """Look at the installation and say what to do next."""
    report: list[tuple[str, str]] = []
    report.append(("python", f"{platform.python_version()} on {platform.system()}"))
    for name, found in versions().items():
        report.append((name, found))
    stories = [listing.id for listing in list_stories() if listing.path]
    report.append(("stories", ", ".join(stories)))
    report.append(("memory", memory.damage() or str(memory.store_path())))
    try:
        config = configured({"model": model, "base_url": base_url})
        health = check(make_model(config), config)
    except ModelError as error:
        raise ConfigError(str(error)) from error
    report += [("model", said) for said in (*health.problems, *health.notes)]
    if not health.problems:
        report.append(("model", f"{model} can be asked"))
    further = (
        "(needs no model)" if health.problems else f"or: zork play --graph llm --model {model}"
    )
    report.append(("next", f"zork play   {further}"))
    say_facts(report)
