"""Story files: read whole and checked before an emulator may see them."""

from __future__ import annotations

import hashlib
import stat
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from environments.blorb import is_blorb, read_story_chunk
from environments.game import Access, GameError
from environments.plain_files import open_plain
from environments.zmachine import word

EXTENSIONS = (".z3", ".z4", ".z5", ".z8")
"""What names of stories mostly end in; what a file is, its first bytes say."""
HEADER_BYTES = 64
_FLAGS, _UNDO = 0x11, 0x10
"""Where the low byte of the header's second flags stands, and the bit for `undo` in it."""
MAX_BYTES = 1 << 20
"""Twice what the largest Z-machine story can hold; anything above is not read."""

_LENGTH_UNIT = {3: 2, 4: 4, 5: 4, 8: 8}
_EARLY = 3
"""The version of which the first stories told neither length nor checksum (section 11.1.6)."""
_OTHER_FORMATS = {
    b"": "an empty file",
    b"\x89PNG": "a PNG image",
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
        release=word(data, 0x02),
        serial=data[0x12:0x18].decode("ascii", errors="replace"),
    )


def is_story_file(path: Path) -> bool:
    """Whether a file is meant as a story: by its name, or by how it begins."""
    try:
        if path.name.startswith(".") or not path.is_file():
            return False
        return path.suffix.lower() in EXTENSIONS or _begins_as_story(path)
    except (OSError, ValueError):
        return False


def _begins_as_story(path: Path) -> bool:
    with path.open("rb") as file:
        begin = file.read(HEADER_BYTES)
        if is_blorb(begin):
            begin = read_story_chunk(file, HEADER_BYTES)
    known = len(begin) == HEADER_BYTES and begin[0] in _LENGTH_UNIT
    return known and not any(_address_faults(begin, path.stat().st_size))


def _read(path: Path) -> bytes:
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            kind = "a directory" if stat.S_ISDIR(status.st_mode) else "not a regular file"
            raise GameError(f"{path} is {kind}; give the path of a story file")
        with open_plain(path, links=True) as file:
            data = file.read(MAX_BYTES + 1)
            if is_blorb(data):
                data = read_story_chunk(file, MAX_BYTES + 1)
                if not data:
                    raise GameError(
                        f"{path} is not a playable story: it is a Blorb archive without a "
                        "Z-machine story (chunk ZCOD); give one that has it"
                    )
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise GameError(f"{path} cannot be read: {reason}; give a readable story file") from error
    if len(data) > MAX_BYTES:
        raise GameError(
            f"{path} is not a playable story: it is too large, "
            f"no Z-machine story has more than {MAX_BYTES} bytes"
        )
    return data


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
    length = word(data, 0x1A) * _LENGTH_UNIT[data[0]]
    early = data[0] == _EARLY
    if early and not length:
        length = len(data)
    if not HEADER_BYTES < length <= len(data):
        yield f"{len(data)} bytes where its header says {length}; get an unbroken copy"
    yield from _address_faults(data, length)
    checksum = sum(data[HEADER_BYTES:length]) & 0xFFFF
    untold = early and not word(data, 0x1C)
    if checksum != word(data, 0x1C) and not untold:
        yield (
            f"checksum {checksum:04x} where its header says {word(data, 0x1C):04x}; "
            "get an unbroken copy"
        )


def _address_faults(data: bytes, length: int) -> Iterator[str]:
    for offset, name in _ADDRESSES.items():
        if not HEADER_BYTES <= word(data, offset) < length:
            yield f"its header puts the {name} at {word(data, offset)}, outside the story"
    static = word(data, 0x0E)
    if max(word(data, 0x0A), word(data, 0x0C)) >= static:
        yield f"its header puts the objects or global variables in static memory, above {static}"
    if not HEADER_BYTES <= word(data, 0x06) < length:
        yield f"its header starts the program at {word(data, 0x06)}, outside the story"
