"""Do a name and a thing go together? `key` may be the `brass key`, `iron key` is not.

Adjectives distinguish: a name that says more than is known of a thing may be that thing's, one
that says something else is not. What several things fit equally well means none of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from managers.language.lexicon import classes_of, grammar, head_of, words_of

SAME = 3.0
"""A likeness from here on: the very same name."""
KNOWN = 2.5
"""From here on: the name says nothing that is not known of the thing."""
FITS = 1.0
"""From here on: the name may be the thing's."""
_SAYS_MORE = 2.0
_OTHERWISE = 1.5
"""One tells how it is, the other what of: `old leather bag`, `leather bag of coins`."""
_BY_ADJECTIVE = 1.2
_SHARED, _MOST_SHARED = 0.1, 4


class _Noun(NamedTuple):
    """A name taken apart."""

    head: str
    before: frozenset[str]
    after: frozenset[str]

    @property
    def words(self) -> frozenset[str]:
        return self.before | self.after


def likeness(name: str, known: str) -> float:
    """How well a name fits what is known by another: 0 not at all, 1 to 3 it may, 3 the same."""
    return _likeness(name, (known,))


def fit(name: str, entry: Mapping[str, Any]) -> float:
    """How well a name fits a thing by all that it has been called."""
    return _likeness(name, (entry["name"], *entry.get("aka", ())))


def same_kind(one: str, other: str) -> bool:
    """Two nouns for one kind of thing, `lamp` and `lantern`, and no adjectives that differ."""
    mine, others = _taken_apart(one), _taken_apart(other)
    if mine.head == others.head or not (mine.words <= others.words or others.words <= mine.words):
        return False
    return bool({*classes_of(one)} & {*classes_of(other)} & {"light-source", "key-like"})


def best_matches(
    name: str, entries: Iterable[tuple[str, Mapping[str, Any]]], least: float = FITS
) -> list[str]:
    """The ids of the entries that a name fits best, which are several where it is ambiguous."""
    fits = [(fit(name, entry), id) for id, entry in entries]
    best = max((one for one, _ in fits), default=0.0)
    return [id for one, id in fits if one == best] if best >= least else []


@lru_cache(maxsize=16384)
def _likeness(name: str, names: Sequence[str]) -> float:
    """`names` are the thing's own and, after it, what else it has been called."""
    telling = [names[0], *(one for one in names[1:] if not _is_shorter(one, names[0]))]
    if any(_plain(name) == _plain(one) for one in telling):
        return SAME
    mine, known = _taken_apart(name), [_taken_apart(one) for one in names]
    before = frozenset[str]().union(*(one.before for one in known))
    after = frozenset[str]().union(*(one.after for one in known))
    if not any(_same_noun(mine.head, one.head) for one in known):
        by_adjective = mine.head in after or (mine.head in before and not classes_of(mine.head))
        return _BY_ADJECTIVE if by_adjective and mine.words <= before | after else 0.0
    new, missing = mine.words - before - after, (before | after) - mine.words
    if new and missing:
        differs = (new & mine.before and missing & before) or (new & mine.after and missing & after)
        return 0.0 if differs else _OTHERWISE
    shared = min(len(mine.words & (before | after)), _MOST_SHARED)
    return (_SAYS_MORE if new else KNOWN) + _SHARED * shared


def _is_shorter(name: str, known: str) -> bool:
    mine, others = _taken_apart(name), _taken_apart(known)
    return mine.head == others.head and mine.words < others.words


def _same_noun(one: str, other: str) -> bool:
    return one == other or f"{one}s" == other or f"{other}s" == one


def _plain(name: str) -> str:
    return name.replace(" ", "")


@lru_cache(maxsize=8192)
def _taken_apart(name: str) -> _Noun:
    head = head_of(name)
    small = grammar()["preposition"] | grammar()["determiner"]
    words = words_of(name)
    at = words.index(head) if head in words else 0
    before, after = (
        frozenset(
            part
            for word in some
            for part in (word, *word.split("-"))
            if word != head and part not in small
        )
        for some in (words[:at], words[at + 1 :])
    )
    return _Noun(head, before, after)
