"""What may be typed into a story: plain first lines and single keys, never the emulator's own."""

from __future__ import annotations

import re
import unicodedata

FALLBACK_ROOM = 58
"""Letters that every known story's input buffer takes; used where the buffer is unreadable."""
EMULATOR_ROOM = 190
"""libfrotz reads lines into 200 bytes."""

_PLAIN = re.compile(r"[a-z0-9'?!-]+(?: [a-z0-9'?!-]+)*")
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
    most = min(FALLBACK_ROOM if room is None else room, EMULATOR_ROOM)
    if len(text) <= most and _PLAIN.fullmatch(text):
        return text
    lines = text.strip().splitlines()
    decomposed = unicodedata.normalize("NFKD", lines[0]) if lines else ""
    letters = "".join(c for c in decomposed if not unicodedata.combining(c))
    line = " ".join(_UNSAFE.sub(" ", letters.translate(_QUOTES)).split())
    return _fit(line, most)


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


class MetaCommands:
    """The commands that are about the session rather than the story, as one story spells them.

    `letters` is how much of a word its dictionary keeps; `debugging` says that it was compiled
    with verbs for debugging.
    """

    def __init__(self, letters: int, *, debugging: bool) -> None:
        self._letters = letters
        self._kinds = {verb[:letters]: "debug" for verb in DEBUG} if debugging else {}
        self._kinds |= {verb[:letters]: "meta" for verb in META}

    def find(self, line: str) -> str:
        """The verb of the first such command in a line, or nothing."""
        for part in _PARTS.split(line.lower()):
            words: list[str] = _WORDS.findall(part)
            if words and self._is_meta(words):
                return words[0]
        return ""

    def _is_meta(self, words: list[str]) -> bool:
        """`tw-...` and `print_state` are TextWorld's verbs, which tell what is not shown."""
        if words[0][0] in "#$*@" or words[0] == "tw" or words[:2] == ["print", "state"]:
            return True
        kind = self._kinds.get(words[0][: self._letters])
        if kind == "meta":
            return all(word in _FILLERS or word.isdigit() for word in words[1:])
        return kind == "debug"


def refusal(verb: str) -> str:
    """What we answer in the story's place."""
    return f'["{verb}" is not part of the story and does nothing here.]'
