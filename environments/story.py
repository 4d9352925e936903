"""Story files: read whole and checked before an emulator may see them."""

from __future__ import annotations

import hashlib
import stat
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from environments.game import Access, GameError
from environments.plain_files import read_whole

EXTENSIONS = (".z3", ".z4", ".z5", ".z8")
HEADER_BYTES = 64
_FLAGS, _UNDO = 0x11, 0x10
"""Where the low byte of the header's second flags stands, and the bit for `undo` in it."""
MAX_BYTES = 1 << 20
"""Twice what the largest Z-machine story can hold; anything above is not read."""

_LENGTH_UNIT = {3: 2, 4: 4, 5: 4, 8: 8}
_OTHER_FORMATS = {
    b"": "an empty file",
    b"\x89PNG": "a PNG image",
    b"FORM": "a Blorb archive; extract the story file from it",
    b"Glul": "a Glulx story, which needs another interpreter",
    b"PK\x03\x04": "a ZIP archive; unpack it",
}
_ADDRESSES = {
    0x08: "dictionary",
    0x0A: "object table",
    0x0C: "global variables",
    0x0E: "static memory",
}


@dataclass(frozen=True)
class Story:
    """A story file that passed every check (Z-Machine Standard 1.1, section 11)."""

    path: Path
    data: bytes = field(repr=False)
    sha256: str
    version: int
    """Z-machine version: 3, 4, 5 or 8, whatever the file's extension says."""
    release: int
    serial: str
    """Six characters, by custom the date of compilation as YYMMDD."""
    checksum: int

    access: ClassVar[frozenset[Access]] = frozenset(Access)
    """The help that agents may get from it."""

    def limits(self, wanted: Collection[Access]) -> str:
        """What it cannot do of what is wanted of it: nothing."""
        return ""

    @property
    def takes_back(self) -> bool:
        """It has the command `undo`: from version 5 on, where its header says so."""
        return self.version >= 5 and bool(self.data[_FLAGS] & _UNDO)


def read_story(path: Path) -> Story:
    """Read a story file and check it.

    Raises:
        GameError: The file cannot be read or is no intact story of a supported version.
    """
    data = _read(path)
    for fault in _faults(data):
        raise GameError(f"{path} is not a playable story: {fault}")
    return Story(
        path=path,
        data=data,
        sha256=hashlib.sha256(data).hexdigest(),
        version=data[0],
        release=_word(data, 0x02),
        serial=data[0x12:0x18].decode("ascii", errors="replace"),
        checksum=_word(data, 0x1C),
    )


def _read(path: Path) -> bytes:
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            kind = "a directory" if stat.S_ISDIR(status.st_mode) else "not a regular file"
            raise GameError(f"{path} is {kind}; give the path of a story file")
        if path.suffix.lower() not in EXTENSIONS:
            raise GameError(
                f"{path} has {f'the extension {path.suffix}' if path.suffix else 'no extension'}; "
                f"a story file ends in {', '.join(EXTENSIONS)}"
            )
        if status.st_size > MAX_BYTES:
            raise GameError(
                f"{path} is not a playable story: {status.st_size} bytes, "
                f"no Z-machine story has more than {MAX_BYTES}"
            )
        return read_whole(path, MAX_BYTES, links=True)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise GameError(f"{path} cannot be read: {reason}; give a readable story file") from error


def _faults(data: bytes) -> Iterator[str]:
    """What is wrong with a file's bytes; later checks rely on the earlier ones."""
    for magic, description in _OTHER_FORMATS.items():
        if data == magic or (magic and data.startswith(magic)):
            yield f"it is {description}"
    if len(data) < HEADER_BYTES:
        yield f"{len(data)} bytes, shorter than a {HEADER_BYTES}-byte story header"
    if data[0] not in _LENGTH_UNIT:
        supported = ", ".join(map(str, _LENGTH_UNIT))
        yield f"its first byte says Z-machine version {data[0]}; versions {supported} can be played"
    length = _word(data, 0x1A) * _LENGTH_UNIT[data[0]]
    if not HEADER_BYTES < length <= len(data):
        yield f"{len(data)} bytes where its header says {length}; get an unbroken copy"
    yield from _address_faults(data, length)
    checksum = sum(data[HEADER_BYTES:length]) & 0xFFFF
    if checksum != _word(data, 0x1C):
        yield (
            f"checksum {checksum:04x} where its header says {_word(data, 0x1C):04x}; "
            "get an unbroken copy"
        )


def _address_faults(data: bytes, length: int) -> Iterator[str]:
    for offset, name in _ADDRESSES.items():
        if not HEADER_BYTES <= _word(data, offset) < length:
            yield f"its header puts the {name} at {_word(data, offset)}, outside the story"
    static = _word(data, 0x0E)
    if max(_word(data, 0x0A), _word(data, 0x0C)) >= static:
        yield f"its header puts the objects or global variables in static memory, above {static}"
    if not HEADER_BYTES <= _word(data, 0x06) < length:
        yield f"its header starts the program at {_word(data, 0x06)}, outside the story"


def _word(data: bytes, offset: int) -> int:
    return int.from_bytes(data[offset : offset + 2], "big")
