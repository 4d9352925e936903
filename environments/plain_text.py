"""Texts that come from outside made harmless: to store them, and to show them to a person."""

from __future__ import annotations

import re

INSTEAD = "\ufffd"
"""Stands where something was taken out."""

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_UNSHOWABLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    "\ufff9-\ufffc\ud800-\udfff\U000e0000-\U000e0fff]"
)
_PICTURES = 0x2400
"""Unicode's pictures of control characters, in their order."""


def storable(text: str) -> str:
    """The text without what no database or file takes: halves of characters, and zero bytes."""
    return _UNSTORABLE.sub(INSTEAD, text) if _UNSTORABLE.search(text) else text


def showable(text: str) -> str:
    """The text with everything made visible that a terminal would obey instead of show.

    An escape character becomes its picture; what turns the direction of writing or cannot be
    seen is replaced. Line breaks and tabs stay.
    """
    if not _UNSHOWABLE.search(text):
        return text
    return _UNSHOWABLE.sub(_picture, text.replace("\r\n", "\n"))


def _picture(match: re.Match[str]) -> str:
    code = ord(match.group())
    return chr(_PICTURES + code) if code < 0x20 else INSTEAD
