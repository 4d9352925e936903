"""Typed text in the letters that a story can read."""

from __future__ import annotations

import re
import unicodedata

from environments.letters import Letters
from environments.vocabulary import Vocabulary

_STAND_INS = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u00b4`", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033«»", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
        "ß": "ss", "ẞ": "ss", "æ": "ae", "Æ": "ae", "œ": "oe", "Œ": "oe", "ø": "o", "Ø": "o",
        "ł": "l", "Ł": "l", "đ": "d", "Đ": "d", "ð": "d", "Ð": "d", "þ": "th", "Þ": "th",
    }
)  # fmt: skip
"""What has no likeness in ASCII by its form alone; quotes and dashes of books, as typed."""
_SPELT_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})
"""How German and the Nordic languages write their letters in ASCII."""
_WORD = re.compile(r"([^\W_]+)")
"""In parentheses: what lies between words is split off, too."""
_FOREIGN = re.compile(r"[^\x00-\x7f]")


def folded(text: str) -> str:
    """The text in ASCII: letters without their marks, and a blank for what has no likeness."""
    plain = unicodedata.normalize("NFKD", text.translate(_STAND_INS))
    return _FOREIGN.sub(" ", "".join(c for c in plain if not unicodedata.combining(c)))


class Spelling:
    """Writes words as one story's parser knows them."""

    def __init__(self, letters: Letters, vocabulary: Vocabulary) -> None:
        self._letters = letters
        self._vocabulary = vocabulary
        self._own = {c for entry in vocabulary for c in entry.text if not c.isascii()}
        """The letters beyond ASCII that its dictionary has."""

    def of(self, text: str) -> str:
        """The text with every letter that the story can read, the others folded.

        A word of the dictionary stays as it is, and one that the dictionary has without its marks
        loses them; of a word that it does not have, the letters that it knows stay.
        """
        if text.isascii():
            return text
        parts = _WORD.split(unicodedata.normalize("NFC", text))
        return "".join(self._word(p.lower()) if _WORD.match(p) else folded(p) for p in parts)

    def _word(self, spoken: str) -> str:
        if spoken.isascii():
            return spoken
        if spoken in self._vocabulary and all(map(self._letters.can_type, spoken)):
            return spoken
        for form in (folded(spoken.translate(_SPELT_OUT)), folded(spoken)):
            if form in self._vocabulary:
                return form
        return "".join(c if self._keeps(c) else folded(c) for c in spoken)

    def _keeps(self, letter: str) -> bool:
        return letter in self._own and self._letters.can_type(letter)
