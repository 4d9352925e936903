"""Regular expressions over prose, with names for the parts that recur."""

from __future__ import annotations

import re

_PARTS = {
    "<name>": r"[^.;:!?\n]{2,160}?",
    "<words>": r"[\w'\ -]{2,50}?",
    "<is>": r"(?:is|are|lies?|sits?|rests?|stands?|hangs?)",
    "<det>": r"(?:the\ |your\ |an?\ |some\ )?",
    "<end>": r"(?=[.,;!?]|\ and\b|$)",
}
TITLED = "".join(rf"(?<!\b{title}\.)" for title in ("Mr", "Mrs", "Ms", "Dr", "St"))
"""Behind these a full stop ends no sentence."""


def pattern(text: str) -> re.Pattern[str]:
    """Compile a verbose pattern, case ignored, after filling in the named parts."""
    for part, meaning in _PARTS.items():
        text = text.replace(part, meaning)
    return re.compile(text, re.VERBOSE | re.IGNORECASE)
