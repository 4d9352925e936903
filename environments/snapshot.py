"""A running story as one small blob of bytes: its difference from the file."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass

FORMAT = 1
_HEAD = struct.Struct(">B8s")
_BODY = struct.Struct(">IIHHHHBBBIHIH")
_LEVEL = 1


class SnapshotError(ValueError):
    """The blob is not a snapshot of this story in this format."""


@dataclass(frozen=True, slots=True)
class Registers:
    """The interpreter's registers; `sp` and `fp` count 16-bit words from the stack's low end."""

    pc: int
    sp: int
    fp: int
    frames: int
    opcode: int
    window: int
    random: int
    """State of the random number generator: its low 32 bits, the only ones that ever matter."""
    interval: int
    counter: int


@dataclass(frozen=True, slots=True)
class Machine:
    """What a blob holds."""

    registers: Registers
    delta: bytes
    """Dynamic memory, each byte xor-ed with the story file's."""
    stack: bytes
    """The used part of the stack, from `sp` up."""
    status: str
    """The status line as last drawn, empty where the interpreter draws it."""
    ended: bool


def pack(story: bytes, machine: Machine) -> bytes:
    """Encode a machine; `story` is the story's SHA-256, of which eight bytes are kept."""
    r = machine.registers
    status = machine.status.encode("utf-8")
    body = _BODY.pack(
        len(machine.delta), r.pc, r.sp, r.fp, r.frames, len(machine.stack),
        r.opcode, r.window, machine.ended, r.random, r.interval, r.counter, len(status),
    )  # fmt: skip
    packed = zlib.compress(b"".join((body, machine.delta, machine.stack, status)), _LEVEL)
    return _HEAD.pack(FORMAT, story[:8]) + packed


def check(story: bytes, blob: bytes) -> None:
    """Raise `SnapshotError` unless the blob is of this format and of this story."""
    if len(blob) <= _HEAD.size:
        raise SnapshotError(f"a snapshot of {len(blob)} bytes is too short to be one")
    version, identity = _HEAD.unpack_from(blob)
    if version != FORMAT:
        raise SnapshotError(f"snapshot format {version}, this program reads format {FORMAT}")
    if identity != story[:8]:
        raise SnapshotError(
            f"the snapshot belongs to story {identity.hex()}, not to {story[:8].hex()}"
        )


def unpack(story: bytes, dynamic: int, blob: bytes) -> Machine:
    """Decode a blob and check its identity and every length.

    `dynamic` is the size of the story's dynamic memory in bytes.
    """
    check(story, blob)
    try:
        raw = zlib.decompress(memoryview(blob)[_HEAD.size :])
        size, pc, sp, fp, frames, used, opcode, window, ended, seed, interval, counter, status = (
            _BODY.unpack_from(raw)
        )
    except (zlib.error, struct.error) as error:
        raise SnapshotError(f"the snapshot is damaged: {error}") from error
    stack_at = _BODY.size + size
    status_at = stack_at + used
    if size != dynamic or len(raw) != status_at + status:
        raise SnapshotError(f"the snapshot holds {size} bytes of memory, the story has {dynamic}")
    return Machine(
        Registers(pc, sp, fp, frames, opcode, window, seed, interval, counter),
        raw[_BODY.size : stack_at],
        raw[stack_at:status_at],
        raw[status_at:].decode("utf-8"),
        bool(ended),
    )
