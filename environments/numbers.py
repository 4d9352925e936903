"""Numbers that are written as words."""

from __future__ import annotations

import re

_NUMBERS = {
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen nineteen twenty".split()
    )
}
_NUMBERS |= {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80}
_NUMBERS |= {"ninety": 90, "hundred": 100}
_ONE = "|".join(_NUMBERS)
_SPELLED = re.compile(rf"\b(?:{_ONE})(?:(?:[ -]| and )(?:{_ONE}))*\b", re.IGNORECASE)


def number_of(words: str) -> int | None:
    """`twenty-five` -> 25, `one hundred` -> 100, `12` -> 12; None for what is no number."""
    if words.strip().isdecimal():
        return int(words)
    total = 0
    for word in words.lower().replace("-", " ").split():
        if word == "and":
            continue
        if word not in _NUMBERS:
            return None
        total = total * 100 if word == "hundred" and total else total + _NUMBERS[word]
    return total if _SPELLED.search(words) else None


def in_digits(text: str) -> str:
    """The text with its numbers in digits."""
    return _SPELLED.sub(lambda match: str(number_of(match[0])), text)
