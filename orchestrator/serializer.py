"""What a checkpoint may hold: plain data and the state's own types; never a pickle.

A value is MessagePack; one of the state's types is an extension with its name and its fields.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from functools import cache
from typing import Any, NamedTuple, get_args, get_type_hints

import ormsgpack
import zstandard
from langgraph.checkpoint.base import CheckpointTuple
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.types import Interrupt
from pydantic import BaseModel

from orchestrator.changes import Changes
from orchestrator.channel import gathered
from orchestrator.errors import RoleError
from orchestrator.state import State

Fields = dict[str, Any]


class Migration(NamedTuple):
    """How a checkpoint of one schema becomes one of the next."""

    checkpoint: Callable[[CheckpointTuple], CheckpointTuple] = lambda found: found
    """Of all that it holds."""
    types: Mapping[str, Callable[[Fields], Fields]] = {}
    """Of the fields of one type, by its name; they come before `checkpoint`."""


MIGRATIONS: tuple[Migration, ...] = (Migration(gathered), Migration())
"""The first leads from schema 1 to 2; today's schema is one more than their number.

Schema 3 knows `Changes`.
"""

SMALL = 256
"""Bytes; anything shorter is not worth compressing."""

_TYPED, _INTERRUPT, _CHANGES = 1, 2, 3
_TAG, _COMPRESSED = "state", "+zstd"
_KIND = re.compile(rf"{_TAG}([0-9]+)(\+[a-z0-9]+)?")
_OPTIONS = (
    ormsgpack.OPT_NON_STR_KEYS
    | ormsgpack.OPT_PASSTHROUGH_DATACLASS
    | ormsgpack.OPT_PASSTHROUGH_DATETIME
    | ormsgpack.OPT_PASSTHROUGH_ENUM
    | ormsgpack.OPT_PASSTHROUGH_UUID
)


class ForeignCheckpoint(ValueError):
    """The bytes are no checkpoint of ours, or a damaged one; the message says what they hold."""


class StateSerializer(JsonPlusSerializer):
    """Compresses what is worth it; restores only the state's own types."""

    def __init__(self, migrations: Sequence[Migration] = MIGRATIONS) -> None:
        super().__init__(allowed_msgpack_modules=None)
        self.migrations = migrations
        self.schema = len(migrations) + 1
        self._encoder = _Encoder()

    def dumps_typed(self, obj: Any) -> tuple[str, bytes]:
        """Encode a value.

        Raises:
            RoleError: it holds something that a checkpoint may not hold.
        """
        encoding, data = self.encoded(obj)
        return f"{_TAG}{self.schema}{encoding}", data

    def encoded(self, obj: Any) -> tuple[str, bytes]:
        """The end of the kind, and the value as it is stored."""
        return self.compressed(self.packed(obj))

    def packed(self, obj: Any) -> bytes:
        """The value in MessagePack."""
        try:
            return self._encoder.packed(obj)
        except TypeError as error:
            raise RoleError(
                f"a node wrote what no checkpoint can hold ({error}); "
                "write plain data and the state's own types"
            ) from error

    def compressed(self, data: bytes) -> tuple[str, bytes]:
        """The end of the kind, and the data as it is stored."""
        if len(data) < SMALL:
            return "", data
        return _COMPRESSED, zstandard.ZstdCompressor(write_checksum=True).compress(data)

    def decompressed(self, encoding: str, data: bytes) -> bytes:
        """What `compressed` was given.

        Raises:
            ForeignCheckpoint: there is no such encoding.
            ZstdError: the data are damaged.
        """
        if encoding not in ("", _COMPRESSED):
            raise ForeignCheckpoint(f"its compression {encoding!r} is not one of this program")
        return zstandard.decompress(data) if encoding else data

    def loads_typed(self, data: tuple[str, bytes]) -> Any:
        """Decode a value, brought up from its schema to today's types.

        Raises:
            ForeignCheckpoint: it was not written by us, or not for this program.
        """
        kind, content = data
        schema, encoding = self._read_kind(kind)
        decoder = _Decoder(self.migrations[schema - 1 :])
        try:
            return self.decoded(encoding, content, decoder.value)
        except (zstandard.ZstdError, ormsgpack.MsgpackDecodeError) as error:
            raise ForeignCheckpoint(decoder.fault or f"it is damaged: {error}") from error

    def decoded(self, encoding: str, data: bytes, unpacked: Callable[[bytes], Any]) -> Any:
        """What `encoded` was given."""
        return unpacked(self.decompressed(encoding, data))

    def _read_kind(self, kind: str) -> tuple[int, str]:
        parts = _KIND.fullmatch(kind)
        if parts is None:
            raise ForeignCheckpoint(f"its encoding {kind!r} is not one of this program")
        schema, encoding = int(parts[1]), parts[2] or ""
        if not 1 <= schema <= self.schema:
            raise ForeignCheckpoint(
                f"it has schema {schema}, this program reads up to {self.schema}; update it"
            )
        return schema, encoding


class _Encoder:
    """Writes values; of the state's types most were in the value before, and frozen."""

    def __init__(self) -> None:
        self._before: dict[int, tuple[Any, Any]] = {}
        self._now: dict[int, tuple[Any, Any]] = {}

    def packed(self, value: Any) -> bytes:
        self._before, self._now = self._now, {}
        return self._packed(value)

    def _packed(self, value: Any) -> bytes:
        return ormsgpack.packb(value, default=self._encoded, option=_OPTIONS)

    def _encoded(self, value: Any) -> Any:
        """What MessagePack cannot do itself."""
        known = self._before.get(id(value))
        if known is None or known[0] is not value:
            known = value, self._extension(value)
        self._now[id(value)] = known
        return known[1]

    def _extension(self, value: Any) -> Any:
        kind = type(value)
        if state_types().get(kind.__name__) is kind:
            content = value.value if isinstance(value, Enum) else value.__dict__
            return ormsgpack.Ext(_TYPED, self._packed((kind.__name__, content)))
        if isinstance(value, Changes):
            return ormsgpack.Ext(_CHANGES, self._packed(value.told))
        if isinstance(value, Interrupt):
            return ormsgpack.Ext(_INTERRUPT, self._packed((value.value, value.id)))
        if isinstance(value, BaseException):
            return repr(value)
        raise TypeError(f"no type of the state: {kind}")


class _Decoder:
    """Reads one value; MessagePack hides why a hook failed, so `fault` says it."""

    def __init__(self, upgrades: Sequence[Migration]) -> None:
        self.upgrades = upgrades
        self.fault = ""

    def value(self, data: bytes) -> Any:
        return ormsgpack.unpackb(data, ext_hook=self._extension, option=ormsgpack.OPT_NON_STR_KEYS)

    def _extension(self, code: int, data: bytes) -> Any:
        content = self.value(data)
        if code == _INTERRUPT:
            return Interrupt(*content)
        if code == _CHANGES:
            return Changes(content)
        if code != _TYPED:
            raise self._refused(f"it holds an extension {code}, which we never write")
        name, fields = content
        for upgrade in self.upgrades:
            if name in upgrade.types:
                fields = upgrade.types[name](fields)
        kind = state_types().get(name)
        if kind is None:
            raise self._refused(f"it holds a {name!r}, which is no type of the state")
        try:
            return kind(**fields) if issubclass(kind, BaseModel) else kind(fields)
        except (TypeError, ValueError) as error:
            raise self._refused(f"it holds a {name} that does not fit: {error}") from error

    def _refused(self, fault: str) -> ForeignCheckpoint:
        self.fault = self.fault or " ".join(fault.split())
        return ForeignCheckpoint(self.fault)


@cache
def state_types() -> dict[str, type[Any]]:
    """The types that occur in the state, by name: its models and their enums, all the way down."""
    found: dict[str, type[Any]] = {}
    for annotation in get_type_hints(State).values():
        for kind in _types_in(annotation, found):
            found[kind.__name__] = kind
    return found


def _types_in(annotation: Any, known: dict[str, type[Any]]) -> Iterator[type[Any]]:
    for part in get_args(annotation):
        yield from _types_in(part, known)
    if not isinstance(annotation, type) or known.get(annotation.__name__) is annotation:
        return
    if issubclass(annotation, Enum):
        yield annotation
    elif issubclass(annotation, BaseModel):
        known[annotation.__name__] = annotation
        yield annotation
        for field in annotation.model_fields.values():
            yield from _types_in(field.annotation, known)
