"""Whether a story is over, in any language: by what it still hears.

A story that is over repeats its question whatever is typed, or goes away. Stars around its last
words, or that it speaks of starting anew, are evidence besides, and never enough.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from environments.frotz import READ_KEY, Frotz
from environments.sanitiser import META
from environments.scoring import asks_what_next, has_banner
from environments.screen import clean
from environments.vocabulary import Vocabulary

_COMMANDS = ("look", "inventory")
_ANSWERS = ("yes", "no", "1")
_VERBS = 8
"""So many of the story's own verbs are typed besides; of other words, where it has none."""
_KEYS = ("x", " ", "", "5")
_WORDS = 24
"""So many words of the question are tried as an answer to it."""
_WORD = re.compile(r"[^\W\d_]+")
_QUESTION = 300
"""Letters of a reply and of what is answered that hold the question."""


class EndCheck:
    """Finds out what one story still hears; what is tried for that is rolled back."""

    def __init__(self, frotz: Frotz, vocabulary: Vocabulary) -> None:
        self._frotz = frotz
        words = [entry for entry in vocabulary if _is_usual(entry.text)]
        verbs = [entry.text for entry in words if entry.verb]
        self._own = _some(verbs, _VERBS) if verbs else _some([one.text for one in words], _WORDS)

    def __call__(self, text: str) -> bool:
        """Whether the story is over after this reply.

        Raises:
            Halted: The story did not survive what was tried.
        """
        one_key = self._frotz.opcode == READ_KEY
        heard = self._heard(_KEYS if one_key else (*_COMMANDS, *self._own, *_ANSWERS))
        if heard is None:
            return False
        if has_banner(text) or asks_what_next(text) or None in heard:
            return True
        answers = self._question(text, heard)
        return any(self._hears(word[0] if one_key else word) is None for word in answers)

    def _heard(self, lines: Iterable[str]) -> set[str | None] | None:
        """The replies to some lines, where they are one and the same; None where they differ.

        The reply None, where the story goes away, may be beside it.
        """
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


def _some(words: list[str], most: int) -> list[str]:
    """Words from all over the list."""
    return words[:: len(words) // most + 1]


def _is_usual(verb: str) -> bool:
    """Whether a verb is no command about the session."""
    return verb.isalpha() and not any(meta.startswith(verb) for meta in META)
