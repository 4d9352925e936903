"""Exits that the prose of a room mentions."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib.resources import files

from managers.language.actions import DIRECTIONS, WORDS
from managers.language.outcomes import sentences
from managers.language.patterns import pattern

_VERTICAL = frozenset({"up", "down", "in", "out"})
"""Words that mostly mean something else in a description."""
_NAMES = "|".join(
    sorted(
        (re.escape(word) for word, way in WORDS.items() if len(word) > 2 and way not in _VERTICAL),
        key=len,
        reverse=True,
    )
)
_DIRECTION = re.compile(
    rf"\b({_NAMES})(?:wards?)?\b|\b([NSEW]|NE|NW|SE|SW)/([NSEW]|NE|NW|SE|SW)\b|\b(ne|nw|se|sw)\b",
    re.IGNORECASE,
)


@cache
def _patterns(kind: str) -> tuple[re.Pattern[str], ...]:
    told = tomllib.loads((files(__package__) / "exits.toml").read_text(encoding="utf-8"))
    texts = told[kind]
    for part, meaning in told["parts"].items():
        texts = [text.replace(f"<{part}>", meaning) for text in texts]
    return tuple(map(pattern, texts))


@lru_cache(maxsize=512)
def exits_in(prose: str) -> tuple[str, ...]:
    """The directions a description mentions as ways to go, in canonical order.

    Walls and sides do not count (`the south wall`, `west of a house`), nor do windows, what the
    prose denies, and stairs that are no more.
    """
    found = {way for sentence in sentences(prose) for way in _ways(sentence)}
    return tuple(name for name in DIRECTIONS if name in found)


def _ways(sentence: str) -> Iterator[str]:
    if _says("all_ways", sentence):
        yield from DIRECTIONS[:8]
    for match in _DIRECTION.finditer(sentence):
        if _leads_on(sentence[: match.start()], sentence[match.end() :]):
            yield from (WORDS[word.lower()] for word in match.groups() if word)
    if not _says("broken", sentence) and not _says("same", sentence):
        yield from _up_or_down(sentence)


def _leads_on(before: str, after: str) -> bool:
    """Whether a direction between these words is one to go."""
    if _says("barred", before):
        return False
    opens = _says("opening_before", before) or _says("opening_after", after)
    return opens or not _says("part", after)


def _up_or_down(sentence: str) -> Iterator[str]:
    for one in _patterns("vertical"):
        for match in one.finditer(sentence):
            yield "down" if match[1].lower().startswith(("down", "below", "desc")) else "up"


def _says(kind: str, text: str) -> bool:
    return any(one.search(text) for one in _patterns(kind))
