"""`zork watch`: a run in the terminal, live or turn by turn."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from orchestrator.cli.stopping import noting_signals, stop_status
from orchestrator.cli.terminal import check_terminal
from orchestrator.saved.runs import RUNS, RunDirectory
from orchestrator.screen.pace import TurnPace
from orchestrator.viewer.pictures import needed
from orchestrator.viewer.runs import RunView


def watch(
    run: Annotated[str, typer.Argument(metavar="RUN", help="Run id or directory.")] = "last",
    out: Annotated[Path, typer.Option("--runs", "--out", help="Where run directories are.")] = RUNS,
    pace: Annotated[
        float,
        typer.Option(min=0, max=3600, help="Go through it from its beginning, so many s a turn."),
    ] = 0.0,
) -> None:
    """Watch a run in the terminal as it is played, or look through one that was."""
    view = RunView(RunDirectory.find(run, out))
    check_terminal("zork watch", "zork trace show, or zork view")
    dashboard = needed("orchestrator.viewer.dashboard", "view")
    with noting_signals() as stopped:
        dashboard.Dashboard(lambda: view, pace=TurnPace(pace), is_over=stopped).run()
    if stopped():
        raise typer.Exit(stop_status())
