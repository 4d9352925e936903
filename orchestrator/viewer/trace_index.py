"""Which lines of a trace belong to which turn, so that one turn is read without all the others."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from agents.models.trace_files import TraceFiles
from orchestrator.traces.reader import Run, TraceReader
from orchestrator.traces.redaction import read_line
from orchestrator.traces.turns import TracedTurn, read_turns
from orchestrator.traces.writer import read_on

_LINE = re.compile(
    rb'\{"(?:post|patch)":\{"id":"([0-9a-f-]{36})"(?:,"trace_id":"([0-9a-f-]{36})")?'
)
_MODEL = b'"run_type":"llm"'
_AMISS = (b'"accept":false', b'"outcome":"repaired"', b'"outcome":"failed"')
"""What the end of a run tells of an objection, or of an answer that would not do."""
_HEAD = 2_000
"""So many bytes of a line are searched for the kind of run that begins."""


class _Line(NamedTuple):
    """Where a line stands: in which piece of the trace, from where to where; and whose it is."""

    run: str
    piece: int
    start: int
    end: int


class _Traced(NamedTuple):
    """The lines of one trace: a turn, or a part of one that broke off or asked a person."""

    lines: list[_Line]
    models: set[str]
    """The ids of its model calls."""
    amiss: set[str]
    """The ids of runs that may tell of an objection, or of an answer that would not do."""


class TraceIndex:
    """The trace of a run as it grows."""

    def __init__(self, path: Path) -> None:
        self._files = TraceFiles(path)
        self._pieces: list[bytes] = []
        self._traces: dict[str, _Traced] = {}
        self._trace_of: dict[str, str] = {}
        self._rest = b""

    def refresh(self) -> list[str]:
        """Take what has been appended; returns the ids of the traces it belongs to.

        Raises:
            RunError: it cannot be read, or is no trace of ours.
        """
        touched: dict[str, None] = {}
        for content in read_on(self._files, []):
            touched |= dict.fromkeys(self._feed(content))
        return list(touched)

    def root(self, trace: str) -> Run | None:
        """The run of a whole turn, without those below it; with its outputs if it has ended.

        None where the line in which it begins is lost, or says that it is within another one.
        """
        found = self._read(line for line in self._traces[trace].lines if line.run == trace)
        return found[0] if found and found[0].is_root else None

    def models(self, trace: str) -> list[Run]:
        """The model calls of a trace, without what is around them."""
        traced = self._traces[trace]
        return self._read(line for line in traced.lines if line.run in traced.models)

    def amiss(self, trace: str) -> list[Run]:
        """The runs of a trace that may tell of an objection, or of an answer that would not do."""
        traced = self._traces[trace]
        return self._read(line for line in traced.lines if line.run in traced.amiss)

    def turn(self, traces: Iterable[str]) -> TracedTurn:
        """One turn in full, of one trace or several."""
        lines = (line for trace in traces for line in self._traces[trace].lines)
        *_, last = read_turns(self._read(lines))
        return last

    def _feed(self, content: bytes) -> Iterator[str]:
        whole, newline, self._rest = (self._rest + content).rpartition(b"\n")
        piece = whole + newline
        self._pieces.append(piece)
        start = 0
        while (end := piece.find(b"\n", start)) >= 0:
            trace = self._take(piece, start, end)
            if trace:
                yield trace
            start = end + 1

    def _take(self, piece: bytes, start: int, end: int) -> str:
        """Note a line; returns its trace, or nothing where it is no line of a trace."""
        if found := _LINE.match(piece, start, end):
            run, trace = found[1].decode(), (found[2] or b"").decode()
            of_model = piece.find(_MODEL, start, min(end, start + _HEAD)) >= 0
        else:
            run, trace, of_model = _named(piece[start:end])
        if trace:
            self._trace_of[run] = trace
            if trace not in self._traces:
                self._traces[trace] = _Traced([], set(), set())
            if of_model:
                self._traces[trace].models.add(run)
        trace = self._trace_of.get(run, "")
        if trace:
            self._traces[trace].lines.append(_Line(run, len(self._pieces) - 1, start, end))
            if any(piece.find(told, start, end) >= 0 for told in _AMISS):
                self._traces[trace].amiss.add(run)
        return trace

    def _read(self, lines: Iterable[_Line]) -> list[Run]:
        reader = TraceReader()
        for line in lines:
            reader.feed(self._pieces[line.piece][line.start : line.end] + b"\n")
        return reader.finish().roots


def _named(line: bytes) -> tuple[str, str, bool]:
    """Run, trace, and whether a model call begins, of a line that is spelled as ours are not.

    The trace is empty where a run ends, and all of it where the line is none of a trace.
    """
    try:
        ((_, record),) = read_line(line).items()
        told = record["id"], record.get("trace_id") or "", record.get("run_type") == "llm"
    except (ValueError, LookupError, AttributeError, TypeError, RecursionError):
        return "", "", False
    return told if isinstance(told[0], str) and isinstance(told[1], str) else ("", "", False)
