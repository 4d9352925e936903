"""What happened to runs, on its way to the file: worked off and written together."""

from __future__ import annotations

import threading
from collections import deque
from pathlib import Path

from orchestrator.errors import RunError
from orchestrator.traces.records import Event, Records
from orchestrator.traces.redaction import dumps, redact_json
from orchestrator.traces.segments import SegmentedFile

DELAY_S = 0.05
"""Nothing waits longer. A turn worked off as one costs half of event by event."""


class RunLog:
    """Appends to a trace; many threads may share it."""

    def __init__(self, path: Path, records: Records) -> None:
        """Open the trace.

        Raises:
            RunError: the file cannot be written.
        """
        self._file = SegmentedFile(path)
        self._records = records
        self._waiting: deque[Event] = deque()
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._failure: RunError | None = None
        threading.Thread(target=self._flush_late, name="trace", daemon=True).start()

    def add(self, event: Event, *, at_once: bool = False) -> None:
        """Take an event; written at once, or soon with those that follow.

        Raises:
            RunError: the file could not be written, now or earlier.
        """
        self._waiting.append(event)
        if at_once:
            self.flush()

    def flush(self) -> None:
        """Write what waits."""
        with self._lock:
            if self._failure:
                raise self._failure
            events = [self._waiting.popleft() for _ in range(len(self._waiting))]
            operations = map(self._records.operation, events)
            lines = [dumps(operation) for operation in operations if operation is not None]
            if lines:
                self._file.append(redact_json(b"\n".join(lines)) + b"\n")

    def end_turn(self) -> None:
        """Write what waits, and compress what has grown large."""
        self.flush()
        with self._lock:
            self._file.rotate()

    def close(self) -> None:
        """Write what waits and close the file; what comes later is dropped."""
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
