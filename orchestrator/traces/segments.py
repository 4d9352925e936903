"""The file of a trace: appended to as play goes; what has grown large is compressed."""

from __future__ import annotations

import gzip
import io
from collections.abc import Iterator
from pathlib import Path
from typing import IO

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


def read_segments(path: Path) -> Iterator[bytes]:
    """The contents of all files of a trace, oldest first.

    Raises:
        RunError: there is no such trace, or it cannot be read.
    """
    if not path.is_file():
        raise RunError(f"{str(path)!r}: no trace there")
    for segment in segments(path):
        try:
            content = segment.read_bytes()
            yield gzip.decompress(content) if segment.suffix == ".gz" else content
        except (OSError, EOFError) as error:
            raise RunError(f"trace {str(segment)!r}: cannot be read: {error}") from error
