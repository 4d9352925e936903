"""A pace that a person can follow, change and hold."""

from __future__ import annotations

import time
from threading import Condition

from orchestrator.events import EpisodeStarted, Event, TurnPlayed

FOLLOWED = 1.0
"""Seconds a turn takes where a person looks on and says nothing else."""
_LONG = 3600.0
"""A pause is looked at again after so many seconds."""


class TurnPace:
    """A watcher that lets every turn take so many seconds at least; any thread may change it."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.paused = False
        self.hurried = False
        """No turn waits any more."""
        self._left = False
        self._change = Condition()
        self._last = time.monotonic()

    def __call__(self, event: Event) -> None:
        """Wait until the turn has lasted long enough."""
        if isinstance(event, TurnPlayed):
            with self._change:
                while (left := self._seconds_left()) > 0:
                    self._change.wait(left)
        if isinstance(event, TurnPlayed | EpisodeStarted):
            self._last = time.monotonic()

    def pause(self) -> None:
        """Hold the play after its turn, or let it go on."""
        self._become(paused=not self.paused, hurried=self.hurried)

    def hurry(self) -> None:
        """Play as fast as it goes from now on, or at the pace again."""
        self._become(paused=False, hurried=not self.hurried)

    def leave(self) -> None:
        """Nobody watches any more: wait no longer."""
        with self._change:
            self._left = True
            self._change.notify_all()

    def _become(self, *, paused: bool, hurried: bool) -> None:
        with self._change:
            self.paused, self.hurried = paused, hurried
            self._change.notify_all()

    def _seconds_left(self) -> float:
        """So many seconds the turn has still to last, as far as is known."""
        if self._left:
            return 0.0
        if self.paused:
            return _LONG
        return 0.0 if self.hurried else self._last + self.seconds - time.monotonic()
