"""Score lines: read, and taken out of the text."""

from __future__ import annotations

import re

_NUMBERS = {
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen nineteen twenty".split()
    )
}
_NUMBERS |= {"a": 1, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70}
_NUMBERS |= {"eighty": 80, "ninety": 90, "hundred": 100}
_CHANGE = re.compile(
    r"[\[(]?\s*(?:your|the) score has (?:just )?(?:gone (up|down)|(increased|decreased)) by "
    r"([\w -]+?) points?\.?\s*[\])]?",
    re.I,
)


def number_of(words: str) -> int | None:
    """`twenty-five` -> 25, `one hundred` -> 100, `12` -> 12; None for what is no number."""
    if words.strip().isdigit():
        return int(words)
    total = 0
    for word in words.lower().replace("-", " ").split():
        if word == "and":
            continue
        if word not in _NUMBERS:
            return None
        total = total * 100 if word == "hundred" and total else total + _NUMBERS[word]
    return total


def take_scores(text: str) -> tuple[str, int]:
    """The text without its score lines, and the sum of the changes they report."""
    change = 0
    for up, increased, words in ((m[1], m[2], m[3]) for m in _CHANGE.finditer(text)):
        rises = (up or increased).lower() in ("up", "increased")
        change += (number_of(words) or 0) * (1 if rises else -1)
    return _CHANGE.sub("", text).rstrip(), change
