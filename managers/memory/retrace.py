"""An earlier episode once more, command by command, as long as the game answers as it did then.

Plain data in the guide of an exploring episode: `line`, what is to be played, and `history`, what
has been; both are lists of a command with a number for the reply to it. With the same seed of the
emulator the same commands lead to the same state; the first reply that differs ends it, and the
guide finds the rest of the way.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from typing import Any

Line = tuple[tuple[str, int], ...]
"""Commands from the opening on, each with a number for the reply to it."""


def next_command(guide: Mapping[str, Any]) -> str | None:
    """What comes next word for word; None where nothing is retraced."""
    line, played = guide.get("line", ()), len(guide.get("history", ()))
    return str(line[played][0]) if played < len(line) else None


def completes(guide: Mapping[str, Any], command: str, reply: str) -> bool:
    """Whether a command was the last of the line, and answered as it was then."""
    line, played = guide["line"], len(guide["history"])
    return played + 1 == len(line) and list(line[played]) == _entry(command, reply)


def lengthened(guide: Mapping[str, Any], command: str, reply: str) -> dict[str, Any]:
    """The guide after a turn; what took another course is no longer retraced."""
    if "history" not in guide:
        return dict(guide)
    entry, line, played = _entry(command, reply), guide["line"], len(guide["history"])
    alike = played < len(line) and list(line[played]) == entry
    return {
        **guide,
        "history": [*guide["history"], entry],
        "line": line if alike or played >= len(line) else [],
    }


def is_complete(guide: Mapping[str, Any]) -> bool:
    """Whether all of a line has been played, and led to where it led before."""
    return 0 < len(guide.get("line", ())) <= len(guide["history"])


def _entry(command: str, reply: str) -> list[Any]:
    return [command, zlib.crc32(reply.encode()) & 0xFFFF]
