"""Reads a trace back: lines merged into LangSmith run records, records into trees."""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic_core import from_json

from orchestrator.traces.segments import read_segments

Record = dict[str, Any]
MAX_DEPTH = 100
"""Runs that are nested deeper stand for themselves."""


@dataclass
class Run:
    """One run and those it started."""

    record: Record
    """A LangSmith run record; a run that is still open has no `end_time`."""
    children: list[Run] = field(default_factory=list)
    depth: int = 0
    """So many runs are above it."""

    @property
    def name(self) -> str:
        return str(self.record["name"])

    @property
    def kind(self) -> str:
        """LangSmith's `run_type`: chain, llm, tool, retriever."""
        return str(self.record["run_type"])

    @property
    def inputs(self) -> Record:
        return self.record["inputs"] or {}

    @property
    def outputs(self) -> Record:
        return self.record["outputs"] or {}

    @property
    def metadata(self) -> Record:
        return self.record["extra"].get("metadata") or {}

    @property
    def error(self) -> str | None:
        return self.record.get("error")

    @property
    def is_open(self) -> bool:
        """Not ended: it still runs, or was killed."""
        return "end_time" not in self.record

    @property
    def is_waiting(self) -> bool:
        """Interrupted to ask a person, which LangGraph records as an error."""
        return self.error is not None and self.error.startswith("GraphInterrupt(")

    @property
    def started(self) -> datetime.datetime:
        return datetime.datetime.fromisoformat(self.record["start_time"])

    @property
    def seconds(self) -> float | None:
        """How long it took; None while open."""
        if self.is_open:
            return None
        return (
            datetime.datetime.fromisoformat(self.record["end_time"]) - self.started
        ).total_seconds()

    @property
    def tokens(self) -> tuple[int, int]:
        """Prompt and completion tokens of this run and all below it."""
        usage = self.metadata.get("usage_metadata", {}) if self.kind == "llm" else {}
        prompt, completion = usage.get("input_tokens", 0), usage.get("output_tokens", 0)
        for child in self.children:
            below = child.tokens
            prompt, completion = prompt + below[0], completion + below[1]
        return prompt, completion

    def walk(self) -> Iterator[Run]:
        """This run and all below it, in the order in which they started."""
        yield self
        for child in self.children:
            yield from child.walk()


@dataclass
class Trace:
    """All runs of an episode, one tree a turn."""

    roots: list[Run] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    """Lines that could not be read, in words."""

    def walk(self) -> Iterator[Run]:
        """All runs, turn by turn."""
        for root in self.roots:
            yield from root.walk()


class TraceReader:
    """Takes a trace piece by piece, so that a growing one can be followed."""

    def __init__(self) -> None:
        self.trace = Trace()
        self._runs: dict[str, Run] = {}
        self._lines = 0
        self._rest = bytearray()

    def feed(self, content: bytes) -> list[Run]:
        """Take the next bytes of the trace; returns the turns that ended with them."""
        self._rest += content
        if b"\n" not in content:
            return []
        *lines, self._rest = self._rest.split(b"\n")
        ended = [self._take(line) for line in lines]
        return [run for run in ended if run is not None]

    def finish(self) -> Trace:
        """The trace as it stands; an incomplete last line is reported among its faults."""
        if self._rest:
            self.feed(b"\n")
        return self.trace

    def _take(self, line: bytearray) -> Run | None:
        self._lines += 1
        if not line.strip():
            return None
        try:
            ((operation, record),) = _read(line).items()
            merge = {"post": self._post, "patch": self._patch}[operation]
            return merge(record)
        except (ValueError, KeyError, AttributeError, TypeError, RecursionError):
            self.trace.faults.append(
                f"line {self._lines} is no whole run ({len(line)} bytes), skipped"
            )
            return None

    def _post(self, record: Record) -> None:
        if record["id"] in self._runs:
            return
        run = Run({**record, "outputs": {}, "events": [_event("start", record["start_time"])]})
        parent = self._runs.get(record.get("parent_run_id", ""))
        if parent is None or parent.depth > MAX_DEPTH:
            _check(record)
            self.trace.roots.append(run)
        else:
            root = self._runs[record["trace_id"]]
            _check(record)
            record["extra"].setdefault("runtime", root.record["extra"].get("runtime"))
            run.depth = parent.depth + 1
            parent.children.append(run)
        self._runs[record["id"]] = run

    def _patch(self, record: Record) -> Run | None:
        run = self._runs.get(record["id"])
        if run is None or not run.is_open:
            return None
        _check({**run.record, **record})
        last = _event("error" if "error" in record else "end", record["end_time"])
        events = [*run.record["events"], *record.pop("events", []), last]
        if "extra" in record:
            record["extra"] = {**run.record["extra"], **record["extra"]}
        run.record.update(record, events=events)
        return None if "parent_run_id" in run.record else run


def read_trace(path: Path | str) -> Trace:
    """The trace of a run, with all of its segments; what is damaged is among its faults.

    Raises:
        RunError: there is no trace, or it cannot be read.
    """
    reader = TraceReader()
    for piece in read_segments(Path(path), reader.trace.faults):
        reader.feed(piece)
    return reader.finish()


def read_pieces(pieces: Iterable[bytes]) -> Trace:
    """The trace that the pieces make up."""
    reader = TraceReader()
    for piece in pieces:
        reader.feed(piece)
    return reader.finish()


def _read(line: bytearray) -> Any:
    try:
        return from_json(line)
    except ValueError:
        return json.loads(line)  # It reads what is nested deeper.


def _check(record: Record) -> None:
    """Refuse what is no run: a reader may rely on these fields.

    Raises:
        KeyError, TypeError, ValueError: one is not there or of another type.
    """
    for name in ("id", "name", "run_type", "dotted_order", "session_name"):
        if not isinstance(record[name], str):
            raise TypeError(name)
    tables = (record["extra"], record["extra"].get("metadata"), record["inputs"])
    if not all(isinstance(table, dict | None) for table in (*tables, record.get("outputs"))):
        raise TypeError("a field is no table")
    for time in ("start_time", "end_time"):
        datetime.datetime.fromisoformat(record.get(time, "2000-01-01"))


def _event(name: str, time: str) -> Record:
    return {"name": name, "time": time}
