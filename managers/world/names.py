"""Do a name and a thing go together? `key` may be the `brass key`, `iron key` is not.

Adjectives distinguish: a name that says more than is known of a thing may be that thing's, one
that says something else is not. What several things fit equally well means none of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from managers.language.lexicon import classes_of, grammar, head_of, words_of

SAME = 3.0
"""A likeness from here on: the very same name."""
KNOWN = 2.5
"""From here on: the name says nothing that is not known of the thing."""
SAYS_MORE = 2.0
"""From here on: the noun is the thing's, and nothing speaks against the rest."""
FITS = 1.0
"""From here on: the name may be the thing's."""
_OTHERWISE = 1.5
"""One tells how it is, the other what of: `old leather bag`, `leather bag of coins`."""
_BY_ANOTHER_WORD = 1.2
_SHARED, _MOST_SHARED = 0.1, 4
_STEM = 5


class _Called(NamedTuple):
    """One name taken apart, or all the names of a thing together."""

    nouns: frozenset[str]
    before: frozenset[str]
    """What is said before the noun: how it is."""
    after: frozenset[str]
    """What is said after it: what of, what for."""
    words: frozenset[str]
    """Both of them."""

    def nests(self, other: _Called) -> bool:
        """One says no more than the other."""
        return self.words <= other.words or other.words <= self.words


def fit(name: str, entry: Mapping[str, Any]) -> float:
    """How well a name fits a thing by all that it has been called."""
    names, keys = (entry["name"], *entry.get("aka", ())), _keys(name)
    if all(keys.isdisjoint(_keys(one)) for one in names):
        return 0.0
    return likeness(name, *names)


def same_kind(one: str, other: str) -> bool:
    """Two nouns for one kind of thing, `lamp` and `lantern`, and no adjectives that differ."""
    mine, others = _taken_apart(one), _taken_apart(other)
    if mine.nouns == others.nouns or not mine.nests(others):
        return False
    kinds, its = {*classes_of(one)}, {*classes_of(other)}
    last_alike = ("burning-down" in kinds) == ("burning-down" in its)  # A match is no lamp.
    return last_alike and bool(kinds & its & {"light-source", "readable"})


def is_bare(name: str) -> bool:
    """It is a noun and no more."""
    return not _taken_apart(name).words


def best(fits: Sequence[tuple[str, float]], least: float) -> list[str]:
    """The ids of the best of these, which are several where a name is ambiguous."""
    most = max((one for _, one in fits), default=0.0)
    return [id for id, one in fits if one == most] if most >= least else []


@lru_cache(maxsize=16384)
def _keys(name: str) -> frozenset[str]:
    """How the words of a name begin, and the name as one word: names that are alike share one."""
    parts = (part for word in words_of(name) for part in (word, *word.split("-")))
    return frozenset(part[:_STEM] for part in (*parts, name.replace(" ", "")))


@lru_cache(maxsize=16384)
def likeness(name: str, *names: str) -> float:
    """How well a name fits a thing by all its names: 0 not at all, from 1 it may, 3 the same."""
    mine, others = _taken_apart(name), [_taken_apart(one) for one in names]
    for called, other in zip(names, others, strict=True):
        shorter = other.nouns == others[0].nouns and other.words < others[0].words
        if not shorter and called.replace(" ", "") == name.replace(" ", ""):
            return SAME
    known = _Called(*(frozenset[str]().union(*parts) for parts in zip(*others, strict=True)))
    if not mine.nouns <= known.nouns:
        return _BY_ANOTHER_WORD if _by_another_word(mine, known) else 0.0
    new, missing = mine.words - known.words, known.words - mine.words
    both = mine.words & known.words
    if new and missing:
        before, after = new & mine.before, new & mine.after
        differs = (before and missing & known.before) or (after and missing & known.after)
        return _OTHERWISE if both and not differs else 0.0
    return (SAYS_MORE if new else KNOWN) + _SHARED * min(len(both), _MOST_SHARED)


def _by_another_word(mine: _Called, known: _Called) -> bool:
    """`trap` is the trap door, `coins` the bag of coins, `sheet of paper` the paper."""
    if any(_one_stem(one, other) for one in mine.nouns for other in known.nouns):
        return mine.nests(known)
    if mine.after and mine.after <= known.nouns:
        return mine.before <= known.before
    if mine.nouns <= known.after:
        return mine.words <= known.words
    return _is_adjective(mine, known) or _is_adjective(known, mine)


def _is_adjective(called: _Called, thing: _Called) -> bool:
    """It is called by one of its adjectives: `trap`; a `glass` is no `glass key`, but a noun."""
    both_are_nouns = all(any(map(classes_of, one.nouns)) for one in (called, thing))
    adjectives = called.nouns <= thing.before and called.words <= thing.words
    return adjectives and not both_are_nouns


def _one_stem(one: str, other: str) -> bool:
    """`guidebook` and `guidebooks`, `clothes` and `clothing`, but not `statue` and `statuette`."""
    if min(len(one), len(other)) <= _STEM or one[:_STEM] != other[:_STEM]:
        return False
    mine, others = {*classes_of(one)}, {*classes_of(other)}
    return not (mine and others) or not mine.isdisjoint(others)


@lru_cache(maxsize=8192)
def _taken_apart(name: str) -> _Called:
    noun, words = head_of(name), words_of(name)
    at = words.index(noun) if noun in words else 0
    small = grammar()["preposition"] | grammar()["determiner"] | {noun}
    before, after = (
        frozenset(part for word in some for part in (word, *word.split("-")) if part not in small)
        for some in (words[:at], words[at + 1 :])
    )
    return _Called(frozenset({noun}), before, after, before | after)
