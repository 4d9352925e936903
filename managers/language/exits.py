"""Exits that the prose of a room mentions."""

from __future__ import annotations

import re
from functools import lru_cache

from managers.language.actions import DIRECTIONS, WORDS
from managers.language.patterns import pattern

_UNSURE = frozenset({"out", "exit", "leave", "enter", "inside", "outside"})
"""Words that mostly mean something else in a description."""
_NAMES = "|".join(
    sorted(
        (re.escape(word) for word in WORDS if len(word) > 2 and word not in _UNSURE),
        key=len,
        reverse=True,
    )
)
_DIRECTION = re.compile(
    rf"\b({_NAMES})\b|\b([NSEW]|NE|NW|SE|SW)/([NSEW]|NE|NW|SE|SW)\b|\b(ne|nw|se|sw)\b",
    re.IGNORECASE,
)
_NOT = pattern(
    r"""\b(?:no\ (?:exit|door|way|path|passage)|not\ (?:go|lead|enter|possible|get)
        |can't|cannot|couldn't|impossible|blocked|(?:west|east|north|south)\ of)\b[^.;]{0,24}$"""
)
_SIDE = re.compile(r"^\s*(?:side|wall|of|end of|bank|shore|edge|face)\b", re.I)
_ALL_WAYS = re.compile(
    r"\b(?:in all directions|in every direction|on all sides|all around)\b", re.I
)
_STAIRS = re.compile(
    r"\b(?:stairs?|staircase|stairway|steps|ladder|path|passage|chimney|chute|slope|shaft|slide|scramble)\b"
    r"[^.;]{0,40}?\b(up|down|upward|downward|upwards|downwards|upstairs|downstairs|below|above)\b|"
    r"\b(ascending|descending)\b",
    re.I,
)
_VERTICAL = re.compile(r"\b(?:leads?|leading|goes|going|climbs?|climb|lead back) (up|down)\b", re.I)


@lru_cache(maxsize=512)
def exits_in(prose: str) -> tuple[str, ...]:
    """The directions a description mentions as ways to go, in canonical order.

    Walls and sides do not count (`the south wall`, `west of a house`), nor does what the
    prose denies.
    """
    found: set[str] = set()
    for match in _DIRECTION.finditer(prose):
        if _SIDE.match(prose[match.end() :]) or _NOT.search(prose[: match.start()]):
            continue
        found.update(_named(match))
    for match in _STAIRS.finditer(prose):
        word = (match[1] or match[2]).lower()
        found.add("down" if word.startswith(("down", "below", "desc")) else "up")
    found.update(match[1].lower() for match in _VERTICAL.finditer(prose))
    if _ALL_WAYS.search(prose) and re.search(
        r"\b(?:passage|exit|path|way|tunnel|corridor|opening|door)", prose, re.I
    ):
        found.update(DIRECTIONS[:8])
    return tuple(name for name in DIRECTIONS if name in found)


def _named(match: re.Match[str]) -> list[str]:
    words = [word for word in match.groups() if word]
    return [WORDS[word.lower()] for word in words if word.lower() in WORDS]
