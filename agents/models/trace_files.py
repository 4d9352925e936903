"""The files of a trace, read piece by piece, so that a small one cannot fill memory."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import IO

from environments.plain_files import OddFile, open_plain

PIECE = 1 << 20
LEAST, SWELLS = 64 << 20, 100
"""Files may unpack to 64 MB, or to 100 times their size if that is more. Ours swell tenfold, or
some dozens of times where a model repeats itself."""
MOST = 1 << 30
"""Bytes of a whole trace, however large its files are."""
LONGEST = 64 << 20
"""Bytes of a line; one that tells of a turn holds all that was answered in it."""
MOST_FILES = 2000
"""A trace has one for every 8 MB."""
DAMAGE = (OSError, EOFError, zlib.error)
"""What reading a file raises that cannot be read, or is damaged."""


class TooLarge(OddFile):
    """Files hold more than such files ever do."""


def most(packed: int) -> int:
    """Bytes that files of this size together may unpack to."""
    return max(LEAST, SWELLS * packed)


def trace_files(trace: Path) -> list[Path]:
    """All files of a trace, oldest first, the growing one last."""
    return [*sorted(islice(_parts(trace), MOST_FILES)), trace]


def next_part(trace: Path) -> Path:
    """Where the growing file is set aside: behind all that were, though some may be gone."""
    names = (one.name.removeprefix(f"{trace.stem}.") for one in _parts(trace))
    numbers = (name.partition(".")[0] for name in names)
    last = max((int(one) for one in numbers if one.isdecimal()), default=0)
    return trace.with_name(f"{trace.stem}.{last + 1:04}.jsonl.gz")


def _parts(trace: Path) -> Iterator[Path]:
    """What was set aside of a trace, in any order."""
    return trace.parent.glob(f"{trace.stem}.[0-9]*.jsonl.gz")


class TraceFiles:
    """A trace as it grows; what is set aside while it is read may come twice."""

    def __init__(self, trace: Path) -> None:
        self.path = trace
        self.faults: list[str] = []
        """What could not be read of files that were set aside, in words."""
        self._aside: set[str] = set()
        self._offset = 0
        """So much of the growing file has been read; it is the beginning of the one set aside."""
        self._read = self._line = 0

    def pieces(self) -> Iterator[bytes]:
        """What has been written since the last time, also to a file set aside meanwhile.

        Raises:
            TooLarge: there is more than the files' size allows, or a line that is too long.
            OSError: the growing file cannot be read.
        """
        growing, size = self.path, _size(self.path)
        while True:
            *aside, _ = trace_files(growing)
            allowed = min(MOST, most(sum(one.lstat().st_size for one in aside)) + _size(growing))
            new = [path for path in aside if path.name not in self._aside]
            for path in new:
                self._aside.add(path.name)
                yield from self._set_aside(path, allowed)
                self._offset = 0
            if not new:
                break
        if size < self._offset:  # It was emptied after its part had been read already.
            self._offset = 0
        if growing.exists():
            with open_plain(growing) as file:
                file.seek(self._offset)
                for piece in self._bounded(file, growing, allowed):
                    self._offset += len(piece)
                    yield piece

    def _set_aside(self, path: Path, allowed: int) -> Iterator[bytes]:
        try:
            with (
                open_plain(path) as packed,
                gzip.GzipFile(fileobj=packed) as file,
            ):
                skipped = self._offset
                while skipped and (passed := file.read(min(PIECE, skipped))):
                    skipped -= len(passed)
                yield from self._bounded(file, path, allowed)
        except TooLarge:
            raise
        except DAMAGE as error:
            self.faults.append(f"trace {str(path)!r}: cannot be read: {_reason(error)}")
            yield b"\n"

    def _bounded(
        self, file: IO[bytes] | gzip.GzipFile, path: Path, allowed: int
    ) -> Iterator[bytes]:
        while piece := file.read(PIECE):
            self._read += len(piece)
            newline = piece.rfind(b"\n")
            self._line = len(piece) - newline - 1 + (self._line if newline < 0 else 0)
            if self._read > allowed:
                raise TooLarge("holds more than its size allows when unpacked", path)
            if self._line > LONGEST:
                raise TooLarge(f"holds a line of more than {LONGEST:,} bytes", path)
            yield piece


def _size(path: Path) -> int:
    return path.lstat().st_size if path.exists() else 0


def _reason(error: BaseException) -> str:
    return error.strerror or str(error) if isinstance(error, OSError) else str(error)
