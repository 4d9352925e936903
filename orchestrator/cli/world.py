"""`zork world`: what the agent knew after a turn of a run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from managers.planning.issues import enrich_issue_context, world_issues
from managers.planning.objectives import Objective
from managers.world.map import Map
from managers.world.objects import GameObject
from managers.world.view import World
from orchestrator.checkpoints.opening import read_turns
from orchestrator.cli.arguments import Run
from orchestrator.cli.terminal import Terminal
from orchestrator.errors import RunError, check_spared
from orchestrator.saved.restore import ranges
from orchestrator.saved.runs import RUNS, RunDirectory
from orchestrator.state import State
from orchestrator.viewer.diagram import diagram_svg
from orchestrator.viewer.drawings import chart_of, puzzles_of
from orchestrator.viewer.pictures import write_picture
from orchestrator.viewer.sketch import sketch
from orchestrator.viewer.states import rooms_of, world_of
from orchestrator.viewer.svg import map_svg
from orchestrator.viewer.text_map import map_text

app = typer.Typer(help="Show what the agent knew.", no_args_is_help=True)

_MOST_ISSUES = 5


@app.callback()
def world() -> None:
    """Show what the agent knew."""


@app.command()
def show(
    run: Run,
    turn: Annotated[int | None, typer.Option(min=0, help="By default the last one kept.")] = None,
    puzzles: Annotated[
        Path | None, typer.Option(help="Draw what needs what into this .svg or .png.")
    ] = None,
    drawn: Annotated[
        Path | None, typer.Option("--map", help="Draw the map into this .svg, .png or .txt.")
    ] = None,
    out: Annotated[Path, typer.Option(help="Where run directories are.")] = RUNS,
) -> None:
    """Show things, hypotheses, objectives and issues after a turn; draw map and puzzles."""
    directory = RunDirectory.find(run, out)
    for picture in filter(None, (drawn, puzzles)):
        check_spared(picture, *directory.files())
    state = _state(directory, turn)
    model, rooms = world_of(state), rooms_of(state)
    console = Terminal()
    console.print(Text(f"turn {state['turn']}, in {_place(rooms, rooms.here)}"))
    console.print_whole(_things(model, rooms))
    for idea in model.hypotheses():
        known = "disproven" if idea.disproven else f"{idea.confidence:.2f}"
        console.print(Text(f"{idea.id}: {idea.subject} {idea.predicate} {idea.object} ({known})"))
    for objective in state.get("objectives", ()):
        console.print(Text(_objective(objective)))
    for issue in world_issues(model, rooms)[:_MOST_ISSUES]:
        console.print(Text(f"\n{issue.content}\n{enrich_issue_context(issue.content, model)}"))
    if puzzles is not None:
        write_picture(puzzles, {"svg": lambda: diagram_svg(puzzles_of(state))})
    if drawn is not None:
        chart = chart_of(state)
        write_picture(
            drawn,
            {"svg": lambda: map_svg(sketch(chart)), "txt": lambda: map_text(chart).plain},
        )


def _state(run: RunDirectory, turn: int | None) -> State:
    record = run.record()
    with read_turns(run, record) as saver:
        rows = list(saver.turns(record.thread))
        kept = [row for row in rows if turn in (None, row.turn)]
        if kept:
            return saver.state(record.thread, kept[-1])
    known = ranges(row.turn for row in rows) or "none"
    wanted = "" if turn is None else f" after turn {turn}"
    raise RunError(f"run {record.run_id} keeps no state{wanted} (kept: {known})")


def _objective(one: Objective) -> str:
    """One line: what it is, who wanted it, what became of it, and the plan."""
    known = f"{one.source}, {one.status}" + (f": {one.evidence}" if one.evidence else "")
    return f"{one.id} {one.text} ({known})" + (f"; plan: {one.way}" if one.way else "")


def _place(rooms: Map, id: str) -> str:
    return f"{id} {rooms.room(id).title}" if id in rooms.data["rooms"] else id or "nowhere known"


def _things(model: World, rooms: Map) -> Table:
    table = Table("thing", "where", "state", "seen")
    for thing in model.objects():
        table.add_row(
            Text(thing.name),
            Text(_where(model, rooms, thing)),
            ", ".join(f"{'' if value else 'not '}{state}" for state, value in thing.state.items()),
            str(thing.last_seen_turn) + (" (stale)" if model.is_stale(thing) else ""),
        )
    return table


def _where(model: World, rooms: Map, thing: GameObject) -> str:
    inside = [holder.name for holder in model.holders_of(thing.id)]
    place = model.location_of(thing.id)
    return ", ".join([*inside, "carried" if place == "inventory" else _place(rooms, place)])
