"""What a checkpoint may hold: plain data and the state's own types; never a pickle.

A value is MessagePack, compressed with zstd under its checksum; one of the state's types is an
extension with its name and its fields.

What states of a run have in common is stored once: every few turns one serves as dictionary.
"""

from __future__ import annotations

import copy
import re
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from enum import Enum
from functools import cache, cached_property
from math import inf
from typing import Any, Self, get_args, get_type_hints

import ormsgpack
import zstandard
from langgraph.types import Interrupt, Send
from pydantic import BaseModel, RootModel

from environments.secrets import told
from orchestrator.errors import RoleError
from orchestrator.state import State

SCHEMA = 8
"""Of what is stored. Earlier schemas held types that are no more, or lacked fields."""
Own = Callable[[], Mapping[str, Any]]
"""Tells the types of the fields that a graph adds to the state."""
Named = tuple[str, ...]
"""A type by its module and name."""
KIND = f"state{SCHEMA}+zstd"
"""How a value is encoded; the number of a dictionary may follow."""
LARGEST = 8 << 20
"""Bytes that a value may take; those of a long run have a thirtieth of it."""

_KIND = re.compile(r"state([0-9]+)\+zstd([0-9]*)")
_TYPED, _INTERRUPT, _SET, _SEND = 1, 2, 3, 4
_OPTIONS = (
    ormsgpack.OPT_NON_STR_KEYS
    | ormsgpack.OPT_PASSTHROUGH_DATACLASS
    | ormsgpack.OPT_PASSTHROUGH_DATETIME
    | ormsgpack.OPT_PASSTHROUGH_ENUM
    | ormsgpack.OPT_PASSTHROUGH_UUID
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


class ForeignCheckpoint(ValueError):
    """The bytes are no checkpoint of ours, or a damaged one; the message says what they hold."""


class StateSerializer:
    """LangGraph's protocol of a serializer; restores only plain data and the state's own types.

    Args:
        own: The types of fields that a graph adds; asked when the first value is read or written.
    """

    def __init__(self, own: Own = dict) -> None:
        self._own = own
        self._allowed: frozenset[Named] | None = None

    @cached_property
    def types(self) -> dict[str, type[Any]]:
        """The types that may occur in the state, by name."""
        ours = state_types()
        own = [kind for kind in types_in(self._own().values()) if kind not in ours.values()]
        # By its name alone it stood in earlier checkpoints; another one may have the same.
        types = {kind.__name__: kind for kind in own}
        types |= {f"{kind.__module__}:{kind.__qualname__}": kind for kind in own}
        types |= ours
        if self._allowed is None:
            return types
        return {
            name: kind
            for name, kind in types.items()
            if (kind.__module__, kind.__name__) in self._allowed
        }

    @cached_property
    def names(self) -> dict[type[Any], str]:
        """What each of the types is called in a checkpoint."""
        return {kind: name for name, kind in self.types.items()}

    def with_msgpack_allowlist(self, extra: Iterable[Named | type[Any]]) -> Self:
        """One that restores, of the state's types, only those that a strict graph lists.

        LangGraph asks for it where LANGGRAPH_STRICT_MSGPACK is set: once for each graph, whose
        lists add up.
        """
        named = {
            (one.__module__, one.__name__) if isinstance(one, type) else one[:2] for one in extra
        }
        strict = copy.copy(self)
        strict.__dict__.pop("types", None)
        strict.__dict__.pop("names", None)
        strict._allowed = (self._allowed or frozenset()) | named
        return strict

    def dumps_typed(self, obj: Any) -> tuple[str, bytes]:
        """Encode a value; the first half of the answer says how.

        Raises:
            RoleError: it holds something that a checkpoint may not hold.
        """
        data = self.packed(obj)
        return KIND, zstandard.ZstdCompressor(write_checksum=True).compress(data)

    def loads_typed(self, data: tuple[str, bytes]) -> Any:
        """Decode a value.

        Raises:
            ForeignCheckpoint: it was not written by us, or not for this program, or is damaged.
        """
        kind, content = data
        return _Decoder(self.types).whole(self.decompressed(_dictionary_of(kind), content))

    def packed(self, value: Any) -> bytes:
        """The value in MessagePack.

        Raises:
            RoleError: it holds something that a checkpoint may not hold.
        """
        try:
            data = self._packed(value)
        except TypeError as error:
            said = f"a node wrote what no checkpoint can hold{self._into(value)}"
            raise self._unfit(said, value, error) from error
        if len(data) > LARGEST:
            raise RoleError(
                f"a node wrote more than a checkpoint can hold{self._into(value)} "
                f"({len(data):,} bytes; {LARGEST:,} at most); keep less in the state"
            )
        return data

    def check_read_back(self, said: str, value: Any) -> None:
        """See that a value is read back as it is written: a model may refuse what it has made.

        Args:
            said: Who wrote it, for messages.
            value: What was written.

        Raises:
            RoleError: it is not.
        """
        try:
            data = self._packed(value)
        except TypeError as error:
            said = f"{said} {value!r}, which no checkpoint can hold"
            raise self._unfit(said, value, error) from error
        try:
            again = _Decoder(self.types).whole(data)
        except ForeignCheckpoint as error:
            raise RoleError(f"{said} {value!r}, which could not be read back: {error}") from error
        if self._packed(again) != data:
            raise RoleError(
                f"{said} {value!r}, which would be read back as {again!r}; let a validator leave "
                "alone what it has made"
            )

    def decompressed(self, dictionary: str, content: bytes) -> bytes:
        """What was compressed, with the dictionary of this number if there is one.

        Raises:
            ForeignCheckpoint: it is damaged.
        """
        if dictionary:
            raise ForeignCheckpoint(f"dictionary {dictionary}, which it needs, is not there")
        return decompressed(content, zstandard.ZstdDecompressor())

    def _packed(self, value: Any) -> bytes:
        return ormsgpack.packb(value, default=self._extension, option=_OPTIONS)

    def _extension(self, value: Any) -> Any:
        """What MessagePack cannot do itself."""
        name = self.names.get(type(value))
        if name is not None:
            content = value.value if isinstance(value, Enum) else _fields_of(value)
            return ormsgpack.Ext(_TYPED, self._packed((name, content)))
        if isinstance(value, Interrupt):
            return ormsgpack.Ext(_INTERRUPT, self._packed((value.value, value.id)))
        if isinstance(value, set | frozenset):
            return ormsgpack.Ext(_SET, self._packed(sorted(value)))
        if isinstance(value, Send):
            return ormsgpack.Ext(_SEND, self._packed((value.node, value.arg)))
        if isinstance(value, BaseException):
            return told(repr(value))
        raise TypeError(f"no type of the state: {type(value)}")

    def _into(self, checkpoint: Any) -> str:
        """Where a fault lies: the field that cannot be packed, or else the largest."""
        fields = checkpoint.get("channel_values") if isinstance(checkpoint, dict) else None
        return f" into {max(fields, key=lambda name: self._size(fields[name]))!r}" if fields else ""

    def _unfit(self, said: str, value: Any, error: TypeError) -> RoleError:
        return RoleError(
            f"{said} ({self._culprit(value) or error}); write plain data and the state's own types"
        )

    def _culprit(self, value: Any, within: int = 20) -> str:
        """The innermost thing that cannot be packed, with its type; empty where that is unknown."""
        for name, part in _parts_of(value) if within else ():
            if self._size(part) == inf:
                inner = self._culprit(part, within - 1) or type(part).__name__
                return inner if name == "channel_values" else f"{name}: {inner}"
        return ""

    def _size(self, value: Any) -> float:
        try:
            return len(self._packed(value))
        except TypeError:
            return inf


def _parts_of(value: Any) -> Iterator[tuple[Any, Any]]:
    """What a value is made of, each with its name or number."""
    if isinstance(value, BaseModel):
        value = _fields_of(value)
    if isinstance(value, Mapping):
        yield from value.items()
    elif isinstance(value, list | tuple | set | frozenset):
        yield from enumerate(value)


def _fields_of(value: BaseModel) -> Any:
    """The fields of a model, with those that it does not declare if it takes such."""
    if isinstance(value, RootModel):
        return value.root
    more = value.__pydantic_extra__
    return {**value.__dict__, **more} if more else value.__dict__


def decompressed(content: bytes, decompressor: zstandard.ZstdDecompressor) -> bytes:
    """The content, bounded in size and with its checksum tested.

    Raises:
        ForeignCheckpoint: it is damaged or too large.
    """
    try:
        if zstandard.get_frame_parameters(content).content_size > LARGEST:
            raise ForeignCheckpoint("it is damaged: it claims to be larger than any state")
        return decompressor.decompress(content, allow_extra_data=False)
    except zstandard.ZstdError as error:
        raise ForeignCheckpoint(f"it is damaged: {error}") from error


def _dictionary_of(kind: str) -> str:
    parts = _KIND.fullmatch(kind)
    if parts is None:
        raise ForeignCheckpoint(f"its encoding {kind!r} is not one of this program")
    if int(parts[1]) != SCHEMA:
        raise ForeignCheckpoint(f"it has schema {parts[1]}, this program reads {SCHEMA}")
    return parts[2]


class _Decoder:
    """Reads one value; MessagePack hides why a hook failed, so `fault` says it."""

    def __init__(self, types: Mapping[str, type[Any]]) -> None:
        self._types = types
        self.fault = ""

    def whole(self, data: bytes) -> Any:
        try:
            return self._value(data)
        except ormsgpack.MsgpackDecodeError as error:
            raise ForeignCheckpoint(self.fault or f"it is damaged: {error}") from error

    def _value(self, data: bytes) -> Any:
        return ormsgpack.unpackb(data, ext_hook=self._extension, option=ormsgpack.OPT_NON_STR_KEYS)

    def _extension(self, code: int, data: bytes) -> Any:
        content = self._value(data)
        if code == _INTERRUPT:
            return Interrupt(*content)
        if code == _SET:
            return set(content)
        if code == _SEND:
            return Send(*content)
        if code != _TYPED:
            raise self._refused(f"it holds an extension {code}, which we never write")
        name, fields = content
        kind = self._types.get(name)
        if kind is None:
            raise self._refused(f"it holds a {name!r}, which is no type of the state")
        try:
            if issubclass(kind, BaseModel):
                return kind.model_validate(fields, by_name=True, strict=False)
            return _member(kind, fields)
        except Exception as error:
            raise self._refused(f"it holds a {name} that does not fit: {error}") from error

    def _refused(self, fault: str) -> ForeignCheckpoint:
        self.fault = self.fault or " ".join(fault.split())
        return ForeignCheckpoint(self.fault)


def _member(kind: Any, value: Any) -> Any:
    """The member of an enum; a tuple comes back as a list."""
    if isinstance(value, list):
        value = next((one.value for one in kind if _plain(one.value) == value), value)
    return kind(value)


def _plain(value: Any) -> Any:
    return [*map(_plain, value)] if isinstance(value, list | tuple) else value


@cache
def state_types() -> dict[str, type[Any]]:
    """The types that occur in the state of every graph, by name."""
    return {kind.__name__: kind for kind in types_in(get_type_hints(State).values())}


def types_in(annotations: Iterable[Any]) -> list[type[Any]]:
    """The models and enums that occur in types, all the way down."""
    known: set[type[Any]] = set()
    found = (kind for annotation in annotations for kind in _types_in(annotation, known))
    return list(dict.fromkeys(found))


def _types_in(annotation: Any, known: set[type[Any]]) -> Iterator[type[Any]]:
    for part in get_args(annotation):
        yield from _types_in(part, known)
    if not isinstance(annotation, type) or annotation in known:
        return
    if issubclass(annotation, Enum):
        yield annotation
    elif issubclass(annotation, BaseModel):
        known.add(annotation)
        yield annotation
        for field in annotation.model_fields.values():
            yield from _types_in(field.annotation, known)


class StateDictionary:
    """An earlier state, with which later ones are compressed."""

    def __init__(self, number: int, content: bytes, stored: int = 0) -> None:
        self.number = number
        self.left = PATIENCE * stored
        """Bytes that may be compressed with it, before a new one is cheaper."""
        self._words = zstandard.ZstdCompressionDict(
            content, dict_type=zstandard.DICT_TYPE_RAWCONTENT
        )
        self._decompressor = zstandard.ZstdDecompressor(dict_data=self._words)

    @cached_property
    def _compressor(self) -> zstandard.ZstdCompressor:
        """It takes half a megabyte, for which who only reads has no use."""
        self._words.precompute_compress(level=LEVEL)
        return zstandard.ZstdCompressor(dict_data=self._words, write_checksum=True)

    def compress(self, data: bytes) -> bytes:
        """The data as what is new in it."""
        compressed = self._compressor.compress(data)
        self.left -= len(compressed)
        return compressed

    def decompress(self, content: bytes) -> bytes:
        """What `compress` was given."""
        return decompressed(content, self._decompressor)


def _closed() -> AbstractContextManager[sqlite3.Cursor]:
    raise sqlite3.ProgrammingError("the database is closed")


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

    def close(self) -> None:
        """Let go of the store, which holds this in turn: who is done with it is rid of it at once.

        No dictionary can be added any more.
        """
        self._cursor = _closed

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
