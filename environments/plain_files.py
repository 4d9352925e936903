"""Files that somebody else may have made: regular ones, bounded, and no link is followed.

What is opened in the folder of a run is opened by way of this module. A pipe would be waited for
without end, a device has no end, and a link leads out of the folder.
"""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import IO

LARGEST = 16 << 20
"""Bytes of a file that is read whole; ours have a hundredth of it."""


class OddFile(OSError):
    """What is there is no file to be read or written here; `strerror` says why."""

    def __init__(self, reason: str, path: str | Path = "") -> None:
        super().__init__(errno.EINVAL, reason, str(path))


def open_plain(path: Path, mode: str = "rb", *, links: bool = False) -> IO[bytes]:
    """Open a regular file; one that is appended to has no buffer.

    Args:
        path: which. It is no link and, to be written to, has no other name (a hard link).
        mode: as for Python's `open`, of bytes.
        links: the user has named it, and may have named a link.

    Raises:
        OddFile: it is a link, a pipe, a device or a folder.
        OSError: it cannot be opened.
    """
    opener = partial(_opened, links=links)
    return open(path, mode, 0 if "a" in mode else -1, opener=opener)


def read_whole(path: Path, largest: int = LARGEST, *, links: bool = False) -> bytes:
    """The content of a file, as large as it says it is.

    Raises:
        OddFile: it is none, or larger than such files are.
        OSError: it cannot be read.
    """
    with open_plain(path, links=links) as file:
        size = os.fstat(file.fileno()).st_size
        if size > largest:
            raise OddFile(f"has {size:,} bytes; no more than {largest:,} are read", path)
        return file.read(size)


def write_whole(path: Path, content: bytes) -> None:
    """Write a file beside and move it into place: no reader and no power failure halves it.

    Raises:
        OSError: it cannot be written; what was there is untouched.
    """
    part = path.with_name(f".{os.urandom(4).hex()}.part")  # Others may write the same just now.
    try:
        with open_plain(part, "xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError:
        with suppress(OSError):
            part.unlink()
        raise
    sync(path.parent)


def sync(folder: Path) -> None:
    """Make sure that what was renamed in a folder survives a power failure."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def check_own(path: Path) -> None:
    """Refuse what `open_plain` would not open for writing, for a library that opens it by itself.

    Raises:
        OddFile: what is there is no file of its own.
        OSError: it cannot be looked at.
    """
    with suppress(FileNotFoundError):
        _check(path, path.lstat(), os.O_RDWR, links=False)


def _opened(path: str, flags: int, *, links: bool) -> int:
    # Looked at first: only to open a device may do something, or to open a file may empty it.
    with suppress(FileNotFoundError):
        _check(path, Path(path).stat(follow_symlinks=links), flags, links=links)
    own = 0 if links else os.O_NOFOLLOW
    handle = os.open(path, flags | own | os.O_NONBLOCK | os.O_CLOEXEC, 0o666)
    try:
        _check(path, os.fstat(handle), flags, links=links)
    except OddFile:
        os.close(handle)
        raise
    return handle


def _check(path: str | Path, found: os.stat_result, flags: int, *, links: bool) -> None:
    if stat.S_ISLNK(found.st_mode):
        raise OddFile("is a link, and none is followed here; put the file itself there", path)
    if not stat.S_ISREG(found.st_mode):
        kind = "a folder" if stat.S_ISDIR(found.st_mode) else "a pipe or a device"
        raise OddFile(f"is no regular file but {kind}", path)
    if not links and flags & os.O_ACCMODE != os.O_RDONLY and found.st_nlink > 1:
        raise OddFile("lies in another folder too (a hard link); copy it to write to it", path)
