"""Signs of death and victory in a reply, and whether the story is over: in any language.

That it is over shows in what it still hears: whatever is typed, it repeats its question, or goes
away. Words that ask for it are evidence besides, and never enough.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from environments.frotz import READ_KEY, Frotz
from environments.sanitiser import META
from environments.screen import clean
from environments.vocabulary import Vocabulary

_END_PROMPT = re.compile(
    r"\brestart\b.{0,200}\brestore\b.{0,300}\b(?:quit|end)\b|\brestore\b.{0,200}\brestart\b.{0,300}\bquit\b",
    re.IGNORECASE | re.DOTALL,
)
_TAIL = 600
"""An end prompt stands in the last letters of a reply."""
_BANNER = re.compile(r"\*{2,}\s*([^*\n]{3,80}?)\s*\*{2,}")
_DEAD = re.compile(
    r"\b(?:died|dead|killed|dying|perished|your death|gestorben|tot|mort[aeo]?|muert[ao]|död|"
    r"dood|død|погибли?|умерли?|мертвы?)\b",
    re.IGNORECASE,
)
_DEAD_LINE = re.compile(r"^\W*you (?:have died|are dead|died)\W*$", re.IGNORECASE | re.MULTILINE)
_WON = re.compile(
    r"\b(?:won|win|victory|victorious|triumph\w*|succeeded|gewonnen|gesiegt|gagné|vaincu|"
    r"ganado|vencido|vinto|ganhou|venceu|vunnit|vundet|vann|победили?|выиграли?)\b",
    re.IGNORECASE,
)

_COMMANDS = ("look", "inventory")
_ANSWERS = ("yes", "no", "1")
_VERBS = 8
"""So many of the story's own verbs are typed besides."""
_KEYS = ("x", " ", "", "5")
_WORDS = 24
"""So many words of the question are tried as an answer to it."""
_WORD = re.compile(r"[^\W\d_]+")
_QUESTION = 300
"""Letters of a reply and of what is answered that hold the question."""


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


class EndCheck:
    """Finds out what one story still hears; what is tried for that is rolled back."""

    def __init__(self, frotz: Frotz, vocabulary: Vocabulary) -> None:
        self._frotz = frotz
        verbs = [entry.text for entry in vocabulary if entry.verb and _is_usual(entry.text)]
        self._verbs = verbs[:: len(verbs) // _VERBS + 1]

    def __call__(self, text: str) -> bool:
        """Whether the story is over after this reply.

        Raises:
            Halted: The story did not survive what was tried.
        """
        one_key = self._frotz.opcode == READ_KEY
        heard = self._heard(_KEYS if one_key else (*_COMMANDS, *self._verbs, *_ANSWERS))
        if heard is None:
            return False
        if has_banner(text) or asks_what_next(text) or None in heard:
            return True
        answers = self._question(text, heard)
        return any(self._hears(word[0] if one_key else word) is None for word in answers)

    def _heard(self, lines: Iterable[str]) -> set[str | None] | None:
        """What is answered to all of them: one reply, None where the story goes away; else None."""
        heard: set[str | None] = set()
        for line in lines:
            heard.add(self._hears(line))
            if len(heard - {None}) > 1:
                return None
        return heard

    def _hears(self, line: str) -> str | None:
        """The reply to a line or key; None where the story quits, restarts, saves or restores."""
        frotz = self._frotz
        here = frotz.mark()
        lower, upper = frotz.hooks.screen.divide(frotz.step(line))
        left, moved = frotz.hooks.left, frotz.prompt != here.prompt
        frotz.back(here)
        if left:
            return None
        reply = clean(lower, upper)
        return f"{reply}\0{line}" if moved else reply

    def _question(self, text: str, heard: set[str | None]) -> Iterator[str]:
        """The words of what the story asks, the last first."""
        asked = f"{text[-_QUESTION:]} {''.join(filter(None, heard))[-_QUESTION:]}".lower()
        words = dict.fromkeys(reversed(_WORD.findall(asked)))
        return islice(iter(words), _WORDS)


def _is_usual(verb: str) -> bool:
    """Whether a verb is no command about the session."""
    return verb.isalpha() and not any(meta.startswith(verb) for meta in META)
