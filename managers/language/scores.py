"""Score lines: read, and taken out of the text."""

from __future__ import annotations

import re

from environments.numbers import number_of

_CHANGE = re.compile(
    r"[\[(]?\s*(?:your|the) score has (?:just )?(?:gone (up|down)|(increased|decreased)) by "
    r"([\w -]+?) points?\.?\s*[\])]?",
    re.I,
)


def take_scores(text: str) -> tuple[str, int]:
    """The text without its score lines, and the sum of the changes they report."""
    change = 0
    for up, increased, words in ((m[1], m[2], m[3]) for m in _CHANGE.finditer(text)):
        rises = (up or increased).lower() in ("up", "increased")
        change += (number_of(words) or words in ("a", "one")) * (1 if rises else -1)
    return _CHANGE.sub("", text).rstrip(), change
