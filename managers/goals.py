"""What an objective's text asks for."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from managers.objectives import places

_VERBS = {
    "have": "get take fetch find obtain collect grab acquire recover steal",
    "open": "open",
    "unlocked": "unlock",
    "explore": "explore reach visit enter search map see",
    "light": "light illuminate",
    "deposit": "put bring deposit store place return deliver",
    "defeat": "fight defeat kill attack beat overcome",
    "descend": "descend",
}
_GOAL_OF = {word: goal for goal, words in _VERBS.items() for word in words.split()}
_CUT = re.compile(r"\b(?:in|at|from|to|into|with|for|by|so|and|near)\b|[,;(:]")


class Goal(NamedTuple):
    """An objective's text taken apart."""

    aim: str
    """have, open, unlocked, explore, light, deposit, defeat, or empty."""
    noun: str
    places: tuple[str, ...]

    @property
    def condition(self) -> str:
        """What the world model can check, or nothing."""
        return f"{self.aim} {self.noun}" if self.aim in _CHECKED and self.noun else ""


_CHECKED = frozenset({"have", "open", "unlocked"})


@lru_cache(maxsize=512)
def goal_of(text: str) -> Goal:
    """Read a goal out of an objective's text: `open the grate in L5` -> open, grate, L5."""
    words = text.split()
    aim = _GOAL_OF.get(words[0].lower(), "") if words else ""
    rest = _CUT.split(" ".join(words[1:]), maxsplit=1)[0]
    noun = re.sub(r"\b(?:the|a|an|some|locked|closed|L\d+)\b", " ", rest, flags=re.IGNORECASE)
    return Goal(aim, " ".join(noun.lower().split()), places(text))
