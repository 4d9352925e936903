"""Keeps the questions to a model within so many tokens a minute."""

from __future__ import annotations

import threading
import time

from agents.models.bounds import pause


class Pace:
    """Waits before a question until the tokens of the ones before are paid off.

    Args:
        tokens_per_minute: What the server allows; None for no bound.
    """

    def __init__(self, tokens_per_minute: int | None = None) -> None:
        self._seconds = 60.0 / tokens_per_minute if tokens_per_minute else 0.0
        self._free_at = time.monotonic()
        self._lock = threading.Lock()

    def wait(self) -> None:
        """Return when the next question may be asked."""
        with self._lock:
            wanted = self._free_at - time.monotonic()
        if wanted > 0:
            pause(wanted)

    def spent(self, tokens: int) -> None:
        """Count what a question took."""
        with self._lock:
            self._free_at = max(self._free_at, time.monotonic()) + tokens * self._seconds
