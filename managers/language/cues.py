"""What a text speaks of doing, and what it tells its reader to do: a recipe, directions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from typing import NamedTuple

from managers.language.actions import WORDS, direction_of, parse, table
from managers.language.lexicon import is_of
from managers.language.nouns import bare, is_name, is_thing
from managers.language.patterns import patterns

IT = "it"
"""The noun of a cue about what the text is about."""
_SAYS = patterns("text")
_URGING = frozenset(
    {"to", "and", "then", "must", "should", "could", "can", "might", "may", "better"}
)
"""Words before a plain verb that make it something to do, as the start of a clause does."""
_PURPOSE = frozenset({"for", "by"})
_BEING = frozenset({"be", "is", "are"})
_RELATIVE = frozenset({"that", "which"})
_JOINING = frozenset({"in", "into", "on", "onto", "to", "with", "from", "under"})
_LONGEST = 6
_TELLING = frozenset({"and", "then", "must", "should", "could"})
"""Words before a plain verb that make it an order, as the start of a clause does."""
_TRYING = frozenset({"try", "attempt", "effort", "is", "you"})
"""Words that make it one with `to` between."""
_GOING = frozenset({"go", "head", "move", "travel", "venture", "walk", "run", "proceed", "take"})
_ON_THE_WAY = frozenset({"a", "the", "to", "toward", "towards", "trip", "walk"})
_LAYING = frozenset({"rest", "sit", "lay", "stand", "set", "place"})
_A_JOURNEY = 3
"""From so many orders on, the ways among them are to be gone."""
_NO_THINGS = frozenset({IT, *"back away home care heart part place time".split()})
"""What stands behind a verb and is no thing: `get back`, `take care`."""
_SHORTEST = 2
"""Letters of a verb: others are abbreviations, or `I`."""
_AT = frozenset({"in", "into", "on", "onto"})
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


class _Forms(NamedTuple):
    """The verbs by their forms."""

    plain: Mapping[str, str]
    doing: Mapping[str, str]
    done: Mapping[str, str]


@lru_cache(maxsize=256)
def cues_in(text: str) -> tuple[Cue, ...]:
    """What the sentences of a text speak of doing, in order."""
    found = [
        cue
        for part in _SAYS["clause"].split(text.lower())
        for cue in _cues(_SAYS["word"].findall(part))
    ]
    return tuple(dict.fromkeys(found))


def _cues(words: Sequence[str]) -> Iterator[Cue]:
    forms = _forms()
    for at, word in enumerate(words):
        before, after = words[at - 1] if at else "", words[at + 1 :]
        if word in forms.plain and (before in _URGING or not before.isalpha()):
            yield from filter(None, [_object_of(word, after)])
        elif word in forms.doing and before in _PURPOSE:
            yield from filter(None, [_object_of(forms.doing[word], after)])
        elif word in forms.done and before in _BEING:
            yield from _passive(forms.done[word], words[: at - 1], before)


def _object_of(verb: str, words: Sequence[str]) -> Cue | None:
    """`wind` and the words after it; None where no thing is named."""
    noun, rest = _noun(words)
    if not noun:
        return None
    second = _noun(rest[1:])[0] if rest and rest[0] in _JOINING else ""
    return Cue(verb, noun, rest[0], second) if second else Cue(verb, noun)


def _passive(verb: str, words: Sequence[str], being: str) -> Iterator[Cue]:
    """`wound` and the words before `be`, which must ask for it: `it would have to be wound`."""
    if being != "be" and (not words or words[-1] not in _RELATIVE):
        return
    for at, word in enumerate(words):
        noun, _ = _noun(words[at:])
        if noun == IT or (noun and is_of(word, "determiner")):
            yield Cue(verb, noun)
            return


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
def _forms() -> _Forms:
    plain: dict[str, str] = {}
    doing: dict[str, str] = {}
    done: dict[str, str] = {}
    text = (files(__package__) / "lexicon" / "verbs.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        verb, _, irregular = line.partition(":")
        if verb and not line.startswith("#"):
            gerund, *participles = irregular.split() or _regular(verb)
            plain[verb] = verb
            doing[gerund] = verb
            done |= dict.fromkeys(participles, verb)
    return _Forms(plain, doing, done)


def _regular(verb: str) -> tuple[str, str]:
    """Gerund and participle: `move` -> `moving`, `moved`."""
    if verb.endswith("e"):
        return f"{verb[:-1]}ing", f"{verb}d"
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return f"{verb}ing", f"{verb[:-1]}ied"
    return f"{verb}ing", f"{verb}ed"


@lru_cache(maxsize=256)
def orders_in(text: str) -> tuple[Cue, ...]:
    """The orders of a text; a way to go is a cue of the verb `go` with a direction.

    In a text of fewer than three orders a way is only described, not to be gone.
    """
    parts = (" ".join(part.split()) for part in _SAYS["clause"].split(text.lower()))
    told = [order for part in parts if not part.endswith("?") for order in _orders(part)]
    return tuple(one for one in told if one.verb != "go" or len(told) >= _A_JOURNEY)


def _orders(sentence: str) -> Iterator[Cue]:
    ensured = patterns("orders")["ensured"].search(sentence)
    if ensured:
        name, tool = bare(ensured[1]), bare(ensured[3] or "")
        yield Cue(_STATES.get(ensured[2], "open"), name, "with" if tool else "", tool)
        return
    using = patterns("orders")["using"].match(sentence)
    words = _SAYS["word"].findall(sentence.replace("pick-up", "pick up"))
    for at, word in enumerate(words):
        order = _order(word, words[at + 1 :]) if _is_told(words, at) else None
        if order and using and not order.second:
            order = Cue(order.verb, order.noun, "with", bare(using[1]))
        if order:
            yield order


def _is_told(words: Sequence[str], at: int) -> bool:
    """The word begins what is to be done: a clause, or what is to be tried."""
    before = words[at - 1] if at else ""
    tried = before == "to" and at > 1 and words[at - 2] in _TRYING
    return tried or before in _TELLING or not before[:1].isalpha()


def _is_told_of(cue: Cue, words: Sequence[str]) -> bool:
    """The noun is a thing's, or one that a determiner opens: not `look tasty`, `get back`."""
    if cue.noun in _NO_THINGS or not is_name(cue.noun):
        return False
    return is_of(words[0], "determiner") or is_thing(cue.noun)


def _order(verb: str, words: Sequence[str]) -> Cue | None:
    """What a verb and the words after it tell to do, if anything."""
    known = table()
    if verb in _GOING:
        way = next((word for word in words[:5] if word not in _ON_THE_WAY), "")
        if direction_of(way):
            return Cue("go", WORDS[way])
    if (verb, *words[:1]) in known.phrases:
        verb, words = known.phrases[verb, words[0]], words[1:]
    if len(verb) < _SHORTEST or not (
        verb in known.words or verb in _forms().plain.keys() | _LAYING
    ):
        return None
    cue = _object_of(verb, words)
    if cue is None or known.words.get(verb) == "go" or not _is_told_of(cue, words):
        return None
    if cue.preposition == "from":
        return Cue("take", cue.noun)
    if cue.preposition in _AT and verb in _LAYING:
        return cue._replace(verb="put")
    return cue if parse(verb).has("onto") or cue.preposition == "with" else Cue(verb, cue.noun)
