"""`zork view`: look at runs in a browser, or write one as a page of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from orchestrator.cli.terminal import say
from orchestrator.errors import ConfigError, RunError
from orchestrator.saved.runs import RUNS, RunDirectory, list_runs
from orchestrator.viewer.export import export
from orchestrator.viewer.pictures import needed
from orchestrator.viewer.runs import head


def view(
    run: Annotated[
        str | None, typer.Argument(metavar="RUN", help="Run id, run directory, or `last`.")
    ] = None,
    live: Annotated[
        bool, typer.Option("--live", help="The run that is being played, followed as it goes.")
    ] = False,
    out: Annotated[Path, typer.Option("--runs", "--out", help="Where run directories are.")] = RUNS,
    output: Annotated[
        Path | None,
        typer.Option("--export", metavar="FILE.html", help="Write one file instead of serving."),
    ] = None,
    fork: Annotated[
        bool, typer.Option("--fork", help="Let the page play on from a turn in a run of its own.")
    ] = False,
    port: Annotated[int, typer.Option(min=0, max=65535, help="By default a free one.")] = 0,
) -> None:
    """Look at runs in a browser: on this machine only, and only with the address printed."""
    if live and run is not None:
        raise ConfigError(f"--live shows the run that is being played: leave out {run!r}")
    if live:
        run = _playing(out)
    found = RunDirectory.find(run, out) if run else None
    if output is not None:
        if found is None:
            raise RunError(f"--export {str(output)!r}: say which run, by its id or `last`")
        size = export(found, output)
        say(f"{output}: {size / 1e6:.1f} MB, opens in any browser")
        return
    folder = found.path.parent if found else out
    server = needed("orchestrator.viewer.server", "view")
    viewer = server.Viewer(folder, found.path.name if found else "", forks=fork)
    serving = server.Server(viewer, port)
    typer.echo(f"{serving.address}\n(Ctrl-C ends it)")
    serving.serve()


def _playing(out: Path) -> str:
    for run in reversed(list_runs(out)):
        if head(run)["status"] == "playing":
            return str(run.path)
    raise RunError(f"--live: no run in {str(out)!r} is being played; start one with `zork play`")
