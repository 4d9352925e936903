"""Which lines of a trace belong to which turn, so that one turn is read without all the others."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from agents.models.gunzip import TooLarge, most, pieces
from orchestrator.errors import RunError
from orchestrator.traces.reader import Run, TraceReader, read_line
from orchestrator.traces.segments import segments
from orchestrator.traces.turns import TracedTurn, read_turns

_LINE = re.compile(
    rb'\{"(?:post|patch)":\{"id":"([0-9a-f-]{36})"(?:,"trace_id":"([0-9a-f-]{36})")?'
)
_MODEL = b'"run_type":"llm"'
_HEAD = 2_000
"""So many bytes of a line are searched for the kind of run that begins."""


class _Line(NamedTuple):
    """Where a line stands: in which piece of the trace, from where to where; and whose it is."""

    run: str
    piece: int
    start: int
    end: int


class _Traced(NamedTuple):
    """The lines of one trace: a turn or, where a person was asked, a part of one."""

    lines: list[_Line]
    models: set[str]
    """The ids of its model calls."""


class TraceIndex:
    """The trace of a run as it grows."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._pieces: list[bytes] = []
        self._traces: dict[str, _Traced] = {}
        self._trace_of: dict[str, str] = {}
        self._segments: set[str] = set()
        self._offset = 0
        self._rest = b""

    def refresh(self) -> list[str]:
        """Take what has been appended; returns the ids of the traces it belongs to."""
        touched: dict[str, None] = {}
        for content in self._appended():
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

    def turn(self, traces: Iterable[str]) -> TracedTurn:
        """One turn in full, of one trace or several."""
        lines = (line for trace in traces for line in self._traces[trace].lines)
        *_, last = read_turns(self._read(lines))
        return last

    def _appended(self) -> Iterator[bytes]:
        """What has been written since the last time, also to a file set aside meanwhile."""
        *aside, growing = segments(self._path)
        for path in aside:
            if path.name not in self._segments:
                self._segments.add(path.name)
                yield self._unpacked(path)[self._offset :]
                self._offset = 0
        if growing.is_file():
            with growing.open("rb") as file:
                file.seek(self._offset)
                content = file.read()
            self._offset += len(content)
            yield content

    def _unpacked(self, path: Path) -> bytes:
        """A file set aside; nothing where it is damaged.

        Raises:
            RunError: it unpacks to more than a trace of its size holds.
        """
        try:
            return b"".join(pieces(path, most(path.stat().st_size)))
        except TooLarge as error:
            raise RunError(f"trace {error}; no trace of ours does") from error
        except (OSError, EOFError, zlib.error):
            return b""

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
                self._traces[trace] = _Traced([], set())
            if of_model:
                self._traces[trace].models.add(run)
        trace = self._trace_of.get(run, "")
        if trace:
            self._traces[trace].lines.append(_Line(run, len(self._pieces) - 1, start, end))
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
