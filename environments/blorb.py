"""The story within a Blorb archive, the form in which stories come with pictures and sounds."""

from __future__ import annotations

import struct
from typing import IO

_HEAD, _CHUNK = struct.Struct(">4sI4s"), struct.Struct(">4sI")
_STORY = b"ZCOD"
_MOST_CHUNKS = 10_000


def is_blorb(begin: bytes) -> bool:
    """Whether a file that begins so is a Blorb archive."""
    return len(begin) >= _HEAD.size and _HEAD.unpack_from(begin)[::2] == (b"FORM", b"IFRS")


def read_story_chunk(file: IO[bytes], most: int) -> bytes:
    """The story in an archive, at most so many bytes of it; nothing where it holds none."""
    file.seek(_HEAD.size)
    for _ in range(_MOST_CHUNKS):
        head = file.read(_CHUNK.size)
        if len(head) < _CHUNK.size:
            break
        kind, size = _CHUNK.unpack(head)
        if kind == _STORY:
            return file.read(min(size, most))
        file.seek(size + size % 2, 1)
    return b""
