"""What can be told of a story from its file alone."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from environments.story import Story
from environments.typist import DEBUGGING
from environments.vocabulary import Vocabulary
from environments.zmachine import Header, Objects

_COMPILER = slice(0x3C, 0x40)
"""Where Inform from 6 on puts its version into the header."""
_VERSION = re.compile(r"[56]\.\d\d|6[A-Z]\d\d")


StatusLine = Literal["score and moves", "clock", "drawn by the story"]


@dataclass(frozen=True)
class Anatomy:
    """Figures of a story."""

    words: int
    """Entries of its dictionary."""
    objects: int
    """Rooms, things, people and, in most stories, some that stand for nothing."""
    compiler: str
    status_line: StatusLine
    debugging: bool
    """It was compiled with verbs for debugging, which the game layer refuses."""


def dissect(story: Story) -> Anatomy:
    """Read a checked story's figures."""
    header = Header.read(story.data)
    vocabulary = Vocabulary(story.data)
    stamp = story.data[_COMPILER].decode("latin-1")
    return Anatomy(
        words=sum(1 for _ in vocabulary),
        objects=Objects(story.data, header).count,
        compiler=f"Inform {stamp}" if _VERSION.fullmatch(stamp) else "unknown",
        status_line=_status_line(header),
        debugging=DEBUGGING in vocabulary,
    )


def _status_line(header: Header) -> StatusLine:
    if header.version > 3:
        return "drawn by the story"
    return "clock" if header.time_game else "score and moves"
