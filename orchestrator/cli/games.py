"""`zork games`: the stories at hand, what is known of them, adding and fetching more."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, DownloadColumn, Progress, TransferSpeedColumn

from environments import catalog
from environments.anatomy import dissect
from environments.download import fetch as download
from environments.game import GameError
from environments.story import Story
from orchestrator.cli.listing import AsJson, show_rows
from orchestrator.cli.terminal import Terminal, say, say_facts

app = typer.Typer(help="List, describe, add and fetch stories.", no_args_is_help=True)


@app.command("list")
def list_stories(as_json: AsJson = False) -> None:
    """List the stories that can be played or fetched."""
    rows = [
        {
            "id": listing.id,
            "title": listing.entry.title if listing.entry else None,
            "points": listing.entry.max_score if listing.entry else None,
            "where": str(listing.path) if listing.path else f"zork games fetch {listing.id}",
        }
        for listing in catalog.list_stories()
    ]
    columns = {name: name for name in ("id", "title", "points", "where")}
    show_rows(rows, columns, as_json=as_json)


@app.command()
def info(name: Annotated[str, typer.Argument(help="A path, an id or a name.")]) -> None:
    """Describe one story."""
    story = catalog.find_story(name)
    anatomy = dissect(story)
    version = f"version {story.version}, release {story.release}, serial {story.serial}"
    refused = [("debugging verbs", "yes, and refused in play")] if anatomy.debugging else []
    say_facts(
        [
            ("file", str(story.path)),
            ("size", f"{len(story.data):,} bytes"),
            ("sha256", story.sha256),
            ("Z-machine", version),
            ("compiler", anatomy.compiler),
            ("status line", anatomy.status_line),
            ("dictionary", f"{anatomy.words:,} words"),
            ("objects", f"{anatomy.objects:,}"),
            *refused,
            *_known(story),
        ]
    )


@app.command()
def add(file: Annotated[Path, typer.Argument(help="A story file.")]) -> None:
    """Check a story file and copy it into your stories."""
    story = catalog.add_story(file)
    say(f"added {story.path}; play it with: zork play --game {catalog.id_of(story.path)}")


@app.command()
def fetch(id: Annotated[str, typer.Argument(help="An id from `zork games list`.")]) -> None:
    """Download a freely licensed story; a cut download goes on where it ended."""
    wanted = next((entry for entry in catalog.downloads() if entry.id == id), None)
    if wanted is None:
        known = ", ".join(entry.id for entry in catalog.downloads())
        raise GameError(f"no download {id!r} (known: {known})")
    columns = ("{task.description}", BarColumn(), DownloadColumn(), TransferSpeedColumn())
    with Progress(*columns, console=_console(stderr=True)) as progress:
        task = progress.add_task(wanted.title, total=wanted.size)
        path = download(wanted, lambda done: progress.update(task, completed=done))
    say(f"{path}; play it with: zork play --game {catalog.id_of(path)}")


def _console(stderr: bool = False) -> Terminal:
    """A console that prints names as they are: a bracket in a path is no markup."""
    return Terminal(stderr=stderr, markup=False, highlight=False, soft_wrap=True)


def _known(story: Story) -> list[tuple[str, str]]:
    """What the catalog adds, as labelled lines."""
    entry = catalog.describe(story)
    if entry is None:
        return []
    values = {
        "title": entry.title,
        "description": entry.description,
        "license": entry.license,
        "maximum score": entry.max_score,
        "walkthrough": entry.walkthrough,
        "walkthrough seed": entry.walkthrough_seed,
    }
    return [(label, str(value)) for label, value in values.items() if value not in (None, "")]
