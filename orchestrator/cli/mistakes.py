"""Errors in parts of the user's own: which node, which file, which line."""

from __future__ import annotations

import re
import sysconfig
import traceback
from pathlib import Path

from orchestrator.errors import SAVED

_ROOT = Path(__file__).parents[2]
_OURS = tuple(
    f"{_ROOT / name}/" for name in ("agents", "environments", "managers", "orchestrator", "prompts")
)
_LIBRARIES = (*(sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib")), "<")
_NODE = re.compile(r"During task with name '([^']+)'")


def mistake_in_own_part(error: BaseException) -> str:
    """One line about an error that a file of the user's raised; empty where none is involved."""
    own = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if not frame.filename.startswith((*_OURS, *_LIBRARIES))
    ]
    # The first is whatever started this program.
    if not own or ((frame := own[-1]) is own[0] and "zork" in Path(frame.filename).name):
        return ""
    notes = "\n".join(getattr(error, "__notes__", ()))
    node = f"node {found[1]!r}: " if (found := _NODE.search(notes)) else ""
    return (
        f"{node}{type(error).__name__}: {error} ({frame.filename} line {frame.lineno})"
        f"{way_on(error)}"
    )


def way_on(error: BaseException) -> str:
    """How to go on with the run in which an error was raised; empty where none was begun."""
    saved = [note for note in getattr(error, "__notes__", ()) if note.startswith(SAVED)]
    return f"; {saved[0]}" if saved else ""
