"""Reads a trace back: lines merged into LangSmith run records, records into trees."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from orchestrator.traces.calls import ToldAnswers, ToldAsking, ToldPrompt
from orchestrator.traces.envelope import Patched, Posted, ToldMetadata
from orchestrator.traces.redaction import read_line
from orchestrator.traces.writer import read_segments
from orchestrator.traces.written import Written

Record = dict[str, Any]
POSTED = (*Posted.model_fields, "serialized")
MAX_DEPTH = 100
"""Runs that are nested deeper are listed as roots of their own."""


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
        """What it was given, as it stands in the trace; only to be shown."""
        return self.record["inputs"] or {}

    @property
    def outputs(self) -> Record:
        """What it brought, as it stands in the trace; only to be shown."""
        return self.record["outputs"] or {}

    @property
    def metadata(self) -> Record:
        """As it stands in the trace; only to be shown."""
        return self.record["extra"].get("metadata") or {}

    @cached_property
    def about(self) -> ToldMetadata:
        """What its metadata tell."""
        return ToldMetadata.of(self.metadata)

    @cached_property
    def written(self) -> Written:
        """What it brought, if it is a node or a whole turn."""
        return Written.of(self.outputs)

    @cached_property
    def asked(self) -> ToldPrompt:
        """What a model was asked."""
        return ToldPrompt.of(self.inputs)

    @cached_property
    def generated(self) -> ToldAnswers:
        """What a model answered."""
        return ToldAnswers.of(self.outputs)

    @cached_property
    def answered(self) -> ToldAsking:
        """What became of a question to a model."""
        return ToldAsking.of(self.outputs)

    @property
    def error(self) -> str | None:
        return self.record.get("error")

    @property
    def is_root(self) -> bool:
        """Nothing is above it; what is above others may be lost."""
        return self.record.get("parent_run_id") is None

    @property
    def is_open(self) -> bool:
        """Not ended: it still runs, or was killed."""
        return "end_time" not in self.record

    @property
    def is_waiting(self) -> bool:
        """Interrupted to ask a person, which LangGraph records as an error."""
        return self.error is not None and self.error.startswith("GraphInterrupt(")

    @property
    def retries(self) -> int:
        """How often it was tried again."""
        return sum(event["name"] == "retry" for event in self.record["events"])

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
        usage = self.about.usage_metadata if self.kind == "llm" else ToldMetadata().usage_metadata
        prompt, completion = usage.input_tokens, usage.output_tokens
        for child in self.children:
            below = child.tokens
            prompt, completion = prompt + below[0], completion + below[1]
        return prompt, completion

    def end(self, record: Record) -> None:
        """Take in what is known of it now that it has ended."""
        self.record.update(record)
        for name in ("about", "written", "generated", "answered"):
            self.__dict__.pop(name, None)

    def walk(self) -> Iterator[Run]:
        """This run and all below it, in the order in which they started."""
        yield self
        for child in self.children:
            yield from child.walk()


@dataclass
class Trace:
    """All runs of an episode as trees: one a turn, or several where it broke off on its way."""

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
            ((operation, record),) = read_line(line).items()
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
        _check(Posted, record)
        known = {name: record[name] for name in POSTED if name in record}
        run = Run({**known, "outputs": {}, "events": [_event("start", record["start_time"])]})
        parent = self._runs.get(record.get("parent_run_id") or "")
        if parent is None or parent.depth > MAX_DEPTH:
            self.trace.roots.append(run)
        else:
            root = self._runs[record["trace_id"]]
            run.record["extra"].setdefault("runtime", root.record["extra"].get("runtime"))
            run.depth = parent.depth + 1
            parent.children.append(run)
        self._runs[record["id"]] = run

    def _patch(self, record: Record) -> Run | None:
        run = self._runs.get(record["id"])
        if run is None or not run.is_open:
            return None
        _check(Patched, record)
        added = {name: record[name] for name in Patched.model_fields if name in record}
        last = _event("error" if "error" in record else "end", record["end_time"])
        added["events"] = [*run.record["events"], *record.get("events", ()), last]
        if "extra" in record:
            added["extra"] = {**run.record["extra"], **record["extra"]}
        run.end(added)
        return run if run.is_root else None


def read_trace(path: Path | str) -> Trace:
    """The trace of a run, with all of its segments; what is damaged is among its faults.

    Raises:
        RunError: there is no trace, or it cannot be read.
    """
    reader = TraceReader()
    for piece in read_segments(Path(path), reader.trace.faults):
        reader.feed(piece)
    return reader.finish()


def first_line(error: str | None) -> str:
    """What an error says first: its kind and words, without traceback and LangGraph's notes."""
    return (error or "").strip().partition("\n")[0].partition("Traceback")[0]


def _check(fields: type[Posted | Patched], record: Record) -> None:
    """Refuse what is no run: a reader may rely on these fields.

    Raises:
        ValueError: one is not there or of another type.
    """
    fields.model_validate(record)
    if not isinstance(record.get("extra", {}).get("metadata"), dict | None):
        raise ValueError("metadata are no table")


def _event(name: str, time: str) -> Record:
    return {"name": name, "time": time}
