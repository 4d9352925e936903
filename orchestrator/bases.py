"""What checkpoints have in common is stored once: each is compressed against an earlier state."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Sequence

import zstandard

from orchestrator.serializer import MIGRATIONS, SMALL, Migration, StateSerializer

TABLE = "CREATE TABLE IF NOT EXISTS bases (number INTEGER PRIMARY KEY, content BLOB NOT NULL);"

LEVEL = 3
_BASE = "+base"
_UNUSED = f"""
DELETE FROM bases WHERE number < ? AND number NOT IN (
    SELECT CAST(substr(type, instr(type, '{_BASE}') + {len(_BASE)}) AS INTEGER) FROM (
        SELECT type FROM checkpoints UNION ALL SELECT type FROM writes
    ) WHERE instr(type, '{_BASE}')
)
"""


class Base:
    """An earlier state as a dictionary to compress later ones with."""

    def __init__(self, number: int, content: bytes) -> None:
        self.number = number
        words = zstandard.ZstdCompressionDict(content, dict_type=zstandard.DICT_TYPE_RAWCONTENT)
        words.precompute_compress(level=LEVEL)
        self._compressor = zstandard.ZstdCompressor(dict_data=words, write_checksum=True)
        self._decompressor = zstandard.ZstdDecompressor(dict_data=words)
        self.left = len(zstandard.compress(content, LEVEL))
        """Bytes that may still be written against it, before a new one is cheaper."""

    def compress(self, data: bytes) -> bytes:
        """The data as what is new in it."""
        compressed = self._compressor.compress(data)
        self.left -= len(compressed)
        return compressed

    def decompress(self, data: bytes) -> bytes:
        """What `compress` was given."""
        return self._decompressor.decompress(data)


class Bases:
    """The table of bases in a run's database; the caller's transaction takes them along."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._current: Base | None = None
        self._read: Base | None = None
        self._swept = 0

    def current(self, data: bytes) -> Base:
        """What to compress the data with: the data itself become the base where need be."""
        if self._current is None or self._current.left <= 0:
            self._current = self._added(data)
        return self._current

    def _added(self, data: bytes) -> Base:
        # The number is ours: the connection's last row may be that of another thread's statement.
        (newest,) = self._connection.execute("SELECT max(number) FROM bases").fetchone()
        number = (newest or 0) + 1
        row = (number, zstandard.compress(data, LEVEL))
        self._connection.execute("INSERT INTO bases (number, content) VALUES (?, ?)", row)
        return Base(number, data)

    def get(self, number: int) -> Base:
        """A base that something was compressed with.

        Raises:
            ValueError: it is not there or damaged.
        """
        for base in (self._current, self._read):
            if base is not None and base.number == number:
                return base
        query = "SELECT content FROM bases WHERE number = ?"
        row = self._connection.execute(query, (number,)).fetchone()
        if row is None:
            raise ValueError(f"base {number}, which it was compressed with, is not there")
        try:
            self._read = Base(number, zstandard.decompress(row[0]))
        except zstandard.ZstdError as error:
            raise ValueError(f"base {number} is damaged: {error}") from error
        return self._read

    def sweep(self) -> None:
        """Delete the bases that nothing needs any more, once after each new one."""
        newest = self._current.number if self._current else 0
        if newest > self._swept:
            self._connection.execute(_UNUSED, (newest,))
            self._swept = newest


class SharingSerializer(StateSerializer):
    """Writes of a large value only what its base does not hold.

    LangGraph saves a turn that broke off from several threads; a compressor serves one at a time.
    """

    def __init__(self, bases: Bases, migrations: Sequence[Migration] = MIGRATIONS) -> None:
        super().__init__(migrations)
        self._bases = bases
        self._lock = threading.Lock()

    def compressed(self, data: bytes) -> tuple[str, bytes]:
        if len(data) < SMALL:
            return super().compressed(data)
        with self._lock:
            base = self._bases.current(data)
            return f"{_BASE}{base.number}", base.compress(data)

    def decompressed(self, encoding: str, data: bytes) -> bytes:
        number = encoding.removeprefix(_BASE)
        if not encoding.startswith(_BASE) or not number.isdecimal():
            return super().decompressed(encoding, data)
        with self._lock:
            return self._bases.get(int(number)).decompress(data)
