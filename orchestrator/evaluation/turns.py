"""How far the cells of a grid are: each worker writes it down, whoever waits reads it."""

from __future__ import annotations

import time
from pathlib import Path

from orchestrator.events import EpisodeStarted, Event, TurnPlayed

_EVERY_S = 0.5
_NAME = "turns"


class TurnCounter:
    """Watches the episodes of a cell and writes into its folder how many turns were played."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / _NAME
        self._before = self._turn = 0
        self._due = 0.0

    def __call__(self, event: Event) -> None:
        match event:
            case EpisodeStarted(state=state):
                self._before += self._turn
                self._turn = state["turn"]
            case TurnPlayed(after=state):
                self._turn = state["turn"]
                if time.monotonic() >= self._due:
                    self._due = time.monotonic() + _EVERY_S
                    self._path.write_text(str(self._before + self._turn), encoding="ascii")


def turns_played(folder: Path) -> int:
    """What the counter of a cell last wrote; none while it has written nothing."""
    try:
        told = (folder / _NAME).read_text(encoding="ascii")
    except OSError:
        return 0
    return int(told) if told.isdecimal() else 0
