"""`zork resume`."""

from __future__ import annotations

from functools import partial
from typing import Any

from orchestrator.cli.arguments import (
    AnyVersion,
    AsJson,
    Game,
    NoCache,
    Out,
    Quiet,
    Run,
    Secrets,
    Steps,
    Trust,
)
from orchestrator.cli.play import watched
from orchestrator.resume import resume as play_on
from orchestrator.saved.runs import RUNS


def resume(
    run: Run,
    steps: Steps = None,
    setting: Secrets = None,
    game: Game = None,
    out: Out = RUNS,
    any_version: AnyVersion = False,
    trust: Trust = False,
    no_cache: NoCache = False,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Play a run on from its last turn: after a crash, a kill, a pause, or for more steps."""
    options: dict[str, Any] = {"steps": steps, "game": game, "out": out}
    options |= {"any_version": any_version, "trust": trust}
    kept: dict[str, Any] = {"settings": setting or (), "cache": not no_cache}
    watched(partial(play_on, run, **options), quiet, as_json, **kept)
