"""What checkpoints have in common is stored once: each tells what an earlier one does not."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Sequence
from typing import Any

import zstandard

from orchestrator.changes import Changes
from orchestrator.serializer import MIGRATIONS, Migration, StateSerializer

TABLE = "CREATE TABLE IF NOT EXISTS bases (number INTEGER PRIMARY KEY, content BLOB NOT NULL);"

_STORED, _TOLD = 3, 1
"""How hard zstd tries: with a base, which is stored once, and with every turn's changes."""
_BASE = "+base"
_UNUSED = f"""
DELETE FROM bases WHERE number < ? AND number NOT IN (
    SELECT CAST(substr(type, instr(type, '{_BASE}') + {len(_BASE)}) AS INTEGER) FROM (
        SELECT type FROM checkpoints UNION ALL SELECT type FROM writes
    ) WHERE instr(type, '{_BASE}')
)
"""


class Base:
    """An earlier state, of which later ones tell only what has changed."""

    def __init__(self, number: int, content: bytes, state: Any = None, *, left: int = 0) -> None:
        self.number, self.content = number, content
        self.state = state
        """What the content was made of, where that was in this process."""
        words = zstandard.ZstdCompressionDict(content, dict_type=zstandard.DICT_TYPE_RAWCONTENT)
        words.precompute_compress(level=_TOLD)
        self._compressor = zstandard.ZstdCompressor(dict_data=words, write_checksum=True)
        self._decompressor = zstandard.ZstdDecompressor(dict_data=words)
        self.left = left
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

    @property
    def current(self) -> Base | None:
        """What to write against; None where a new one is due."""
        base = self._current
        return base if base is not None and base.left > 0 else None

    def add(self, content: bytes, state: Any) -> Base:
        """A new one for the states to come."""
        # The number is ours: the connection's last row may be that of another thread's statement.
        (newest,) = self._connection.execute("SELECT max(number) FROM bases").fetchone()
        number, stored = (newest or 0) + 1, zstandard.compress(content, _STORED)
        self._connection.execute(
            "INSERT INTO bases (number, content) VALUES (?, ?)", (number, stored)
        )
        self._current = Base(number, content, state, left=len(stored))
        return self._current

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
    """Writes of a checkpoint what has changed since its base, and compresses against that.

    LangGraph saves a turn that broke off from several threads; a compressor serves one at a time.
    """

    def __init__(self, bases: Bases, migrations: Sequence[Migration] = MIGRATIONS) -> None:
        super().__init__(migrations)
        self._bases = bases
        self._lock = threading.Lock()

    def encoded(self, obj: Any) -> tuple[str, bytes]:
        if not isinstance(obj, dict) or "channel_values" not in obj:
            return super().encoded(obj)
        with self._lock:
            base = self._bases.current or self._bases.add(self.packed(obj), obj)
            changes = self.packed(Changes.between(base.state, obj))
            return f"{_BASE}{base.number}", base.compress(changes)

    def decoded(self, encoding: str, data: bytes, unpacked: Callable[[bytes], Any]) -> Any:
        number = encoding.removeprefix(_BASE)
        if not encoding.startswith(_BASE) or not number.isdecimal():
            return super().decoded(encoding, data, unpacked)
        with self._lock:
            base = self._bases.get(int(number))
            value = unpacked(base.decompress(data))
        return value.applied(unpacked(base.content)) if isinstance(value, Changes) else value
