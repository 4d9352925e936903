"""Several commands on one line, told apart from one command about several things."""

from __future__ import annotations

import re
from collections.abc import Collection

DIRECTIONS = frozenset(
    "n s e w ne nw se sw u d north south east west northeast northwest southeast southwest "
    "up down in out".split()
)
_ALONE = frozenset("look l inventory i wait z score again g listen exit".split())
"""Verbs that need no noun; another lone word after a comma or "and" is a noun: "rope and light"."""
_SPEECH = frozenset("tell ask say order command answer shout type write".split())
"""Verbs whose text may hold a command for somebody else."""
_STRONG = re.compile(r"\s*(?:[.;](?=\s|$)|,?\s*\b(?:and\s+)?then\b)\s*", re.IGNORECASE)
_WEAK = re.compile(r"\s*(?:,\s*(?:and\b)?|\band\b)\s*", re.IGNORECASE)


def split_commands(text: str, verbs: Collection[str]) -> list[str]:
    """The commands in a line, in their order; the whole line where it is one command.

    It is split only where every part starts with one of `verbs` or is a direction, so that
    "take lamp, rope and sword" and "robot, go north" stay whole.
    """
    line = text.strip().rstrip(".;, ")
    if '"' in line or _first(line) in _SPEECH:
        return [line]
    sentences = [part for part in _STRONG.split(line) if part]
    if not all(_starts(part, verbs) for part in sentences):
        return [line]
    return [part for sentence in sentences for part in _clauses(sentence, verbs)] or [line]


def _clauses(sentence: str, verbs: Collection[str]) -> list[str]:
    parts = [part for part in _WEAK.split(sentence) if part]
    if all(_starts(part, verbs) and _complete(part) for part in parts[1:]):
        return parts
    return [sentence]


def _complete(part: str) -> bool:
    return len(part.split()) > 1 or part.lower() in DIRECTIONS or part.lower() in _ALONE


def _starts(part: str, verbs: Collection[str]) -> bool:
    return _first(part) in DIRECTIONS or _first(part) in verbs


def _first(part: str) -> str:
    words = part.lower().split(maxsplit=1)
    return words[0].rstrip(",") if words else ""
