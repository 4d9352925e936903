"""A pace that a person can follow."""

from __future__ import annotations

import time
from threading import Event as Signal

from orchestrator.events import Event, TurnPlayed


class TurnPace:
    """A watcher that lets every turn take so many seconds at least."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._left = Signal()
        self._last = time.monotonic()

    def __call__(self, event: Event) -> None:
        """Wait until the turn has lasted long enough."""
        if isinstance(event, TurnPlayed):
            self._left.wait(max(0.0, self._last + self.seconds - time.monotonic()))
            self._last = time.monotonic()

    def leave(self) -> None:
        """Nobody watches any more: wait no longer."""
        self._left.set()
