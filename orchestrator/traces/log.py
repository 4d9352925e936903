"""Run operations on their way to the file: serialised, freed of secrets and written together."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

from orchestrator.errors import RunError
from orchestrator.traces.redaction import dumps, redact_shapes
from orchestrator.traces.segments import SegmentedFile

DELAY_S = 0.05
"""Nothing waits longer. Writing a turn's operations together costs half of one by one."""


class RunLog:
    """Appends operations to a trace; many threads may share it."""

    def __init__(self, path: Path) -> None:
        """Open the trace.

        Raises:
            RunError: the file cannot be written.
        """
        self._file = SegmentedFile(path)
        self._waiting: list[dict[str, Any]] = []
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._failure: RunError | None = None
        threading.Thread(target=self._flush_late, name="trace", daemon=True).start()

    def add(self, operation: dict[str, Any], *, at_once: bool) -> None:
        """Take an operation; written at once, or soon with those that follow.

        Raises:
            RunError: the file could not be written, now or earlier.
        """
        self._waiting.append(operation)
        if at_once:
            self.flush()

    def flush(self) -> None:
        """Write what waits."""
        with self._lock:
            if self._failure:
                raise self._failure
            operations, self._waiting = self._waiting, []
            if operations:
                lines = b"\n".join([dumps(operation) for operation in operations])
                self._file.append(redact_shapes(lines) + b"\n")

    def end_turn(self) -> None:
        """Write what waits, and compress what has grown large."""
        self.flush()
        self._file.rotate()

    def close(self) -> None:
        """Write what waits and close the file; later operations are dropped."""
        if not self._closed.is_set():
            self._closed.set()
            try:
                self.flush()
            finally:
                self._file.close()

    def _flush_late(self) -> None:
        while not self._closed.wait(DELAY_S):
            try:
                self.flush()
            except RunError as error:
                self._failure = error
                return
