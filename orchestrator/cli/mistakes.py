"""What is said of errors: in parts of the user's own, of the system's, of this program's."""

from __future__ import annotations

import errno
import os
import re
import sysconfig
import traceback
from pathlib import Path

from orchestrator.errors import SAVED
from orchestrator.own_packages import OURS, folder_of

_OURS = tuple(f"{folder_of(name)}/" for name in ("orchestrator", *OURS))
_LIBRARIES = (*(sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib")), "<")
_UNWRITTEN = (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EBADF)
"""What the system says of a write, without a file's name."""
_NODE = re.compile(r"During task with name '([^']+)'")


def mistake_in_own_part(error: BaseException) -> str:
    """One line about an error that a file of the user's raised; empty where none is involved."""
    inner = error
    while isinstance(inner, BaseExceptionGroup):  # of asyncio's TaskGroup, which tells no more
        inner = inner.exceptions[0]
    own = [
        frame
        for one in (error, inner)
        for frame in traceback.extract_tb(one.__traceback__)
        if not frame.filename.startswith((*_OURS, *_LIBRARIES))
    ]
    # The first is whatever started this program.
    if not own or ((frame := own[-1]) is own[0] and "zork" in Path(frame.filename).name):
        return ""
    notes = "\n".join(getattr(error, "__notes__", ()))
    node = f"node {found[1]!r}: " if (found := _NODE.search(notes)) else ""
    return (
        f"{node}{type(inner).__name__}: {inner} ({frame.filename} line {frame.lineno})"
        f"{way_on(error)}"
    )


def refused(error: OSError) -> str:
    """What the system refused, and of which file."""
    said = error.strerror or str(error) or type(error).__name__
    named = error.filename if isinstance(error.filename, str | bytes) else None
    if named is None and error.errno in _UNWRITTEN:
        return f"the output, or a file, cannot be written: {said}"
    if named is None and error.errno == errno.ENOENT and not _stands_somewhere():
        return "the folder where this was started is gone: go to one that is there"
    return said if named is None else f"{os.fsdecode(named)!r}: {said}"


def _stands_somewhere() -> bool:
    try:
        return Path.cwd().is_dir()
    except FileNotFoundError:
        return False


def own_fault(error: BaseException) -> str:
    """One line about an error that this program should not have raised."""
    frames = traceback.extract_tb(error.__traceback__)
    at = [one for one in frames if one.filename.startswith(_OURS)][-1:] or frames[-1:]
    place = "".join(f" ({Path(one.filename).name} line {one.lineno})" for one in at)
    return f"a fault of this program: {type(error).__name__}: {error}{place}"


def way_on(error: BaseException) -> str:
    """How to go on with the run in which an error was raised; empty where none was begun."""
    saved = [note for note in getattr(error, "__notes__", ()) if note.startswith(SAVED)]
    return f"; {saved[0]}" if saved else ""
