"""Exits that the prose of a room mentions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from managers.language.actions import DIRECTIONS, WAYS
from managers.language.layout import sentences
from managers.language.patterns import pattern, table


class _Kind(NamedTuple):
    """Words for directions of which the same has to be said."""

    words: re.Pattern[str]
    ways: Mapping[str, str]
    """Word -> the direction that it means."""
    says: Sequence[re.Pattern[str]]
    aside: bool
    """Stairs and doors: where a sentence calls them broken, or the same as another way, no ways."""


class _Rules(NamedTuple):
    """All of `exits.toml`."""

    patterns: Mapping[str, Sequence[re.Pattern[str]]]
    kinds: Sequence[_Kind]


@cache
def _rules() -> _Rules:
    told = dict(table("exits"))
    parts, kinds = told.pop("parts"), told.pop("kinds")

    def compiled(texts: Sequence[str]) -> tuple[re.Pattern[str], ...]:
        return tuple(pattern(text, parts) for text in texts)

    def kind(name: str) -> _Kind:
        ways = {word: way for way, words in kinds[name]["words"].items() for word in words.split()}
        any_of = "|".join(map(re.escape, ways))
        # Letters stand for directions only where they are capitals.
        words = re.compile(rf"\b(?:{any_of})\b", 0 if name == "letters" else re.IGNORECASE)
        return _Kind(words, ways, compiled(kinds[name]["says"]), name in ("steep", "doors"))

    return _Rules({name: compiled(texts) for name, texts in told.items()}, [*map(kind, kinds)])


@lru_cache(maxsize=512)
def exits_in(prose: str) -> tuple[str, ...]:
    """The directions a description mentions as ways to go, in canonical order.

    Walls and sides do not count (`the south wall`, `west of a house`), nor do windows, what the
    prose denies, and stairs that are no more.
    """
    found = {way for sentence in sentences(prose) for way in _ways(sentence)}
    return tuple(name for name in WAYS if name in found)


@lru_cache(maxsize=512)
def slopes_in(prose: str) -> Mapping[str, str]:
    """Up and down, where a description says in which direction that is."""
    found = (match for one in _rules().patterns["slope"] for match in one.finditer(prose))
    return {match["steep"].lower(): match["way"].lower() for match in found}


def _ways(sentence: str) -> Iterator[str]:
    if _says("all_ways", sentence):
        yield from DIRECTIONS[:8]
    useless = _says("broken", sentence) or _says("same", sentence)
    for kind in _rules().kinds:
        for match in kind.words.finditer(sentence):
            marked = f"{sentence[: match.start()]}@{sentence[match.end() :]}"
            if any(one.search(marked) for one in kind.says) and not _says("never", marked):
                way = kind.ways.get(match[0]) or kind.ways[match[0].lower()]
                if not (kind.aside and useless):
                    yield way


def _says(name: str, text: str) -> bool:
    return any(one.search(text) for one in _rules().patterns[name])
