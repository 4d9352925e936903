"""An earlier episode once more, command by command.

Plain data in the guide of an exploring episode: `script`, what is to be played, and `history`, what
has been, both lists of entries; `exact`, whether the game has answered so far as it did then.
With the same seed of the emulator the same commands lead to the same state. The first reply that
differs ends that; from then on the guide follows what had an effect.
"""

from __future__ import annotations

import zlib
from typing import NamedTuple

from managers.memory.data import GuideData


class PlayedCommand(NamedTuple):
    """A command that was played."""

    place: str
    """The room it was played in; empty if nothing came of it."""
    command: str
    points: int
    reply: int
    """A number for what the game answered."""


Line = tuple[PlayedCommand, ...]
"""All commands from the opening on."""


def entry(place: str, command: str, points: int, reply: str) -> PlayedCommand:
    """What has been played."""
    return PlayedCommand(place, command, points, zlib.crc32(reply.encode()) & 0xFFFF)


def begun(line: Line) -> GuideData:
    """What the guide of an exploring episode holds besides, at the opening."""
    return {"script": [list(one) for one in line], "history": [], "exact": bool(line)}


def effective(line: Line) -> tuple[tuple[str, str, int], ...]:
    """The path along a line: what had an effect."""
    return tuple((one.place, one.command, one.points) for one in line if one.place)


def next_command(guide: GuideData) -> str | None:
    """What comes next word for word; None where nothing is retraced."""
    if not guide.get("exact") or is_complete(guide):
        return None
    return PlayedCommand(*guide["script"][len(guide["history"])]).command


def lengthened(guide: GuideData, played: PlayedCommand) -> GuideData:
    """The guide after a turn of an exploring episode."""
    line, length = guide["script"], len(guide["history"])
    then = PlayedCommand(*line[length]) if length < len(line) else None
    exact = guide["exact"] and (
        then is None or (then.command, then.reply) == (played.command, played.reply)
    )
    return {**guide, "history": [*guide["history"], list(played)], "exact": exact}


def is_complete(guide: GuideData) -> bool:
    """Whether all of a line has been played, and was answered as it was then."""
    return bool(guide.get("exact") and len(guide["history"]) >= len(guide["script"]))
