"""What may be typed into a story: plain first lines and single keys, never the emulator's own."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection

FALLBACK_ROOM = 58
"""Letters that every known story's input buffer takes; used where the buffer is unreadable."""
EMULATOR_ROOM = 190
"""libfrotz reads lines into 200 bytes."""

_UNSAFE = re.compile(r"[^ -~]|[\\/]")
_PARTS = re.compile(r"[.;,]|\bthen\b|\band\b")
_WORDS = re.compile(r"[a-z0-9#$*@]+")
_FILLERS = frozenset({"on", "off", "game", "the", "story", "now", "please", "it"})

META = (
    "quit", "q", "restart", "save", "restore", "undo", "script", "unscript", "noscript",
    "transcript", "recording", "record", "unrecord", "replay", "command",
)  # fmt: skip
DEBUG = (
    "abstract", "actions", "changes", "daemons", "glklist", "gonear", "goto", "messages",
    "purloin", "random", "routines", "scope", "showdict", "showheap", "showobj", "showme",
    "showverb", "timers", "trace", "tree", "xabstract", "xpurloin", "xtrace", "xtree",
)  # fmt: skip


def plain_line(text: str, room: int | None) -> str:
    """The first line that is not blank, in plain ASCII, cut at a word to fit `room` letters."""
    lines = text.strip().splitlines()
    decomposed = unicodedata.normalize("NFKD", lines[0]) if lines else ""
    letters = "".join(c for c in decomposed if not unicodedata.combining(c))
    line = " ".join(_UNSAFE.sub(" ", letters.translate(_QUOTES)).split())
    return _fit(line, min(FALLBACK_ROOM if room is None else room, EMULATOR_ROOM))


_QUOTES = str.maketrans("\u2018\u2019\u201c\u201d\u2013\u2014", "''\"\"--")


def _fit(line: str, room: int) -> str:
    if len(line) <= room:
        return line
    cut = line[: room + 1].rpartition(" ")[0]
    return cut or line[:room]


def single_key(text: str) -> str:
    """The key for a prompt that waits for one: a lone letter is itself, nothing is Return.

    A longer line is what a player types who overlooks "press any key": it is a space.
    """
    line = plain_line(text, None)
    if len(line) <= 1:
        return line
    return "" if line.lower() in ("enter", "return") else " "


def meta_word(line: str, letters: int, vocabulary: Collection[str] = ()) -> str:
    """The first command in `line` that is about the session rather than the story, or nothing.

    `letters` is how much of a word the story's dictionary keeps. Debugging verbs count only in
    a story compiled with them, which its `vocabulary` tells.
    """
    known = _known(letters, any(verb[:letters] in vocabulary for verb in ("purloin", "showverb")))
    for part in _PARTS.split(line.lower()):
        words = _WORDS.findall(part)
        if not words:
            continue
        if words[0][0] in "#$*@":
            return str(words[0])
        kind = known.get(words[0][:letters])
        if kind == "debug" or (kind and all(w in _FILLERS or w.isdigit() for w in words[1:])):
            return str(words[0])
    return ""


def _known(letters: int, debugging: bool) -> dict[str, str]:
    known = {verb[:letters]: "debug" for verb in DEBUG} if debugging else {}
    return known | {verb[:letters]: "meta" for verb in META}


def refusal(verb: str) -> str:
    """What we answer in the story's place."""
    return f'["{verb}" is not part of the story and does nothing here.]'
