"""Signs of death, victory and the end, in the words that interactive fiction uses for them."""

from __future__ import annotations

import re

_END_PROMPT = re.compile(
    r"\brestart\b.{0,200}\brestore\b.{0,300}\b(?:quit|end)\b|\brestore\b.{0,200}\brestart\b.{0,300}\bquit\b",
    re.IGNORECASE | re.DOTALL,
)
_TAIL = 600
"""An end prompt stands in the last letters of a reply."""
_BANNER = re.compile(r"\*{2,}\s*([^*\n]{3,80}?)\s*\*{2,}")
_DEAD = re.compile(r"\b(?:died|dead|killed|dying|perished|your death)\b", re.IGNORECASE)
_WON = re.compile(r"\b(?:won|win|victory|victorious|triumph\w*|succeeded)\b", re.IGNORECASE)


def asks_what_next(text: str) -> bool:
    """Whether a reply ends by asking to restart, restore or quit: the story is over."""
    return "est" in text.lower() and bool(_END_PROMPT.search(text[-_TAIL:]))


def tells_of_death(text: str) -> bool:
    """Whether a starred banner says that the protagonist died."""
    return "**" in text and any(_DEAD.search(banner) for banner in _BANNER.findall(text))


def tells_of_victory(text: str) -> bool:
    """Whether a starred banner says that the story is won."""
    return "**" in text and any(_WON.search(banner) for banner in _BANNER.findall(text))
