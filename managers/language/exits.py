"""Exits that the prose of a room mentions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import islice

from managers.language.actions import DIRECTIONS, WAYS
from managers.language.layout import sentences
from managers.language.patterns import pattern, read_table

_MOST_WORDS = 24
"""So many words for ways one sentence is read for."""


@cache
def _kinds() -> Sequence[tuple[re.Pattern[str], Mapping[str, str], re.Pattern[str], bool]]:
    """Words, the ways they mean, what has to be said, and whether it may be of broken stairs."""
    found = []
    for name, kind in read_table("exits")["kinds"].items():
        ways = {word: way for way, words in kind["words"].items() for word in words.split()}
        # Letters stand for directions only where they are capitals.
        case = 0 if name == "letters" else re.IGNORECASE
        words = re.compile(rf"\b(?:{'|'.join(map(re.escape, ways))})\b", case)
        lower = {word.lower(): way for word, way in ways.items()}
        found.append((words, lower, _any_of(kind["says"]), name in ("steep", "doors")))
    return found


@cache
def _rule(name: str) -> re.Pattern[str]:
    return _any_of(read_table("exits")[name])


def _any_of(texts: Sequence[str]) -> re.Pattern[str]:
    return pattern("|".join(f"(?:{text})" for text in texts), "exits")


@lru_cache(maxsize=512)
def exits_in(prose: str) -> tuple[str, ...]:
    """The directions a description mentions as ways to go (`the south wall` is none), in order."""
    found = {way for sentence in sentences(prose) for way in _ways(sentence)}
    return tuple(name for name in WAYS if name in found)


@lru_cache(maxsize=512)
def slopes_in(prose: str) -> Mapping[str, str]:
    """Up and down, where a description says in which direction that is."""
    return {one["steep"].lower(): one["way"].lower() for one in _rule("slope").finditer(prose)}


def _ways(sentence: str) -> Iterator[str]:
    if _rule("all_ways").search(sentence):
        yield from DIRECTIONS[:8]
    useless = _rule("broken").search(sentence) or _rule("same").search(sentence)
    for words, ways, says, of_stairs in _kinds():
        for match in islice(words.finditer(sentence), _MOST_WORDS):
            marked = f"{sentence[: match.start()]}@{sentence[match.end() :]}"
            leads = says.search(marked) and not _rule("never").search(marked)
            if leads and not (of_stairs and useless):
                yield ways[match[0].lower()]
