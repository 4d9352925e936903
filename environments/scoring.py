"""How a play stands: the score as a story tells it, and the words that stories end with."""

from __future__ import annotations

import re
from typing import NamedTuple

from environments.frotz import Frotz
from environments.numbers import in_digits

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
_OF = re.compile(
    r"(-?\b\d+)(?:\s+points?)?\s*(?:/|\b(?:out\s+)?of\b)\s*"
    r"(?:(?:a|the|possible|maximum|total|of)\s+){0,4}(\d+)(?:\s+points?)?\b",
    re.IGNORECASE,
)
"""So many out of so many; counts beside a word for the score."""
_SPELLED = re.compile(r"\b[a-z]+ out of (?:a possible )?[a-z]+\b", re.IGNORECASE)
"""So many out of so many, in words."""
_ELSEWHERE = re.compile(
    r"(-?\b\d+)\s+(?:[^\W\d_]+\s+){0,2}?(?:von|aus|sur|de|di|su|van|av|af|из)\s+"
    r"(?:[^\W\d_]+\s+){0,4}?(\d+)\b",
    re.IGNORECASE,
)
_POINTS = re.compile(r"\b(?:punkt|punt|pont|point|poäng|очк)", re.IGNORECASE)
"""The same in other languages, and how their words for points begin."""
_LONGEST = 400
"""Letters in which a story says that in another language."""
_ABOUT = re.compile(r"\b(?:scored?|points?)\b", re.IGNORECASE)
_SCORE = re.compile(
    r"\b(?:scored?|points)\b[^.\d-]{0,40}(-?\d+)|(?<!\d)(-?\d+)\s+points?\b", re.IGNORECASE
)
_MAXIMUM = re.compile(
    r"\b(?:out of|maximum|total of|of a possible|possible)\b\D{0,24}(\d+)", re.IGNORECASE
)
_TURNS = re.compile(r"\b(\d+)\s+(?:moves?|turns?)\b", re.IGNORECASE)


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


class Told(NamedTuple):
    """What a text tells of the score."""

    score: int | None
    maximum: int
    """0 where it tells none."""
    turns: int | None


NOTHING_TOLD = Told(None, 0, None)


def read_score(text: str) -> Told:
    """Read a reply to `score`, or the last words of a story."""
    text = in_digits(text) if _SPELLED.search(text) else text
    foreign = _ELSEWHERE.search(text) if len(text) <= _LONGEST and _POINTS.search(text) else None
    if foreign:
        return Told(int(foreign[1]), int(foreign[2]), None)
    if not (score := _SCORE.search(text)):
        return NOTHING_TOLD
    rest = text[score.start() :]
    maximum, turns = _MAXIMUM.search(rest), _TURNS.search(rest)
    if (share := _OF.search(text)) and _ABOUT.search(text[: share.end()]):
        told = int(turns.group(1)) if turns else None
        return Told(int(share.group(1)), int(share.group(2)), told)
    return Told(
        int(score.group(1) or score.group(2)),
        int(maximum.group(1)) if maximum else 0,
        int(turns.group(1)) if turns else None,
    )


def ask_score(frotz: Frotz) -> Told:
    """Try the command `score`, and come back."""
    here = frotz.mark()
    lower, _ = frotz.hooks.screen.divide(frotz.step("score"))
    frotz.back(here)
    return read_score(lower)
