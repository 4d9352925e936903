"""What texts are about, for notes that are read by models."""

from __future__ import annotations

import re

_ASIDE = re.compile(r"\([^)]*\)")
"""In brackets stands who told of it, and where."""
_NUMBER = re.compile(r"\bL\d+\b")
_NOT_THERE = re.compile(
    r"\b(?:of|from|not|beyond|behind|past|near|via|through|between|above|below|under|over)\s+$"
)
"""Before the number of a place where an objective is not to be reached."""
_THERE = re.compile(r"\b(?:in|at|into|inside|on)\s+$")


def place_in(text: str) -> str:
    """The number of the one place that a text is about; empty where it names none or several."""
    text = _ASIDE.sub("", text)
    named = [(text[: one.start()], one[0]) for one in _NUMBER.finditer(text)]
    meant = {room for before, room in named if not _NOT_THERE.search(before)}
    there = {room for before, room in named if _THERE.search(before)}
    return next((room for some in (meant, there) if len(some) == 1 for room in some), "")
