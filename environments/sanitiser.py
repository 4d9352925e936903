"""What may be typed into a story: plain first lines and single keys, never the emulator's own."""

from __future__ import annotations

import re
from collections.abc import Callable

from environments.spelling import folded

FALLBACK_ROOM = 58
"""Letters that every known story's input buffer takes; used where the buffer is unreadable."""
EMULATOR_ROOM = 190
"""libfrotz reads lines into 200 bytes."""

_PLAIN = re.compile(r"[a-z0-9'?!-]+(?: [a-z0-9'?!-]+)*")
_UNSAFE = re.compile(r"[\x00-\x1f\x7f-\x9f\\/]")
_PARTS = re.compile(r"[.;,]|\bthen\b|\band\b")
_WORDS = re.compile(r"(?:[^\W_]|[#$*@])+")
_FILLERS = frozenset({"on", "off", "game", "the", "story", "now", "please", "it"})

META = (
    "quit", "q", "restart", "save", "restore", "undo", "script", "unscript", "noscript",
    "transcript", "recording", "record", "unrecord", "replay", "command",
)  # fmt: skip
DEBUG = (
    "abstract", "actions", "changes", "daemons", "glklist", "gonear", "goto", "messages",
    "purloin", "random", "relations", "routines", "rules", "scenes", "scope", "showdict",
    "showheap", "showobj", "showme", "showverb", "test", "timers", "trace", "tree", "xabstract",
    "xpurloin", "xtrace", "xtree",
)  # fmt: skip

_CORRECTING = frozenset({"oops", "o"})
"""What follows one of these takes the place of a word of the command before."""


def plain_line(text: str, room: int | None, spell: Callable[[str], str] = folded) -> str:
    """The first line that is not blank, as `spell` writes it, cut at a word to fit `room` letters.

    By default it is plain ASCII; a story's own `Spelling` leaves what the story can read.
    """
    most = min(FALLBACK_ROOM if room is None else room, EMULATOR_ROOM)
    if len(text) <= most and _PLAIN.fullmatch(text):
        return text
    lines = text.strip().splitlines()
    line = " ".join(_UNSAFE.sub(" ", spell(lines[0] if lines else "")).split())
    return _fit(line, most)


def says_something(line: str) -> bool:
    """Whether there is a letter or a number in it: nothing else is a command."""
    return any(map(str.isalnum, line))


def _fit(line: str, room: int) -> str:
    if len(line) <= room:
        return line
    cut = line[: room + 1].rpartition(" ")[0]
    return cut or line[:room]


KEYS = {
    "yes": "y", "no": "n", "enter": "", "return": "", "space": " ", "spacebar": " ",
    "escape": "\x1b", "esc": "\x1b", "delete": "\x08", "backspace": "\x08",
    "up": "\x81", "down": "\x82", "left": "\x83", "right": "\x84",
    "ja": "j", "nein": "n", "oui": "o", "non": "n", "sí": "s", "si": "s", "sì": "s", "sim": "s",
    "não": "n", "nej": "n", "nee": "n",
    **{f"f{number}": chr(0x84 + number) for number in range(1, 13)},
}  # fmt: skip
"""Keys by name, and answers of which the first letter is the key."""
_AROUND_KEYS = frozenset("press hit type the key bar arrow cursor".split())


def single_key(text: str, spell: Callable[[str], str] = folded) -> str:
    """The key for a prompt that waits for one: by its name, a lone sign is itself.

    Nothing is Return. A longer line is what a player types who overlooks "press any key": it is
    a space.
    """
    lines = text.strip().splitlines()
    said = lines[0] if lines else ""
    words = [word for word in _WORDS.findall(said) if word.lower() not in _AROUND_KEYS]
    if len(words) == 1 and words[0].lower() in KEYS:
        return KEYS[words[0].lower()]
    line = plain_line(words[0] if len(words) == 1 else said, None, spell)
    return line if len(line) <= 1 else " "


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
            if words and words[0] in _CORRECTING:
                del words[0]
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
