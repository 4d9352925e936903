"""`zork resume`."""

from __future__ import annotations

from typing import Annotated

import typer

from orchestrator.cli.play import AsJson, NoCache, Out, Quiet, Run, Steps, print_json, watching
from orchestrator.resume import resume as play_on
from orchestrator.runs import RUNS

Game = Annotated[
    str | None, typer.Option(help="Where the story lies, if not where it was or in the catalog.")
]
AnyVersion = Annotated[
    bool, typer.Option("--any-version", help="Even if other versions may play differently.")
]


def resume(
    run: Run,
    steps: Steps = None,
    game: Game = None,
    out: Out = RUNS,
    any_version: AnyVersion = False,
    no_cache: NoCache = False,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Play a run on from its last turn: after a crash, a kill, a pause, or for more steps."""
    with watching(quiet, as_json) as watcher:
        result = play_on(
            run,
            steps=steps,
            game=game,
            out=out,
            any_version=any_version,
            cache=not no_cache,
            watchers=(watcher,),
            approver=watcher.approve,
        )
    if as_json:
        print_json([result])
