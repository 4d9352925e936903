"""Archives of runs taken apart: plain files in one folder, and no more than a run can hold.

Python's own `tarfile` reads extended headers of any size into memory and knows links, devices
and sparse files; nothing of that is wanted here.
"""

from __future__ import annotations

import gzip
import tarfile
from collections.abc import Callable
from pathlib import Path, PurePosixPath

from agents.models.trace_files import MOST_FILES, PIECE, most
from environments.plain_files import open_plain

MAX_HEADER = 64 << 10
"""Of an extended header, which is skipped."""

_PLAIN = (tarfile.REGTYPE, tarfile.AREGTYPE)
_EXTENDED = (tarfile.XHDTYPE, tarfile.XGLTYPE)


class BadArchive(Exception):
    """An archive is no exported run; the message says why."""


def unpack(archive: Path, folder: Path, wanted: Callable[[str], bool]) -> None:
    """Write the files of a gzipped tar archive, all of them in one folder of it, to `folder`.

    Args:
        archive: what to read.
        folder: where to write; it is there.
        wanted: tells whether a file of this name may be there.

    Raises:
        BadArchive: it holds anything else, or more than its size allows.
        OSError, EOFError, zlib.error: it cannot be read or is damaged.
    """
    with open_plain(archive, links=True) as packed, gzip.GzipFile(fileobj=packed) as stream:
        left = most(archive.stat().st_size)
        for number in range(2 * MOST_FILES):
            block = stream.read(tarfile.BLOCKSIZE)
            if not block.strip(b"\0"):
                if number:
                    return
                raise BadArchive("cannot be imported: holds nothing")
            member = _header(block)
            left -= tarfile.BLOCKSIZE + member.size
            if left < 0:
                raise BadArchive(f"{member.name!r} is larger than the archive's size allows")
            if member.type in _EXTENDED and member.size <= MAX_HEADER:
                stream.read(_padded(member.size))
            else:
                _write(stream, member, folder / _name(member, wanted))
    raise BadArchive(f"holds more than {MOST_FILES} files")


def _header(block: bytes) -> tarfile.TarInfo:
    try:
        member = tarfile.TarInfo.frombuf(block, "utf-8", "surrogateescape")
    except tarfile.HeaderError as error:
        raise BadArchive(f"cannot be imported: {error}") from error
    if member.size < 0:
        raise BadArchive(f"{member.name!r} has the size {member.size}")
    return member


def _name(member: tarfile.TarInfo, wanted: Callable[[str], bool]) -> str:
    place = PurePosixPath(member.name)
    if member.type not in _PLAIN or len(place.parts) != 2 or not wanted(place.name):
        raise BadArchive(f"holds {member.name!r}, which is no file of a run")
    return place.name


def _write(stream: gzip.GzipFile, member: tarfile.TarInfo, target: Path) -> None:
    left = member.size
    if target.exists():
        raise BadArchive(f"holds {member.name!r} twice")
    with open_plain(target, "xb") as file:
        while left:
            piece = stream.read(min(PIECE, left))
            if not piece:
                raise EOFError("it is cut off")
            file.write(piece)
            left -= len(piece)
    stream.read(_padded(member.size) - member.size)


def _padded(size: int) -> int:
    return -(-size // tarfile.BLOCKSIZE) * tarfile.BLOCKSIZE
