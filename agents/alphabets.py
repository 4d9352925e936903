"""In whose letters a command is written, and whether its story knows them."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

USUAL = "LATIN"
"""What every story's parser takes."""


def foreign_letters(command: str, texts: Iterable[str]) -> str:
    """The letters of a command that belong to an alphabet in which none of a story's texts is.

    Args:
        command: What a model wants to type.
        texts: What the story has said.
    """
    strange = {letter: _alphabet(letter) for letter in command if letter.isalpha()}
    unknown = set(strange.values()) - {USUAL}
    for text in texts if unknown else ():
        unknown -= {_alphabet(letter) for letter in set(text) if letter.isalpha()}
    return "".join(letter for letter, alphabet in strange.items() if alphabet in unknown)


def _alphabet(letter: str) -> str:
    """The first word of a letter's name in Unicode: LATIN, CYRILLIC, CJK, HIRAGANA."""
    return unicodedata.name(letter, "UNNAMED").split()[0]
