"""Texts that come from outside made harmless: to store them, and to show them to a person."""

from __future__ import annotations

import re
import unicodedata

INSTEAD = "\ufffd"
"""Stands where something was taken out."""

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_WIDEST, _EMPTIEST = 80, 12
_WIDE = re.compile(rf"[^\S\n]{{{_WIDEST + 1},}}")
_EMPTY = re.compile(rf"(?:\n[^\S\n]*){{{_EMPTIEST + 1},}}")
_PICTURES = 0x2400
"""Unicode's pictures of control characters, in their order."""
_KEPT = "\n\t\u200c\u200d"
"""Controls that harm nobody: lines, tabs, and what joins letters or pictures."""


def storable(text: str) -> str:
    """The text without what no database or file takes: halves of characters, and zero bytes."""
    return _UNSTORABLE.sub(INSTEAD, text) if _UNSTORABLE.search(text) else text


def spaced(text: str) -> str:
    """The text with at most a line's width of blanks in a row, and a few empty lines.

    More of them say nothing, and cost whoever reads them much.
    """
    return _EMPTY.sub("\n" * _EMPTIEST, _WIDE.sub(" " * _WIDEST, text))


def showable(text: str) -> str:
    """The text with everything made visible that a terminal would obey instead of show.

    An escape character becomes its picture, what turns the direction of writing or cannot be
    seen is replaced; lines and tabs stay. Nothing that a story would read is added: it takes a
    command from a transcript as it took the command itself.
    """
    if text.isascii() and text.replace("\n", "").isprintable():
        return text
    return "".join(map(_sign, text.replace("\r\n", "\n")))


def _sign(one: str) -> str:
    category = unicodedata.category(one)
    if one in _KEPT or (category[0] != "C" and category not in ("Zl", "Zp")):
        return one
    return chr(_PICTURES + ord(one)) if ord(one) < 0x20 else INSTEAD
