"""`zork replay`."""

from __future__ import annotations

import difflib
from typing import Annotated

import typer

from orchestrator.cli.arguments import Game, Out, Run, Trust
from orchestrator.cli.terminal import say
from orchestrator.replay import Divergence
from orchestrator.replay import replay as play_again
from orchestrator.saved.runs import RUNS


def replay(
    run: Run,
    seed: Annotated[
        int | None, typer.Option(help="Another emulator seed, to see what hangs on it.")
    ] = None,
    game: Game = None,
    trust: Trust = False,
    out: Out = RUNS,
) -> None:
    """Play a run's commands again and verify every answer; exit status 1 if one differs."""
    result = play_again(run, seed=seed, game=game, out=out, trust=trust)
    if result.divergence:
        _show(result.divergence)
        raise typer.Exit(1)
    say(
        f"{result.turns} turns answered as recorded, {result.checkpoints} checkpoints "
        "verified to the last bit of the emulator"
    )


def _show(divergence: Divergence) -> None:
    command = f"> {divergence.command}" if divergence.command else "the opening"
    say(f"turn {divergence.turn}, {command}: another {divergence.difference.what}")
    lines = difflib.unified_diff(
        divergence.difference.recorded.splitlines(),
        divergence.difference.replayed.splitlines(),
        "recorded",
        "replayed",
        lineterm="",
    )
    for line in lines:
        say(f"  {line}")
