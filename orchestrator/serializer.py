"""What a checkpoint may hold: plain data and the state's own types; never a pickle.

A value is MessagePack, compressed with zstd under its checksum; one of the state's types is an
extension with its name and its fields.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from functools import cache
from typing import Any, get_args, get_type_hints

import ormsgpack
import zstandard
from langgraph.types import Interrupt, Send
from pydantic import BaseModel

from orchestrator.errors import RoleError
from orchestrator.state import State

SCHEMA = 5
"""Of what is stored. Schemas 1 to 4 held types that are no more."""
LARGEST = 256_000_000
"""Bytes that a stored value may take when it is unpacked."""

_KIND = re.compile(r"state([0-9]+)\+zstd([0-9]*)")
_TYPED, _INTERRUPT, _SET, _SEND = 1, 2, 3, 4
_OPTIONS = (
    ormsgpack.OPT_NON_STR_KEYS
    | ormsgpack.OPT_PASSTHROUGH_DATACLASS
    | ormsgpack.OPT_PASSTHROUGH_DATETIME
    | ormsgpack.OPT_PASSTHROUGH_ENUM
    | ormsgpack.OPT_PASSTHROUGH_UUID
)


class ForeignCheckpoint(ValueError):
    """The bytes are no checkpoint of ours, or a damaged one; the message says what they hold."""


class StateSerializer:
    """LangGraph's protocol of a serializer; restores only plain data and the state's own types."""

    def dumps_typed(self, obj: Any) -> tuple[str, bytes]:
        """Encode a value; the first half of the answer says how.

        Raises:
            RoleError: it holds something that a checkpoint may not hold.
        """
        return f"state{SCHEMA}+zstd", zstandard.ZstdCompressor(write_checksum=True).compress(
            packed(obj)
        )

    def loads_typed(self, data: tuple[str, bytes]) -> Any:
        """Decode a value.

        Raises:
            ForeignCheckpoint: it was not written by us, or not for this program, or is damaged.
        """
        kind, content = data
        return unpacked(self.decompressed(_dictionary_of(kind), content))

    def decompressed(self, dictionary: str, content: bytes) -> bytes:
        """What was compressed, with the dictionary of this number if there is one.

        Raises:
            ForeignCheckpoint: it is damaged.
        """
        if dictionary:
            raise ForeignCheckpoint(f"dictionary {dictionary}, which it needs, is not there")
        return decompressed(content, zstandard.ZstdDecompressor())


def packed(value: Any) -> bytes:
    """The value in MessagePack.

    Raises:
        RoleError: it holds something that a checkpoint may not hold.
    """
    try:
        return _packed(value)
    except TypeError as error:
        raise RoleError(
            f"a node wrote what no checkpoint can hold ({error}); "
            "write plain data and the state's own types"
        ) from error


def unpacked(data: bytes) -> Any:
    """What `packed` was given.

    Raises:
        ForeignCheckpoint: it holds something else than plain data and the state's own types.
    """
    return _Decoder().whole(data)


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


def _packed(value: Any) -> bytes:
    return ormsgpack.packb(value, default=_extension, option=_OPTIONS)


def _extension(value: Any) -> Any:
    """What MessagePack cannot do itself."""
    kind = type(value)
    if state_types().get(kind.__name__) is kind:
        content = value.value if isinstance(value, Enum) else value.__dict__
        return ormsgpack.Ext(_TYPED, _packed((kind.__name__, content)))
    if isinstance(value, Interrupt):
        return ormsgpack.Ext(_INTERRUPT, _packed((value.value, value.id)))
    if isinstance(value, set | frozenset):
        return ormsgpack.Ext(_SET, _packed(sorted(value)))
    if isinstance(value, Send):
        return ormsgpack.Ext(_SEND, _packed((value.node, value.arg)))
    if isinstance(value, BaseException):
        return repr(value)
    raise TypeError(f"no type of the state: {kind}")


class _Decoder:
    """Reads one value; MessagePack hides why a hook failed, so `fault` says it."""

    def __init__(self) -> None:
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
