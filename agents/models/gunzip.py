"""Compressed files read piece by piece, so that a small one cannot fill memory or disk."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path

PIECE = 1 << 20
LEAST, SWELLS = 64 << 20, 200
"""Files may unpack to 64 MB, or to 200 times their size if that is more. Ours swell tenfold."""


class TooLarge(OSError):
    """Files unpack to more than such files ever hold."""


def most(packed: int) -> int:
    """Bytes that files of this size together may unpack to."""
    return max(LEAST, SWELLS * packed)


def pieces(path: Path, allowed: int) -> Iterator[bytes]:
    """The content of a gzip file.

    Raises:
        TooLarge: it unpacks to more than is allowed.
        OSError, EOFError, zlib.error: it cannot be read, or is damaged.
    """
    with gzip.open(path) as file:
        while piece := file.read(PIECE):
            allowed -= len(piece)
            if allowed < 0:
                raise TooLarge(f"{str(path)!r}: holds more than its size allows when unpacked")
            yield piece
