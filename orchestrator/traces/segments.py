"""The file of a trace: appended to as play goes; what has grown large is compressed."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from agents.models.gunzip import PIECE, TooLarge, most, pieces
from orchestrator.errors import RunError

SEGMENT_BYTES = 8_000_000
COMPRESSION = 1
"""Gzip's fastest; run records shrink tenfold all the same."""


class SegmentedFile:
    """`trace.jsonl`, with older parts of a long run beside it as `trace.0001.jsonl.gz`, ..."""

    def __init__(self, path: Path, segment_bytes: int = SEGMENT_BYTES) -> None:
        """Open for appending, after a torn last line on a new one.

        Raises:
            RunError: the file cannot be written.
        """
        self.path = path
        self._segment_bytes = segment_bytes
        try:
            self._file = path.open("ab+", buffering=0)
            if _is_torn(self._file):
                self._file.write(b"\n")
        except OSError as error:
            raise self._unwritable(error) from error

    def append(self, lines: bytes) -> None:
        """Write whole lines in one go; after `close` they are dropped."""
        if self._file.closed:
            return
        try:
            self._file.write(lines)
        except OSError as error:
            raise self._unwritable(error) from error

    def rotate(self) -> None:
        """Compress what has been written, if it is large enough.

        A death in between leaves the same lines twice, which readers merge by id.
        """
        if self._file.closed or self._file.tell() < self._segment_bytes:
            return
        target = self.path.with_name(f"{self.path.stem}.{len(segments(self.path)):04}.jsonl.gz")
        part = target.with_suffix(".part")
        try:
            part.write_bytes(gzip.compress(self.path.read_bytes(), COMPRESSION))
            part.replace(target)
            self._file.truncate(0)
        except OSError as error:
            raise self._unwritable(error) from error

    def close(self) -> None:
        """Close the file; closing twice is harmless."""
        self._file.close()

    def _unwritable(self, error: OSError) -> RunError:
        return RunError(f"trace {str(self.path)!r}: cannot be written: {error}")


def _is_torn(file: IO[bytes]) -> bool:
    if not file.tell():
        return False
    file.seek(-1, io.SEEK_END)
    return file.read(1) != b"\n"


def segments(path: Path) -> list[Path]:
    """All files of a trace, oldest first, the growing one last."""
    return [*sorted(path.parent.glob(f"{path.stem}.[0-9]*.jsonl.gz")), path]


def read_segments(path: Path, faults: list[str] | None = None) -> Iterator[bytes]:
    """The contents of all files of a trace, oldest first, in pieces.

    What is damaged is told in `faults`, where that is given, and the rest is read.

    Raises:
        RunError: there is no such trace, it cannot be read, or is no trace of ours.
    """
    if not path.is_file():
        raise RunError(f"{str(path)!r}: no trace there")
    found = segments(path)
    left = most(sum(one.stat().st_size for one in found))
    for segment in found:
        try:
            for piece in pieces(segment, left) if segment.suffix == ".gz" else _plain(segment):
                left -= len(piece)
                yield piece
        except TooLarge as error:
            raise RunError(f"trace {error}; no trace of ours does") from error
        except (OSError, EOFError, zlib.error) as error:
            fault = f"trace {str(segment)!r}: cannot be read: {error}"
            if faults is None or segment == path:
                raise RunError(fault) from error
            faults.append(fault)
            yield b"\n"


def _plain(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(PIECE):
            yield piece
