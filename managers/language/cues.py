"""What a text speaks of doing, and what it tells its reader to do: a recipe, directions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from managers.language.actions import WORDS, parse, table
from managers.language.layout import pieces
from managers.language.lexicon import is_of, word_list
from managers.language.nouns import bare, is_name, is_thing
from managers.language.patterns import patterns

IT = "it"
"""The noun of a cue about what the text is about."""
_SAYS = patterns("text")
_URGING = frozenset("to and then must should could can might may better".split())
"""Words before a plain verb that make it something to do, as the start of a clause does."""
_JOINING = frozenset({"in", "into", "on", "onto", "to", "with", "from", "under"})
_LONGEST = 6
_FOLLOWING = 30
"""So many words behind a verb may say what it is done to."""
_TELLING = frozenset({"and", "then", "must", "should", "could"})
"""Words before a plain verb that make it an order, as the start of a clause does."""
_TRYING = frozenset({"try", "attempt", "effort", "is", "you"})
"""Words that make it one with `to` between."""
_GOING = frozenset("go head move travel venture walk run proceed take".split())
_ON_THE_WAY = frozenset({"a", "the", "to", "toward", "towards", "trip", "walk"})
_LAYING = frozenset({"rest", "sit", "lay", "stand", "set", "place"})
_NO_THINGS = frozenset({IT, *"back away home care heart part place time".split()})
"""What stands behind a verb and is no thing: `get back`, `take care`."""
_STATES = {"unlocked": "unlock", "locked": "lock", "closed": "close", "shut": "close"}


class Cue(NamedTuple):
    """Something to do with a thing: `put`, `coin`, `in`, `slot`."""

    verb: str
    noun: str
    preposition: str = ""
    second: str = ""

    @classmethod
    def of(cls, text: str) -> Cue:
        """The cue that a text of `Cue.text` stands for."""
        return cls(*text.split("|"))

    @property
    def text(self) -> str:
        """The cue as one word: `put|coin|in|slot`."""
        return "|".join(self)


@lru_cache(maxsize=256)
def cues_in(text: str) -> tuple[Cue, ...]:
    """What the sentences of a text speak of doing, in order."""
    found = [cue for part in _clauses(text) for cue in _cues(_SAYS["word"].findall(part))]
    return tuple(dict.fromkeys(filter(None, found)))


def _clauses(text: str) -> Iterator[str]:
    for part in _SAYS["clause"].split(text.lower()):
        yield from pieces(part)


def _cues(words: Sequence[str]) -> Iterator[Cue | None]:
    plain, doing, done = _forms()
    for at, word in enumerate(words):
        before, after = words[at - 1] if at else "", words[at + 1 : at + 1 + _FOLLOWING]
        if word in plain and (before in _URGING or not before.isalpha()):
            yield _object_of(word, after)
        elif word in doing and before in ("for", "by"):
            yield _object_of(doing[word], after)
        elif word in done and before in ("be", "is", "are"):
            yield _passive(done[word], words[: at - 1], before)


def _object_of(verb: str, words: Sequence[str]) -> Cue | None:
    """`wind` and the words after it; None where no thing is named."""
    noun, rest = _noun(words)
    if not noun:
        return None
    second = _noun(rest[1:])[0] if rest and rest[0] in _JOINING else ""
    return Cue(verb, noun, rest[0], second) if second else Cue(verb, noun)


def _passive(verb: str, words: Sequence[str], being: str) -> Cue | None:
    """`wound` and the words before `be`, which must ask for it: `it would have to be wound`."""
    if being == "be" or (words and words[-1] in ("that", "which")):
        for at, word in enumerate(words):
            noun, _ = _noun(words[at:])
            if noun == IT or (noun and is_of(word, "determiner")):
                return Cue(verb, noun)
    return None


def _noun(words: Sequence[str]) -> tuple[str, Sequence[str]]:
    """The noun phrase that the words begin with, and what follows it."""
    at = 0
    while at < len(words) and is_of(words[at], "determiner"):
        at += 1
    if at == 0 and words and is_of(words[0], "pronoun"):
        return (IT, words[1:]) if words[0] in ("it", "them") else ("", words)
    if at >= len(words) or not words[at][0].isalpha() or is_of(words[at], "preposition"):
        return "", words
    name = bare(" ".join(words[at : at + _LONGEST]))
    return name, words[at + len(name.split()) :]


@cache
def _forms() -> tuple[set[str], dict[str, str], dict[str, str]]:
    """The verbs of `verbs.txt`: as they stand, by their gerunds, and by their participles."""
    plain: set[str] = set()
    doing: dict[str, str] = {}
    done: dict[str, str] = {}
    for verb, irregular in word_list("verbs.txt").items():
        stem = verb.removesuffix("e")
        gerund, *participles = irregular or (f"{stem}ing", f"{stem}ed")
        plain.add(verb)
        doing[gerund] = verb
        done |= dict.fromkeys(participles, verb)
    return plain, doing, done


@lru_cache(maxsize=256)
def orders_in(text: str) -> tuple[Cue, ...]:
    """The orders of a text; ways to go (`go` with a direction) only among three or more."""
    parts = (" ".join(part.split()) for part in _clauses(text))
    told = [order for part in parts if not part.endswith("?") for order in _orders(part)]
    return tuple(one for one in told if one.verb != "go" or len(told) > 2)


def _orders(sentence: str) -> Iterator[Cue]:
    ensured = patterns("orders")["ensured"].search(sentence)
    if ensured:
        name, tool = bare(ensured[1]), bare(ensured[3] or "")
        if "|" in name:
            return
        yield Cue(_STATES.get(ensured[2], "open"), name, "with" if tool else "", tool)
        return
    using = patterns("orders")["using"].match(sentence)
    words = _SAYS["word"].findall(sentence.replace("pick-up", "pick up"))
    for at, word in enumerate(words):
        before = words[at - 1] if at else ""
        tried = before == "to" and at > 1 and words[at - 2] in _TRYING
        told = tried or before in _TELLING or not before[:1].isalpha()
        order = _order(word, words[at + 1 : at + 1 + _FOLLOWING]) if told else None
        if order and using and not order.second:
            order = Cue(order.verb, order.noun, "with", bare(using[1]))
        if order:
            yield order


def _way(verb: str, words: Sequence[str]) -> str:
    """The direction that one is told to go, if any: `go north`, `take a trip south`.

    `take out the eggs` tells none: behind `take` no thing may follow.
    """
    at, way = next(((n, w) for n, w in enumerate(words[:5]) if w not in _ON_THE_WAY), (0, ""))
    behind = "".join(words[at + 1 : at + 2])
    ends = not behind.isalpha() or is_of(behind, "conjunction", "preposition")
    return WORDS.get(way, "") if verb in _GOING and (verb != "take" or ends) else ""


def _order(verb: str, words: Sequence[str]) -> Cue | None:
    """What a verb and the words after it tell to do, if anything."""
    known = table()
    if way := _way(verb, words):
        return Cue("go", way)
    if (verb, *words[:1]) in known.phrases:
        looks = verb == "look" and words[0] != "at"
        verb, words = f"look {words[0]}" if looks else known.phrases[verb, words[0]], words[1:]
    first = verb.split()[0]
    usual = len(verb) > 1 and (first in known.words or verb in _forms()[0] or verb in _LAYING)
    cue = _object_of(verb, words) if usual and known.words.get(verb) != "go" else None
    if cue is None or cue.noun in _NO_THINGS or not is_name(cue.noun):
        return None
    if not (is_of(words[0], "determiner") or is_thing(cue.noun)):  # `look tasty`
        return None
    if cue.preposition == "from":
        return Cue("take", cue.noun)
    if cue.preposition in ("in", "into", "on", "onto") and verb in _LAYING:
        return cue._replace(verb="put")
    return cue if parse(verb).has("onto") or cue.preposition == "with" else Cue(verb, cue.noun)
