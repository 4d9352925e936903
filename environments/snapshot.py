"""A running story as one small blob of bytes: its difference from the file, and the registers."""

from __future__ import annotations

import struct
import zlib
from typing import NamedTuple

import numpy as np

from environments.frotz import STACK_WORDS, Bytes, Registers, StateMark

FORMAT = 2
_HEAD = struct.Struct(">B8s")
_BODY = struct.Struct(">HHHIHHHBBIHH?HBhHH?")
_REGISTERS = len(Registers._fields)
_LEVEL = 1
_MAX_BYTES = 1 << 20
_MOST = 0xFFFF
"""What 16 bits hold; the score, which may be less than nothing, has half of it."""


class SnapshotError(ValueError):
    """The blob is not a snapshot of this story in this format."""


class SnapshotNotes(NamedTuple):
    """What has to be remembered with a state of the story."""

    status: str = ""
    """The status line as last drawn, empty where the interpreter draws it."""
    ended: bool = False
    player: int = 0
    """The protagonist's object number, 0 while unknown."""
    unknown: int = 0
    """Turns, at most 255, in which the protagonist remained unknown."""
    points: int = 0
    turns: int = 0
    maximum: int = 0
    """The highest possible score as the story told it, 0 while unknown."""
    tame: bool = False
    """Nothing may be tried and rolled back any more: the story did not survive it."""

    def bounded(self) -> SnapshotNotes:
        """The notes with figures that fit a snapshot: a text may name larger ones."""
        return self._replace(
            points=max(-_MOST // 2, min(self.points, _MOST // 2)),
            turns=min(self.turns, _MOST),
            maximum=min(self.maximum, _MOST),
        )


class Position(NamedTuple):
    """A state of the story with its notes."""

    mark: StateMark
    notes: SnapshotNotes


def pack(story: bytes, initial: Bytes, position: Position) -> bytes:
    """Encode a position.

    `story` is the story's SHA-256, of which eight bytes are kept; `initial` its dynamic memory
    as in the file. The difference is kept as the distances between changed bytes and the bytes.
    """
    memory, stack, registers = position.mark
    changed = np.flatnonzero(memory != initial)
    gaps = changed.astype("<u2")
    gaps[1:] -= gaps[:-1].copy()
    gaps[:1] += 1
    columns = gaps.view(np.uint8)
    status, *numbers = position.notes
    body = _BODY.pack(len(memory), len(changed), len(stack), *registers, *numbers)
    parts = columns[::2].tobytes(), columns[1::2].tobytes(), memory[changed].tobytes(), stack
    return _HEAD.pack(FORMAT, story[:8]) + zlib.compress(
        b"".join((body, *parts, status.encode("utf-8"))), _LEVEL
    )


def unpack(story: bytes, initial: Bytes, blob: bytes) -> Position:
    """Decode a blob and check its format, its story and every length."""
    _check(story, blob)
    inflater = zlib.decompressobj()
    try:
        raw = inflater.decompress(blob[_HEAD.size :], _MAX_BYTES)
        size, changes, used, *numbers = _BODY.unpack_from(raw)
    except (zlib.error, struct.error) as error:
        raise SnapshotError(f"the snapshot is damaged: {error}") from error
    stack_at = _BODY.size + 3 * changes
    if not inflater.eof or len(raw) < stack_at + used or used != 2 * (STACK_WORDS - numbers[1]):
        raise SnapshotError(f"the snapshot is damaged: {len(raw)} bytes, {used} of them stack")
    if size != len(initial):
        raise SnapshotError(f"the snapshot holds {size} bytes, the story has {len(initial)}")
    memory = initial.copy()
    columns = np.frombuffer(raw, np.uint8, 3 * changes, _BODY.size).reshape(3, changes)
    places = np.cumsum(columns[0].astype(np.int64) + (columns[1].astype(np.int64) << 8)) - 1
    if changes and places[-1] >= size:
        raise SnapshotError("the snapshot is damaged: it changes bytes outside the memory")
    memory[places] = columns[2]
    mark = StateMark(memory, raw[stack_at : stack_at + used], Registers(*numbers[:_REGISTERS]))
    status = raw[stack_at + used :].decode("utf-8")
    return Position(mark, SnapshotNotes(status, *numbers[_REGISTERS:]))


def _check(story: bytes, blob: bytes) -> None:
    if len(blob) <= _HEAD.size:
        raise SnapshotError(f"a snapshot of {len(blob)} bytes is too short to be one")
    version, identity = _HEAD.unpack_from(blob)
    if version != FORMAT:
        raise SnapshotError(f"snapshot format {version}, this program reads format {FORMAT}")
    if identity != story[:8]:
        raise SnapshotError(
            f"the snapshot belongs to story {identity.hex()}, not to {story[:8].hex()}"
        )
