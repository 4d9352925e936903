"""Signs of death, victory and the end in a reply, in the words that stories use for them."""

from __future__ import annotations

import re

_END_PROMPT = re.compile(
    r"\brestart\b.{0,200}\brestore\b.{0,300}\b(?:quit|end)\b|\brestore\b.{0,200}\brestart\b.{0,300}\bquit\b",
    re.IGNORECASE | re.DOTALL,
)
_TAIL = 600
"""An end prompt stands in the last letters of a reply."""
_BANNER = re.compile(r"(?<!\*)\*{2,}\s*([^*\n]{3,80}?)\s*\*{2,}")
_DEAD = re.compile(
    r"\b(?:died|dead|killed|dying|perished|your death|gestorben|tot|mort[aeo]?|muert[ao]|död|"
    r"dood|død|погибли?|умерли?|мертвы?)\b",
    re.IGNORECASE,
)
_DEAD_LINE = re.compile(
    r"^[^\w\n]{0,40}you (?:have died|are dead|died)[^\w\n]{0,40}$", re.IGNORECASE | re.MULTILINE
)
_WON = re.compile(
    r"\b(?:won|win|victory|victorious|triumph\w*|succeeded|gewonnen|gesiegt|gagné|vaincu|"
    r"ganado|vencido|vinto|ganhou|venceu|vunnit|vundet|vann|победили?|выиграли?)\b",
    re.IGNORECASE,
)


def asks_what_next(text: str) -> bool:
    """Whether a reply ends by naming restart, restore and quit, as help texts do, too."""
    return "est" in text.lower() and bool(_END_PROMPT.search(text[-_TAIL:]))


def has_banner(text: str) -> bool:
    """Whether something stands between stars."""
    return "**" in text and bool(_BANNER.search(text))


def tells_of_death(text: str) -> bool:
    """Whether a starred banner, or a line by itself, says that the protagonist died."""
    if "**" in text and any(_DEAD.search(banner) for banner in _BANNER.findall(text)):
        return True
    return bool(_DEAD_LINE.search(text))


def tells_of_victory(text: str) -> bool:
    """Whether a starred banner says that the story is won."""
    return "**" in text and any(_WON.search(banner) for banner in _BANNER.findall(text))
