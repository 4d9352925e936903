"""The file of a trace: appended to as play goes; what has grown large is compressed."""

from __future__ import annotations

import gzip
import io
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from agents.models.trace_files import TooLarge, TraceFiles, trace_files
from environments.plain_files import open_plain, write_whole
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
            self._file = open_plain(path, "ab+")
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
        target = self.path.with_name(f"{self.path.stem}.{len(trace_files(self.path)):04}.jsonl.gz")
        try:
            self._file.seek(0)
            write_whole(target, gzip.compress(self._file.read(), COMPRESSION))
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


def read_segments(path: Path, faults: list[str] | None = None) -> Iterator[bytes]:
    """The contents of all files of a trace, oldest first, in pieces.

    What is damaged is told in `faults`, where that is given, and the rest is read.

    Raises:
        RunError: there is no such trace, it cannot be read, or is no trace of ours.
    """
    if not path.is_file():
        raise RunError(f"{str(path)!r}: no trace there")
    yield from read_on(TraceFiles(path), faults)


def read_on(files: TraceFiles, faults: list[str] | None = None) -> Iterator[bytes]:
    """What has been written to a trace since it was read last, in pieces.

    Raises:
        RunError: it cannot be read, or is no trace of ours.
    """
    try:
        for piece in files.pieces():
            if faults is None and files.faults:
                raise RunError(files.faults[0])
            yield piece
    except TooLarge as error:
        raise RunError(
            f"trace {error.filename!r}: {error.strerror}; no trace of ours does"
        ) from error
    except OSError as error:
        raise RunError(f"trace {str(files.path)!r}: cannot be read: {error.strerror}") from error
    if faults is not None:
        faults[:0] = files.faults
