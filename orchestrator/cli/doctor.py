"""`zork doctor`: what is installed, where play may write, whether the model answers."""

from __future__ import annotations

import platform
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from agents.models import ModelConfig, ModelError, make_model
from agents.models.config import configured
from agents.models.default import chosen_model
from agents.models.local.weights import find_weights
from agents.models.providers import Health, check
from agents.models.serving import served
from environments.catalog import list_stories
from environments.extras import extras, installing, is_installed
from environments.folders import cache_folder
from orchestrator import memory
from orchestrator.cli.arguments import Out
from orchestrator.cli.terminal import say_facts
from orchestrator.errors import ConfigError, DamageError
from orchestrator.saved.runs import RUNS, versions
from orchestrator.settings.called import called

Report = list[tuple[str, str]]
MOST_MODELS = 6
"""So many models that are at hand are named."""
_TRIED = b"\0" * 4096
"""What is written, and gone again, to see whether a folder takes anything."""


def doctor(
    model: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The model to look for, as provider:name; the default."),
    ] = None,
    base_url: Annotated[
        str | None, typer.Option(metavar="URL", help="Where its server is, if not the usual place.")
    ] = None,
    out: Out = RUNS,
) -> None:
    """Look at the installation and say what to do next.

    The exit status is 1 where play could not write what it has to, 2 where the model that was
    named cannot be asked.
    """
    report: Report = [("python", f"{platform.python_version()} on {platform.system()}")]
    report += versions().items()
    stories = [listing.id for listing in list_stories() if listing.path]
    report.append(("stories", ", ".join(stories)))
    places, remedies = _places(out)
    report += places
    report += _extras()
    wanted = model or chosen_model() or ModelConfig().model
    health = _health(wanted, base_url, named=model is not None)
    report += [("model", said) for said in (*health.problems, *health.notes)]
    if not health.problems:
        report.append(("model", f"{wanted} can be asked"))
    here = [f"local:{one.name}" for one in find_weights()] + [one.model for one in served()]
    if here:
        report.append(("at hand", ", ".join(here[:MOST_MODELS])))
    usable = wanted if not health.problems else next(iter(here), "")
    asked = f"or: {called()} play --graph oracle --model {usable}" if usable else ""
    play = f"{called()} play   {asked or '(needs no model)'}"
    report.append(("next", "; ".join(remedies) or play))
    say_facts(report)
    if remedies:
        raise typer.Exit(1)
    if model is not None and health.problems:
        raise typer.Exit(2)


def _places(out: Path) -> tuple[Report, list[str]]:
    """Where play writes, with what keeps it from that, and what would help."""
    store = memory.store_path()
    fault = memory.fault()
    unusable = str(fault) if fault else _unwritable(store.parent)
    cached, kept = _unwritable(cache_folder()), _unwritable(out)
    remedies = []
    if unusable:
        damaged = isinstance(fault, DamageError)
        remedy = memory.SET_ASIDE if damaged else memory.ELSEWHERE
        remedies.append(f"{remedy}, or play with --fresh")
    if kept:
        remedies.append("play in a folder that can be written, or with --out FOLDER")
    cache = f"{cached}; models are asked anew" if cached else str(cache_folder())
    told = [("memory", unusable or str(store)), ("cache", cache), ("runs", kept or str(out))]
    return told, remedies


def _unwritable(folder: Path) -> str:
    """What keeps play from writing in a folder, or from making it; empty if nothing does."""
    there = folder
    try:
        while not there.exists() and there != there.parent:
            there = there.parent
        with tempfile.TemporaryFile(dir=there) as file:
            file.write(_TRIED)
    except OSError as error:
        return f"{folder} cannot be written: {error.strerror} ({there})"
    return ""


def _extras() -> Iterator[tuple[str, str]]:
    """What is installed besides, and how to get the rest."""
    there = [name for name in extras() if is_installed(name)]
    missing = [name for name in extras() if name not in there]
    yield "extras", f"installed: {', '.join(there) or 'none'}"
    if missing:
        yield "", f"not installed: {', '.join(missing)}; {installing(*missing)}"


def _health(model: str, base_url: str | None, *, named: bool) -> Health:
    """What keeps a model from being asked, and what is to be known of it.

    Raises:
        ConfigError: the model that was `named` on the command line is none.
    """
    try:
        config = configured({"model": model, "base_url": base_url})
        return check(make_model(config), config)
    except ModelError as error:
        if named:
            raise ConfigError(str(error)) from error
        return Health((str(error),))
