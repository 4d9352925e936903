"""What a text speaks of doing: `for winding a clock`, `pull the lever`, `it has to be wound`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from typing import NamedTuple

from managers.language.lexicon import grammar
from managers.language.nouns import bare
from managers.language.patterns import TITLED

IT = "it"
"""The noun of a cue about what the text is about."""
WORD = re.compile(r"[a-z]+(?:['-][a-z]+)*|[^\sa-z]")
SENTENCE = re.compile(TITLED + r"(?<=[.!?;:])[\"')~]*\s+|\n+")
_URGING = frozenset(
    {"to", "and", "then", "must", "should", "could", "can", "might", "may", "better"}
)
"""Words before a plain verb that make it something to do, as the start of a clause does."""
_PURPOSE = frozenset({"for", "by"})
_BEING = frozenset({"be", "is", "are"})
_RELATIVE = frozenset({"that", "which"})
_JOINING = frozenset({"in", "into", "on", "onto", "to", "with", "from", "under"})
_LONGEST = 6


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
    found = [cue for part in SENTENCE.split(text.lower()) for cue in _cues(WORD.findall(part))]
    return tuple(dict.fromkeys(found))


def _cues(words: Sequence[str]) -> Iterator[Cue]:
    forms = _forms()
    for at, word in enumerate(words):
        before, after = words[at - 1] if at else "", words[at + 1 :]
        if word in forms.plain and (before in _URGING or not before.isalpha()):
            yield from filter(None, [object_of(word, after)])
        elif word in forms.doing and before in _PURPOSE:
            yield from filter(None, [object_of(forms.doing[word], after)])
        elif word in forms.done and before in _BEING:
            yield from _passive(forms.done[word], words[: at - 1], before)


def known_verbs() -> frozenset[str]:
    """The verbs of which texts speak."""
    return frozenset(_forms().plain)


def object_of(verb: str, words: Sequence[str]) -> Cue | None:
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
        if noun == IT or (noun and word in grammar()["determiner"]):
            yield Cue(verb, noun)
            return


def _noun(words: Sequence[str]) -> tuple[str, Sequence[str]]:
    """The noun phrase that the words begin with, and what follows it."""
    closed = grammar()
    at = 0
    while at < len(words) and words[at] in closed["determiner"]:
        at += 1
    if at == 0 and words and words[0] in closed["pronoun"]:
        return (IT, words[1:]) if words[0] in ("it", "them") else ("", words)
    if at >= len(words) or not words[at][0].isalpha() or words[at] in closed["preposition"]:
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
