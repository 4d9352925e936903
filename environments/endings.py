"""Signs of death, victory and the end, in the words that interactive fiction uses for them."""

from __future__ import annotations

import re

_END_PROMPT = re.compile(
    r"\brestart\b.{0,200}\brestore\b.{0,300}\b(?:quit|end)\b|\brestore\b.{0,200}\brestart\b.{0,300}\bquit\b",
    re.IGNORECASE | re.DOTALL,
)
_INSISTING = re.compile(r"\b(?:restart|please|answer)\b", re.IGNORECASE)
_TAIL = 600
"""An end prompt stands in the last letters of a reply."""
_BANNER = re.compile(r"(?<!\*)\*{2,}\s*([^*\n]{3,80}?)\s*\*{2,}")
_DEAD = re.compile(r"\b(?:died|dead|killed|dying|perished|your death)\b", re.IGNORECASE)
_DEAD_LINE = re.compile(
    r"^[^\w\n]{0,40}you (?:have died|are dead|died)[^\w\n]{0,40}$", re.IGNORECASE | re.MULTILINE
)
_WON = re.compile(r"\b(?:won|win|victory|victorious|triumph\w*|succeeded)\b", re.IGNORECASE)


def asks_what_next(text: str) -> bool:
    """Whether a reply ends by naming restart, restore and quit.

    The story is over then, if what it asks is all it hears (see `insists`): help texts name them
    too.
    """
    return "est" in text.lower() and bool(_END_PROMPT.search(text[-_TAIL:]))


def insists(reply: str) -> bool:
    """Whether the reply to an ordinary command insists on an answer to what was asked."""
    return bool(_INSISTING.search(reply))


def tells_of_death(text: str) -> bool:
    """Whether a starred banner, or a line by itself, says that the protagonist died."""
    if "**" in text and any(_DEAD.search(banner) for banner in _BANNER.findall(text)):
        return True
    return bool(_DEAD_LINE.search(text))


def tells_of_victory(text: str) -> bool:
    """Whether a starred banner says that the story is won."""
    return "**" in text and any(_WON.search(banner) for banner in _BANNER.findall(text))
