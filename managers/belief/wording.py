"""Short statements and commands in words: which are the same, and which contradict each other."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

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
_OPPOSITES = dict(
    pair.split(":")
    for pair in "closed:open shut:open locked:unlock dark:lit unlit:lit off:on "
    "asleep:awake dead:alive lost:find".split()
)
_IRREGULAR = {"took": "take", "taken": "take", "got": "take", "found": "find", "gave": "give"}
_ENDINGS = ("ing", "ed", "es", "s", "e")
_SHORTEST = 3


def same(one: str, other: str) -> bool:
    """The two say the same in other words; `the blue door` is not `the red door`."""
    return _agree(one, other) is True


def opposed(one: str, other: str) -> bool:
    """One denies what the other says."""
    return _agree(one, other) is False


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
    content, _ = _read(condition)
    words = words_of(condition)
    verbs = {parse(" ".join(words[at : at + 2])).verb for at in range(len(words))}
    verb = parts.verb in verbs or _stem(parts.verb) in content
    nouns = {_stem(head_of(name)) for name in (parts.object, parts.second) if name}
    if not nouns:
        return 0.8 if verb and not parts.direction else 0.0
    if not nouns & content or parts.has("tells"):
        return 0.0
    return 1.0 if verb else 0.5


def _agree(one: str, other: str) -> bool | None:
    """Whether two statements about the same say the same of it; None if they are about others.

    One may be wordier than the other, but not each in a way of its own.
    """
    (left, left_affirms), (right, right_affirms) = _read(one), _read(other)
    shared = left & right
    if shared not in (left, right) or len(shared) < _SAME * max(len(left), len(right), 1):
        return None
    return left_affirms == right_affirms


@lru_cache(maxsize=2048)
def _read(text: str) -> tuple[frozenset[str], bool]:
    """What a statement is about, and whether it affirms it: `the grate isn't locked`."""
    content, affirms = set(), True
    for word in words_of(text):
        if word in _DENIALS or word in _OPPOSITES:
            affirms = not affirms
        if word not in _FILLERS and word not in _DENIALS:
            content.add(_stem(_OPPOSITES.get(word, word)))
    return frozenset(content), affirms


def _stem(word: str) -> str:
    word = _IRREGULAR.get(word, word)
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST and word[-2:] != "ss":
            return word[: -len(ending)]
    return word
