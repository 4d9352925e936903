"""Noun phrases of English prose, found by determiners and closed word classes."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from functools import cache, lru_cache
from itertools import accumulate
from typing import NamedTuple

from HanTa.HanoverTagger import HanoverTagger

from managers.language.actions import DIRECTIONS
from managers.language.lexicon import classes_of, grammar, head_of, words_of
from managers.language.patterns import patterns

_SAYS = patterns("nouns")
_MOST_SORTS = 8
_COMPASS = frozenset(DIRECTIONS[:10])
_LONGEST = 6
_ENDING = re.compile(r"(n't|'s|'ll|'re|'ve|'d)$", re.IGNORECASE)
_NOUNS = ("NN", "NP0", "UNC")
_MODIFIERS = ("AJ", "ORD", "VVN", "VVG", "CRD", "POS")
_ONE = frozenset({"a", "an", "another", "one"})


class NounPhrase(NamedTuple):
    """A thing the prose names."""

    name: str
    """Lower case, without determiner: `small wooden mailbox`."""
    definite: bool
    """It is spoken of as known: `the table`."""
    start: int
    """The position of its first token."""


@lru_cache(maxsize=4096)
def bare(phrase: str) -> str:
    """A phrase as a name: without determiner, remark, relative clause and what follows.

    A part stands for the whole: `the lid of a box` is the box.
    """
    text = _SAYS["part_of"].sub("", _SAYS["like"].sub("", _SAYS["remark"].sub("", phrase).strip()))
    tokens = _SAYS["token"].findall(text)
    start = 0
    while start < len(tokens) - 1 and tokens[start].lower() in grammar()["determiner"]:
        start += 1
    named = ["the", *tokens[start:]]
    ends = (_end(named, 1), _row_end(named, 1), 2)
    return " ".join(named[1 : next(end for end in ends if end > 1)]).lower()


@lru_cache(maxsize=2048)
def noun_phrases(prose: str) -> tuple[NounPhrase, ...]:
    """The noun phrases that a determiner opens, in order."""
    tokens = _SAYS["token"].findall(prose)
    found: list[NounPhrase] = []
    at = 0
    while at < len(tokens):
        word = tokens[at].lower()
        if word in grammar()["determiner"] and word != "no":
            end = _end(tokens, at + 1)
            name = " ".join(token.lower() for token in tokens[at + 1 : end])
            opens = name.partition(" ")[0] in grammar()["determiner"]
            if name and not opens:
                found.append(NounPhrase(name, word not in ("a", "an", "some", "several"), at))
            at = at + 1 if opens else max(end, at + 1)
        else:
            at += 1
    return tuple(found)


@lru_cache(maxsize=2048)
def plurals_in(prose: str) -> tuple[NounPhrase, ...]:
    """Known things in the plural without a determiner: `filled with shelves`, `Stairs lead up`."""
    tokens = _SAYS["token"].findall(prose)
    found = []
    for at, token in enumerate(tokens):
        word, before = token.lower(), tokens[at - 1].lower() if at else ""
        if word.endswith("s") and is_thing(word) and (not at or _opens(before)):
            found.append(NounPhrase(word, False, at))
    return tuple(found)


def _opens(word: str) -> bool:
    """A noun without determiner may follow: a preposition, a verb or the start of a clause."""
    closed = grammar()
    kinds = ("preposition", "conjunction", "auxiliary", "quantity")
    return word in ".;:,(" or any(word in closed[kind] for kind in kinds)


def runs_of(text: str, nouns: Container[str]) -> list[tuple[str, ...]]:
    """The words of these that stand together, as the names of things do: `small brass key`."""
    runs: list[tuple[str, ...]] = []
    together = False
    for word in _SAYS["token"].findall(text.lower()):
        known = word in nouns
        if known and together:
            runs[-1] = (*runs[-1], word)
        elif known:
            runs.append((word,))
        together = known
    return runs


@lru_cache(maxsize=2048)
def sorts_in(prose: str) -> tuple[str, ...]:
    """The names of things told apart in one breath: `buttons colored blue, red and green`."""
    match = _SAYS["sorts"].search(prose)
    if match is None:
        return ()
    sorts = [sort.strip("\"' ") for sort in _SAYS["between_sorts"].split(match[2].lower())]
    single = [sort for sort in sorts if sort and " " not in sort]
    return tuple(f"{sort} {match[1].lower()}" for sort in single)[:_MOST_SORTS]


def _end(tokens: list[str], start: int) -> int:
    """Where the phrase that starts here ends: `clove of garlic` is one, `end of the room` not."""
    end = _noun_end(tokens, start)
    if end < len(tokens) and tokens[end].lower() == "of" and end > start:
        quantity = tokens[end - 1].lower() in grammar()["quantity"]
        further = _noun_end(tokens, end + 1)
        if further > end + 1 and (quantity or further == end + 2):
            return further
    return end


def _noun_end(tokens: list[str], start: int) -> int:
    """Behind the last noun of adjectives and nouns in a row; `start` where there is none."""
    tags, end = tagged(tuple(tokens)), start
    single = bool(start) and tokens[start - 1].lower() in _ONE
    for at in range(start, _row_end(tokens, start)):
        if tags[at].startswith(_NOUNS):
            if single and end > start and tags[at].startswith("NN2"):
                break  # Behind `a` no plural is meant: `a police car drives by`.
            end = at + 1
    return end


def _row_end(tokens: list[str], start: int) -> int:
    """Where what could be words for one thing ends."""
    tags, at = tagged(tuple(tokens)), start
    while at < min(start + _LONGEST, len(tokens)):
        if at > start and (tokens[at].lower() in _COMPASS or _is_verb(tokens, at)):
            break
        if not tags[at].startswith(_NOUNS + _MODIFIERS) and not _is_degree(tags, at):
            break
        at += 1
    return at


def _is_degree(tags: Sequence[str], at: int) -> bool:
    """An adverb before an adjective: `a strangely familiar lantern`."""
    return tags[at] == "AV0" and tags[at + 1 : at + 2] != () and tags[at + 1].startswith("AJ")


def _is_verb(tokens: list[str], at: int) -> bool:
    """What somebody does: `the guard grins`; what a thing does: `the wall says that`."""
    word, before, closed = tokens[at].lower(), classes_of(tokens[at - 1].lower()), grammar()
    if not before or not word.endswith("s") or word in closed["verb"]:
        return word in closed["verb"]
    following = tokens[at + 1].lower() if at + 1 < len(tokens) else ""
    acts = not {"person", "creature"}.isdisjoint(before)
    return acts or following in closed["determiner"] or following in closed["pronoun"]


@lru_cache(maxsize=4096)
def tagged(tokens: tuple[str, ...]) -> tuple[str, ...]:
    """The part of speech of every token, as the British National Corpus names them.

    Of `bird's` and `isn't` it is that of the end; signs have none.
    """
    parts = [_ENDING.sub(r" \1", token).split() for token in tokens]
    tags = [tag for _, _, tag in _tagger().tag_sent([part for one in parts for part in one])]
    ends = accumulate(map(len, parts))
    return tuple(
        tags[end - 1] if token[0].isalnum() else "" for token, end in zip(tokens, ends, strict=True)
    )


@cache
def _tagger() -> HanoverTagger:
    return HanoverTagger("morphmodel_en.pgz")


def is_thing(name: str) -> bool:
    """The name's head noun is one of the words for things that one can see or touch."""
    kinds = classes_of(name)
    return bool(kinds) and kinds[0] != "place"


def is_place(name: str) -> bool:
    """The name is one for parts of a place: a path, a wall, a forest."""
    kinds = classes_of(name)
    handled = {"openable", "container", "supporter", "switch", "valuable", "takeable"}
    return "scenery" in kinds and not handled.intersection(kinds)


@lru_cache(maxsize=4096)
def is_name(name: str) -> bool:
    """It can name a thing: its last word is none of a closed class, as `come` or `first`."""
    words = words_of(name)
    if not words or classes_of(name):
        return bool(words)
    closed, last = grammar(), words[-1]
    kinds = ("pronoun", "adverb", "auxiliary", "plural-verb", "conjunction", "preposition")
    return not any(last in closed[kind] for kind in kinds)


def may_be_thing(name: str) -> bool:
    """A noun of which the word lists say nothing, but not one for what cannot be touched."""
    head = head_of(name)
    return not classes_of(name) and head not in grammar()["abstract"] and len(head) > 2
