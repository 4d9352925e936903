"""What states of a run have in common is stored once: every few turns one serves as dictionary.

A state compressed with one of the turns before it takes a sixth of what it takes alone; with a
dictionary trained on many states it takes more than half.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import zstandard

from orchestrator.checkpoints.serializer import (
    KIND,
    ForeignCheckpoint,
    Own,
    StateSerializer,
    decompressed,
)

TABLE = "CREATE TABLE IF NOT EXISTS dictionaries (number INTEGER PRIMARY KEY, content BLOB);"
Cursor = Callable[[], AbstractContextManager[sqlite3.Cursor]]
"""Opens a transaction of its own: no other thread uses the database until it is closed."""
PATIENCE = 2
"""A dictionary is replaced when what was compressed with it takes so many times its own size."""
LEVEL = 3
"""How hard zstd tries; 9 with a dictionary takes three times as long for 4 % less on disk."""

_UNUSED = """
DELETE FROM dictionaries WHERE number < ? AND number NOT IN (
    SELECT CAST(substr(type, instr(type, '+zstd') + 5) AS INTEGER) FROM checkpoints
)
"""


class StateDictionary:
    """An earlier state, with which later ones are compressed."""

    def __init__(self, number: int, content: bytes, stored: int = 0) -> None:
        self.number = number
        self.left = PATIENCE * stored
        """Bytes that may be compressed with it, before a new one is cheaper."""
        words = zstandard.ZstdCompressionDict(content, dict_type=zstandard.DICT_TYPE_RAWCONTENT)
        words.precompute_compress(level=LEVEL)
        self._compressor = zstandard.ZstdCompressor(dict_data=words, write_checksum=True)
        self._decompressor = zstandard.ZstdDecompressor(dict_data=words)

    def compress(self, data: bytes) -> bytes:
        """The data as what is new in it."""
        compressed = self._compressor.compress(data)
        self.left -= len(compressed)
        return compressed

    def decompress(self, content: bytes) -> bytes:
        """What `compress` was given."""
        return decompressed(content, self._decompressor)


class SharingSerializer(StateSerializer):
    """Compresses checkpoints with dictionaries that lie in the same database.

    LangGraph may save from several threads at once; a compressor serves one at a time.
    """

    def __init__(self, connection: sqlite3.Connection, cursor: Cursor, own: Own = dict) -> None:
        super().__init__(own)
        self._connection = connection
        self._cursor = cursor
        # Two, as reading happens inside a transaction, which writing opens for a new dictionary.
        self._writing, self._reading = threading.Lock(), threading.Lock()
        self._current: StateDictionary | None = None
        self._read: StateDictionary | None = None
        self._swept = 0

    def dumps_typed(self, obj: Any) -> tuple[str, bytes]:
        if not isinstance(obj, dict) or "channel_values" not in obj:
            return super().dumps_typed(obj)
        data = self.packed(obj)
        with self._writing:
            if self._current is None or self._current.left <= 0:
                self._current = self._add(data)
            current = self._current
            return f"{KIND}{current.number}", current.compress(data)

    def decompressed(self, dictionary: str, content: bytes) -> bytes:
        if not dictionary:
            return super().decompressed(dictionary, content)
        with self._reading:
            return self._get(int(dictionary)).decompress(content)

    def sweep(self, cursor: sqlite3.Cursor) -> None:
        """Delete the dictionaries that nothing needs any more, once after each new one.

        The one before the newest stays: a state compressed with it may be on its way.
        """
        newest = self._current.number if self._current else 0
        if newest > self._swept:
            cursor.execute(_UNUSED, (newest - 1,))
            self._swept = newest

    def _add(self, content: bytes) -> StateDictionary:
        """A new one, in the database before anything is compressed with it."""
        stored = zstandard.ZstdCompressor(LEVEL, write_checksum=True).compress(content)
        # The number is ours: the connection's last row may be that of another thread's statement.
        with self._cursor() as cursor:
            (newest,) = cursor.execute("SELECT max(number) FROM dictionaries").fetchone()
            number = (newest or 0) + 1
            cursor.execute("INSERT INTO dictionaries VALUES (?, ?)", (number, stored))
        return StateDictionary(number, content, len(stored))

    def _get(self, number: int) -> StateDictionary:
        for known in (self._current, self._read):
            if known is not None and known.number == number:
                return known
        query = "SELECT content FROM dictionaries WHERE number = ?"
        row = self._connection.execute(query, (number,)).fetchone()
        if row is None:
            raise ForeignCheckpoint(f"dictionary {number}, which it needs, is not there")
        self._read = StateDictionary(number, decompressed(row[0], zstandard.ZstdDecompressor()))
        return self._read
