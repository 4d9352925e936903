"""`zork fork`."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

import typer

from orchestrator.checkpoints.saver import Keep
from orchestrator.cli.arguments import (
    AnyVersion,
    AsJson,
    Configs,
    Game,
    KeepRule,
    NoCache,
    Out,
    Quiet,
    Run,
    Settings,
    Steps,
    Trust,
)
from orchestrator.cli.play import watched
from orchestrator.fork import fork as branch_off
from orchestrator.saved.runs import RUNS


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
    trust: Trust = False,
    no_cache: NoCache = False,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Start a new run from any turn of another one, with other nodes, models or seeds."""
    origin: dict[str, Any] = {"out": out, "game": game, "any_version": any_version}
    origin["trust"] = trust
    changes: dict[str, Any] = {
        "graph": graph,
        "configs": config or (),
        "steps": steps,
        "seed": seed,
        "agent_seed": agent_seed,
        "keep": Keep.parse(keep),
    }
    kept: dict[str, Any] = {"settings": setting or (), "cache": not no_cache}
    watched(partial(branch_off, run, turn, **origin, **changes), quiet, as_json, **kept)
