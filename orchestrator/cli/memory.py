"""`zork memory`: what episodes of a story have learned for the next ones."""

from __future__ import annotations

import codecs
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from environments.catalog import find_story
from environments.plain_files import read_whole
from managers.belief.outlook import KeptOutlook
from managers.core.handover import Memory
from managers.memory import archive
from managers.memory.atlas import title_of
from orchestrator import memory
from orchestrator.cli.terminal import Terminal, say
from orchestrator.config import load_config
from orchestrator.errors import DamageError, RunError, writing
from orchestrator.memory import Subject
from orchestrator.settings.stories import DEFAULT_STORY
from orchestrator.store import set_aside

app = typer.Typer(
    help="Show, export, import and clear what earlier episodes learned.", no_args_is_help=True
)

_MOST = 12

_NOTHING = "nothing is remembered of {game} with graph {graph}; play it first"
Game = Annotated[str, typer.Option(help="Path, catalog id or name of a story.")]
Graph = Annotated[str, typer.Option(help="Shipped graph or a TOML file.")]


@app.command()
def show(game: Game = DEFAULT_STORY, graph: Graph = "offline") -> None:
    """Show what is remembered of a story."""
    console = Terminal(markup=False, highlight=False, soft_wrap=not sys.stdout.isatty())
    learned = _learned(_subject(game, graph), game, graph)
    console.print(f"{_counted(len(learned['runs']), 'episode')}; {_best(learned)}")
    table = Table("in", "command", "points", box=None)
    for room, command, points, _ in learned["lessons"]["deeds"]:
        table.add_row(Text(title_of(room)), Text(command), f"{points:+d}")
    if table.rows:
        console.print(table)
    for harm, times, command, room in _dangers(learned)[:_MOST]:
        console.print(f"dangerous: {command} in {title_of(room)} ({harm:g} of {times:g} times)")
    console.print(f"unknown words: {', '.join(learned['unknown']) or 'none'}")
    rooms = learned["atlas"].values()
    ways = sum(len(room["ways"]) for room in rooms)
    console.print(f"map: {_counted(len(rooms), 'room')}, {_counted(ways, 'way')}")
    _show_outlook(console, learned["outlook"])


def _counted(number: int, name: str) -> str:
    return f"{number} {name}" if number == 1 else f"{number} {name}s"


def _dangers(learned: Memory) -> list[tuple[float, float, str, str]]:
    """Harm, attempts, command and room of what did harm, the worst first."""
    rooms = learned["lessons"]["tried"].items()
    found = [
        (harm, times, command, room)
        for room, rows in rooms
        for command, (times, _, harm, _) in rows.items()
        if harm
    ]
    return sorted(found, reverse=True)


def _best(learned: Memory) -> str:
    """The point of the archive that promises the most."""
    points = archive.points_of(learned["archive"])
    best = archive.best_point(points)
    if best is None:
        return "nothing scored yet"
    sent = f"; {best.times} times sent there, {best.promise:.1f} promised" if best.times else ""
    return (
        f"{len(points)} points in the archive; best score {best.point.score} in "
        f"{len(best.steps)} steps{sent}"
    )


def _show_outlook(console: Console, outlook: KeptOutlook) -> None:
    console.print(f"goal: {outlook['beliefs']['overall_goal']}")
    for kind, record in outlook["reliability"]["records"].items():
        console.print(f"reliability of {kind}: {record['right']} of {record['judged']} held")
    dynamics = outlook["dynamics"]
    variables = ", ".join(dynamics["variables"]) or "none"
    console.print(f"dynamics: {len(dynamics['contexts'])} contexts; variables kept: {variables}")


@app.command()
def export(
    file: Annotated[Path, typer.Argument(help="Where to write it, as JSON.")],
    game: Game = DEFAULT_STORY,
    graph: Graph = "offline",
) -> None:
    """Write what is remembered of a story into a file."""
    subject = _subject(game, graph)
    learned = _learned(subject, game, graph)
    content = memory.packed({**learned, "of": subject._asdict()})
    with writing(file):
        file.write_bytes(content)
    say(f"{file}: SHA-256 {memory.digest(content)}")


@app.command("import")
def import_command(
    file: Annotated[Path, typer.Argument(help="What `zork memory export` wrote.")],
    game: Game = DEFAULT_STORY,
    graph: Graph = "offline",
) -> None:
    """Merge an exported memory into what is remembered of a story."""
    try:
        content = read_whole(file, links=True).removeprefix(codecs.BOM_UTF8)
    except OSError as error:
        raise RunError(f"{str(file)!r}: cannot be read: {error.strerror}") from error
    subject = _subject(game, graph)
    learned = memory.unpacked(content, file)
    if not learned:
        raise RunError(f"{str(file)!r}: is no memory, it is empty; zork memory export writes one")
    of = learned.pop("of", None)
    if of is not None and of.get("story_sha256") != subject.story_sha256:
        raise RunError(
            f"{str(file)!r}: is the memory of another story (SHA-256 "
            f"{str(of.get('story_sha256'))[:12]}...) than {game}; say which: --game STORY"
        )
    memory.remember(subject, learned)
    say(f"remembered: {_counted(len(memory.load(subject)['runs']), 'episode')}")


@app.command()
def clear(
    game: Game = DEFAULT_STORY,
    graph: Graph = "offline",
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Forget what episodes of a story learned."""
    subject = _subject(game, graph)
    damaged = isinstance(memory.fault(), DamageError)
    wanted = (
        "the store is damaged: set it aside, with what was learned of all stories?"
        if damaged
        else f"forget what episodes of {game} with graph {graph} learned?"
    )
    if not (yes or typer.confirm(wanted)):
        return
    if damaged:
        aside = set_aside(memory.store_path())
        say(f"the store was damaged: it lies at {aside}, and a new one is begun")
    elif not memory.forget(subject):
        raise RunError(_NOTHING.format(game=game, graph=graph))


def _subject(game: str, graph: str) -> Subject:
    """A variant's memory is named as its runs are, for instance `offline+3fa2c1`."""
    return Subject(find_story(game).sha256, graph if "+" in graph else load_config(graph).name)


def _learned(subject: Subject, game: str, graph: str) -> Memory:
    learned = memory.load(subject)
    if not learned:
        raise RunError(_NOTHING.format(game=game, graph=graph))
    return learned
