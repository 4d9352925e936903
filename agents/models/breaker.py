"""A circuit breaker: a server that is down is not asked again and again."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable


class Breaker:
    """Opens after some failures in a row; after a while lets one call through to see.

    One breaker may be shared by everybody who asks the same server.
    """

    def __init__(
        self,
        threshold: int = 3,
        cooldown: float = 30.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.threshold = threshold
        """Calls that failed in a row, each after its repetitions."""
        self.cooldown = cooldown
        """Seconds."""
        self._clock = clock
        self._failures = 0
        self._retry_at = 0.0
        self._lock = threading.Lock()

    def remaining(self) -> float:
        """Seconds until a call may be tried; 0 lets this one through."""
        with self._lock:
            if self._failures < self.threshold:
                return 0.0
            wait = self._retry_at - self._clock()
            if wait > 0:
                return wait
            self._retry_at = self._clock() + self.cooldown
            return 0.0

    def failed(self) -> None:
        """Note that a call failed although it was repeated."""
        with self._lock:
            self._failures += 1
            self._retry_at = self._clock() + self.cooldown

    def succeeded(self) -> None:
        """Note that a call was answered."""
        with self._lock:
            self._failures = 0
