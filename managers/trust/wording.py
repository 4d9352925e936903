"""Short statements and commands in words: which are the same, and which contradict each other.

The only file of this package that knows the language managers.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal, NamedTuple

from managers.language.actions import parse
from managers.language.lexicon import head_of, words_of

Sort = Literal["listed", "specific", "vague"]
"""Of a recommendation: among the agent's own options; names a thing or a way; does neither."""
_SAME = 0.6
_FILLERS = frozenset(
    "a an the to of in at into onto from with and or for by is are was were be been has have had "
    "i you your my it its this that there some now just already player agent successfully".split()
)
_DENIALS = frozenset("not no never without cannot can't isn't aren't don't won't unable".split())
_OPPOSITES = {
    "closed": "open",
    "shut": "open",
    "locked": "unlock",
    "dark": "lit",
    "unlit": "lit",
    "off": "on",
    "asleep": "awake",
    "dead": "alive",
    "lost": "find",
}
_IRREGULAR = {"took": "take", "taken": "take", "got": "take", "found": "find", "gave": "give"}
_ENDINGS = ("ing", "ed", "es", "s", "e")
_SHORTEST = 3
_LOOKING = frozenset({"examine", "look", "read", "search"})


class _Reading(NamedTuple):
    """What a sentence is about, and whether it affirms it."""

    content: frozenset[str]
    affirms: bool


def same(one: str, other: str) -> bool:
    """The two say the same in other words; `the blue door` is not `the red door`."""
    left, right = _read(one), _read(other)
    return left.affirms == right.affirms and _about_the_same(left, right)


def opposed(one: str, other: str) -> bool:
    """One denies what the other says."""
    left, right = _read(one), _read(other)
    return left.affirms != right.affirms and _about_the_same(left, right)


def sort_of(command: str, *, listed: bool) -> Sort:
    """What sort of recommendation a command is; `listed` if the agent has thought of it, too."""
    if listed:
        return "listed"
    parts = parse(command)
    return "specific" if parts.object or parts.direction else "vague"


@lru_cache(maxsize=4096)
def addressing(command: str, condition: str) -> float:
    """How far a command deals with what a condition speaks of, 0 to 1, by its verb and nouns."""
    parts, wanted = parse(command), parse(condition)
    if parts.verb and (parts[:2], parts.direction) == (wanted[:2], wanted.direction):
        return 1.0
    content, verbs = _asked_for(condition)
    nouns = {_stem(head_of(name)) for name in (parts.object, parts.second) if name}
    verb = parts.verb in verbs or _stem(parts.verb) in content
    if not nouns:
        return 0.8 if verb and not parts.direction else 0.0
    if not nouns & content or parts.verb in _LOOKING:
        return 0.0
    return 1.0 if verb else 0.5


@lru_cache(maxsize=2048)
def _read(text: str) -> _Reading:
    """Take a statement apart: `the grate isn't locked` -> {grate, unlock}, affirmed."""
    content, denials = set(), 0
    for word in words_of(text):
        if word in _DENIALS:
            denials += 1
        elif word in _OPPOSITES:
            denials += 1
            content.add(_stem(_OPPOSITES[word]))
        elif word not in _FILLERS:
            content.add(_stem(word))
    return _Reading(frozenset(content), denials % 2 == 0)


def _about_the_same(left: _Reading, right: _Reading) -> bool:
    """One may be wordier than the other, but not each in a way of its own."""
    one, other = left.content, right.content
    shared = one & other
    return shared in (one, other) and len(shared) >= _SAME * max(len(one), len(other), 1)


@lru_cache(maxsize=512)
def _asked_for(condition: str) -> tuple[frozenset[str], frozenset[str]]:
    """What a condition speaks of, and the verbs that any place in it could begin a command with."""
    words = words_of(condition)
    verbs = {parse(" ".join(words[at : at + 2])).verb for at in range(len(words))}
    return _read(condition).content, frozenset(verbs)


def _stem(word: str) -> str:
    word = _IRREGULAR.get(word, word)
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST and word[-2:] != "ss":
            return word[: -len(ending)]
    return word
