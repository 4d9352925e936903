"""Do two names mean the same thing? `key` may be the `brass key`, `rusty key` is not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from managers.text.lexicon import classes_of, grammar, head_of, words_of

SAME = 3.0
"""A likeness from here on: the very same name."""
FITS = 1.0
"""A likeness from here on: one name may stand for the other."""
_STEM = 5


@lru_cache(maxsize=8192)
def likeness(one: str, other: str) -> float:
    """How well a name fits another: 0 not at all, 1 to 2 it may, 3 the same."""
    if one == other or one.replace(" ", "") == other.replace(" ", ""):
        return SAME
    head, its_head = head_of(one), head_of(other)
    mine, others = _modifiers(one), _modifiers(other)
    if head == its_head:
        return _by_modifiers(mine, others)
    if head in others or its_head in mine:
        return 1.2 if len(mine) == 0 or len(others) == 0 or mine & others else 0.0
    if len(head) > _STEM and len(its_head) > _STEM and head[:_STEM] == its_head[:_STEM]:
        return _by_modifiers(mine, others) and 1.1
    return 0.0


def _by_modifiers(mine: frozenset[str], others: frozenset[str]) -> float:
    if mine <= others or others <= mine:
        return 2.0 + 0.1 * len(mine & others)
    return 1.5 if mine & others else 0.0


@lru_cache(maxsize=8192)
def _modifiers(name: str) -> frozenset[str]:
    head = head_of(name)
    small = grammar()["preposition"] | grammar()["determiner"]
    words = (part for word in words_of(name) for part in (word, *word.split("-")))
    return frozenset(word for word in words if word != head and word not in small)


@lru_cache(maxsize=8192)
def _contradicts(one: str, other: str) -> bool:
    """Both say more than the noun, and nothing alike: `rusty knife`, `nasty knife`."""
    mine, others = _modifiers(one), _modifiers(other)
    return head_of(one) == head_of(other) and bool(mine and others) and not mine & others


def fit(name: str, entry: Mapping[str, Any]) -> float:
    """How well a name fits a thing by any of its names; an alias does not outvote the name."""
    best = likeness(name, entry["name"])
    for alias in entry.get("aka", ()):
        if name == alias or not _contradicts(name, entry["name"]):
            best = max(best, likeness(name, alias))
    return best


def same_kind(one: str, other: str) -> bool:
    """The heads are words for one kind of thing: `lamp` and `lantern`."""
    mine, others = set(classes_of(one)), set(classes_of(other))
    special = {"light-source", "key-like", "readable"}
    return bool(mine & others & special)


def best_match(name: str, entries: Iterable[tuple[str, Mapping[str, Any]]]) -> str | None:
    """The id of the entry that a name fits best; earlier entries win ties."""
    best, found = 0.0, None
    for id, entry in entries:
        fits = fit(name, entry) if "aka" in entry else likeness(name, entry["name"])
        if fits > best:
            best, found = fits, id
    return found if best >= FITS else None
