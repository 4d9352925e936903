"""General English word lists: what nouns say about things, and closed word classes."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files

_WORD = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")
_SHORTEST_PART, _SHORTEST_COMPOUND = 3, 7
"""Letters of a word's parts and of the word, from which on it is taken for a compound."""
_CLOSED = ("verb", "plural-verb", "pronoun", "adverb", "preposition")
_ENDINGS = frozenset(
    "air ant ants ape bat bed cape chief etching fly ham hen hood ice king ledge light meter"
    " ointment pin ram rat right ring sand shed ship stand table tent tile tin vent wing".split()
)
"""Nouns that as the end of a word mostly are none: merchant, daylight, friendship, staring."""


@cache
def word_list(name: str) -> Mapping[str, list[str]]:
    """What stands before the colon -> the words behind it, of each line of a file."""
    text = (files(__package__) / "lexicon" / name).read_text(encoding="utf-8")
    lines = (line.partition(":") for line in text.splitlines() if line and line[0] != "#")
    return {begin.strip(): words.split() for begin, _, words in lines}


@cache
def grammar() -> Mapping[str, frozenset[str]]:
    """Closed word class -> its words."""
    return {kind: frozenset(words) for kind, words in word_list("grammar.txt").items()}


def is_of(word: str, *kinds: str) -> bool:
    """It is a word of one of these closed classes."""
    return any(word in grammar()[kind] for kind in kinds)


def by_noun(classes: Mapping[str, Iterable[str]]) -> Mapping[str, list[str]]:
    """Noun -> the classes that list it, in their order."""
    found: dict[str, list[str]] = {}
    for kind, words in classes.items():
        for word in words:
            found.setdefault(word, []).append(kind)
    return found


@cache
def _classes_by_noun() -> Mapping[str, list[str]]:
    return by_noun(word_list("things.txt"))


def is_listed(word: str) -> bool:
    """The lists name this very word as a noun, not only what it is made of: `leaves`."""
    return word in _classes_by_noun()


def words_of(text: str) -> list[str]:
    """The lower-case words of a text."""
    return _WORD.findall(text.lower())


@lru_cache(maxsize=8192)
def head_of(name: str) -> str:
    """The noun that a phrase is about: `coil of rope` -> `rope`, `bag of coins` -> `bag`."""
    words = words_of(name)
    if "of" in words[1:-1]:
        at = words.index("of", 1)
        if not is_of(words[at - 1], "quantity"):
            words = words[:at]
    for at, word in enumerate(words[1:], 1):
        if is_of(word, "preposition") and word != "of":
            words = words[:at]
            break
    return words[-1] if words else ""


@lru_cache(maxsize=4096)
def classes_of(name: str) -> tuple[str, ...]:
    """The classes a name puts a thing into, by its head noun, with what follows from them.

    What could be carried or fixed is neither for sure: a `wooden stick`.
    """
    known = _classes_by_noun()
    kinds: Sequence[str] = known.get(known_noun(head_of(name), known), ())
    implied = [more for kind in kinds for more in word_list("implied.txt").get(kind, ())]
    described = name.partition(" of ")[0].replace("-", " ").split()[:-1]
    if "fixed" not in implied and any(is_of(word, "precious-matter") for word in described):
        kinds, implied = (*kinds, "valuable"), [*implied, "takeable"]  # `solid-gold cup`
    if "fixed" in implied and "takeable" in implied:
        implied = [more for more in implied if more not in ("takeable", "fixed", "scenery")]
    return tuple(dict.fromkeys([*kinds, *implied]))


def known_noun(noun: str, known: Container[str]) -> str:
    """The known word for a noun: itself, its singular or last part (`mailbox` -> `box`), or "".

    No word of a closed class is a compound: `prevents` is no `vents`, `yourself` no `elf`.
    """
    for ending in ("", "es", "s"):
        whole = noun.removesuffix(ending)
        if whole in known and whole + ending == noun:
            return whole
    if len(noun) < _SHORTEST_COMPOUND or is_of(noun, *_CLOSED):
        return ""
    parts = (noun[at:] for at in range(_SHORTEST_PART, len(noun) - _SHORTEST_PART + 1))
    found = (last for last in parts if last in known)
    return next((last for last in found if last not in _ENDINGS or f"-{last}" in noun), "")
