"""`zork fork`."""

from __future__ import annotations

from typing import Annotated

import typer

from orchestrator.cli.play import (
    AsJson,
    Configs,
    KeepRule,
    NoCache,
    Out,
    Quiet,
    Run,
    Settings,
    Steps,
    print_json,
    watching,
)
from orchestrator.cli.resume import AnyVersion, Game
from orchestrator.fork import fork as branch_off
from orchestrator.keep import Keep
from orchestrator.runs import RUNS


def fork(
    run: Run,
    turn: Annotated[
        int | None, typer.Option(min=0, help="After which turn; by default the last one.")
    ] = None,
    graph: Annotated[
        str | None, typer.Option(help="Another graph; by default the run's own.")
    ] = None,
    config: Configs = None,
    setting: Settings = None,
    steps: Steps = None,
    seed: Annotated[int | None, typer.Option(help="Another emulator seed from here on.")] = None,
    agent_seed: Annotated[int | None, typer.Option(help="Another seed of the agent's.")] = None,
    game: Game = None,
    keep: KeepRule = "all",
    out: Out = RUNS,
    any_version: AnyVersion = False,
    no_cache: NoCache = False,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Start a new run from any turn of another one, with other nodes, models or seeds."""
    with watching(quiet, as_json) as watcher:
        result = branch_off(
            run,
            turn,
            graph=graph,
            configs=config or (),
            settings=setting or (),
            steps=steps,
            seed=seed,
            agent_seed=agent_seed,
            game=game,
            out=out,
            keep=Keep.parse(keep),
            any_version=any_version,
            cache=not no_cache,
            watchers=(watcher,),
            approver=watcher.approve,
        )
    if as_json:
        print_json([result])
