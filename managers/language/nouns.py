"""Noun phrases of English prose, found by determiners and closed word classes."""

from __future__ import annotations

from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from environments.game import Words
from managers.language.actions import COMPASS
from managers.language.lexicon import classes_of, grammar, head_of, is_listed, is_of, words_of
from managers.language.patterns import patterns

_SAYS = patterns("nouns")
_LONGEST = 6
_OPENING = ("preposition", "conjunction", "auxiliary", "quantity")
"""Words after which a noun without determiner may follow, as at the start of a clause."""
_ONE = frozenset({"a", "an", "another", "one"})
_SINGULAR = _ONE | {"this", "that", "each", "every"}
_OWN = frozenset("a an the my your his her its their our every no".split())
"""Determiners that never stand without their noun; of others a verb may come next."""
_SHORTEST_ADVERB = 6
"""From so many letters on a word in -ly that no list knows says how, and names nothing."""


class NounPhrase(NamedTuple):
    """A thing the prose names."""

    name: str
    """Lower case, without determiner: `small wooden mailbox`."""
    definite: bool
    """It is spoken of as known: `the table`."""


@lru_cache(maxsize=4096)
def bare(phrase: str) -> str:
    """A phrase as a name: no determiner, remark, clause; `the lid of a box` is the box."""
    text = phrase
    for cut in ("remark", "like", "part_of"):
        text = _SAYS[cut].sub("", text).strip(" *")
    tokens = _SAYS["token"].findall(text)
    start = 0
    while start < len(tokens) - 1 and is_of(tokens[start].lower(), "determiner"):
        start += 1
        measured = is_of(tokens[start - 1].lower(), "numeral") and start < len(tokens) - 1
        start += measured and is_of(tokens[start].lower(), "measure")  # `three foot rod`
    return " ".join(tokens[start : max(_end(tokens, start), start + 1)]).lower()


def lacks(sentence: str) -> bool:
    """It tells of what there is not: `You don't have any money`."""
    return bool(_SAYS["lacking"].search(sentence))


@lru_cache(maxsize=2048)
def noun_phrases(prose: str) -> tuple[NounPhrase, ...]:
    """The noun phrases that a determiner opens, in order."""
    tokens = _SAYS["token"].findall(prose)
    found = []
    at = 0
    while at < len(tokens):
        word = tokens[at].lower()
        at += 1
        if is_of(word, "determiner") and word != "no":
            end = _end(tokens, at)
            name = " ".join(tokens[at:end]).lower()
            opens = name and not is_of(name.partition(" ")[0], "determiner", "pronoun")
            if opens and not _stands_alone(word, name):
                found.append(NounPhrase(name, word not in ("a", "an", "some", "several")))
                at = end
    return tuple(found)


@lru_cache(maxsize=2048)
def undetermined(prose: str) -> tuple[str, ...]:
    """Known things without a determiner: `Grungy stairs lead up`, `a sink, toilet and shower`."""
    tokens = _SAYS["token"].findall(prose.lower())
    found = []
    for at, token in enumerate(tokens):
        if not is_thing(token) or is_thing("".join(tokens[at + 1 : at + 2])):  # `rope ladder`
            continue
        if not _content(tokens, at) or _is_mere_verb(token):  # `an old building stands`
            continue
        start = at
        while start and at - start < 2 and _content(tokens, start - 1):
            if is_of(tokens[start - 1], "verb", "plural-verb", "quantity", "numeral"):
                break
            start -= 1
        before = tokens[start - 1] if start else "."
        opens = before in ".;:,(" or is_of(before, *_OPENING)
        listed = start > 1 and before in (",", "and", "or") and _content(tokens, start - 2)
        if listed or (opens and token.endswith("s")):
            found.append(" ".join(tokens[start : at + 1]))
    return tuple(found)


def runs_of(text: str, words: Words) -> list[tuple[str, ...]]:
    """What stands together in a text as the names of things do: `small brass key`."""
    names = {*words.nouns, *words.adjectives} - grammar()["determiner"]
    runs = []
    for known, together in groupby(_SAYS["token"].findall(text.lower()), names.__contains__):
        run = [*together] if known else []
        while run and run[-1] not in words.nouns:
            run.pop()
        if run:
            runs.append(tuple(run))
    return runs


@lru_cache(maxsize=2048)
def sorts_in(prose: str) -> tuple[str, ...]:
    """The names of things told apart in one breath: `buttons colored blue, red and green`."""
    match = _SAYS["sorts"].search(prose)
    if match is None:
        return ()
    sorts = (sort.strip("\"' ") for sort in _SAYS["between_sorts"].split(match[2].lower()))
    single = [f"{sort} {match[1].lower()}" for sort in sorts if sort and " " not in sort]
    return tuple(single[:8])


def _end(tokens: list[str], start: int) -> int:
    """Where the phrase that starts here ends: `clove of garlic` is one, `end of the room` not."""
    at = start
    while at < len(tokens) and at - start < _LONGEST:
        if at > start and tokens[at].lower() == "of":
            content = _content(tokens, at + 1)
            if not (content and is_of(tokens[at - 1].lower(), "quantity")):
                return at + 2 if content and not _content(tokens, at + 2) else at
            at += 2
        elif _stops(tokens, at, start):
            break
        else:
            at += 1
    return at


def _content(tokens: list[str], at: int) -> bool:
    """A word that is neither closed class nor punctuation stands here."""
    if at >= len(tokens) or not tokens[at][0].isalnum():
        return False
    kinds = ("determiner", "preposition", "auxiliary", "conjunction", "pronoun", "adverb")
    return not is_of(tokens[at].lower(), *kinds)


def _stops(tokens: list[str], at: int, start: int) -> bool:
    word = tokens[at].lower()
    if not word[0].isalnum() or is_of(word, "preposition", "auxiliary", "conjunction"):
        return True
    if at == start:
        return False
    if word in COMPASS or is_of(word, "determiner", "pronoun", "adverb", "verb"):
        return True
    if not classes_of(word) and _is_verb(tokens, at, start):
        return True
    if word.endswith("s") and tokens[at + 1 : at + 2] in (["out"], ["up"]):
        return True  # `a wheel sticks out`
    if is_of(word, "plural-verb"):
        return tokens[at - 1].lower().endswith("s")
    if word == tokens[at] and word.endswith(("ing", "ed", "en")) and not classes_of(word):
        return not _content(tokens, at + 1) or tokens[at + 1].lower() in COMPASS
    return word.endswith("ly")


def _is_verb(tokens: list[str], at: int, start: int) -> bool:
    """What somebody does, or how: `the guard grins`; what a thing does: `the wall says that`."""
    word, kinds = tokens[at].lower(), classes_of(tokens[at - 1].lower())
    if word.endswith(("s", "ly")) and not {"person", "creature"}.isdisjoint(kinds):
        return True
    following = "".join(tokens[at + 1 : at + 2]).lower()
    goes_on = following in COMPASS or is_of(following, "determiner", "pronoun")
    if start and tokens[start - 1].lower() in _ONE:  # No plural: `a police car drives by`.
        goes_on = goes_on or not _content(tokens, at + 1)
    return word.endswith("s") and goes_on and bool(kinds)


def _stands_alone(determiner: str, following: str) -> bool:
    """A verb comes next, and no noun: `a path that winds`, `another leads`, but `the falls`."""
    if determiner in _OWN or not _is_mere_verb(following):
        return False
    return determiner in _SINGULAR or not is_thing(following)


def _is_mere_verb(word: str) -> bool:
    """What somebody or something does, unless a list names the very word: `leaves`."""
    return is_of(word, "verb") and not is_listed(word)


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
    """It can name a thing: its last word is none of a closed class, as `come` or `first`.

    Nor one that says how something is done: `strangely enough`, `firmly`.
    """
    words = words_of(name)
    if not words or classes_of(name):
        return bool(words)
    kinds = ("pronoun", "adverb", "auxiliary", "plural-verb", "conjunction", "preposition")
    says_how = words[-1].endswith("ly") and len(words[-1]) >= _SHORTEST_ADVERB
    return not says_how and not is_of(words[-1], *kinds)


def may_be_thing(name: str) -> bool:
    """A noun of which the word lists say nothing, but not one for what cannot be touched."""
    head = head_of(name)
    return not classes_of(name) and not is_of(head, "abstract") and len(head) > 2
