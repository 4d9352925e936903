"""What a text tells its reader to do, in its order: a quest, a recipe, directions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from managers.language.actions import WORDS, direction_of, parse, table
from managers.language.cues import IT, SENTENCE, WORD, Cue, known_verbs, object_of
from managers.language.nouns import bare, is_name
from managers.language.patterns import pattern

_TELLING = frozenset({"and", "then", "must", "should", "could"})
"""Words before a plain verb that make it an order, as the start of a clause does."""
_TRYING = frozenset({"try", "attempt", "effort", "is", "you"})
"""Words that make it one with `to` between."""
_GOING = frozenset({"go", "head", "move", "travel", "venture", "walk", "run", "proceed", "take"})
_ON_THE_WAY = frozenset({"a", "the", "to", "toward", "towards", "trip", "walk"})
_LAYING = frozenset({"rest", "sit", "lay", "stand", "set", "place"})
_A_JOURNEY = 3
"""From so many orders on, the ways among them are to be gone."""
_SHORTEST = 2
"""Letters of a verb: others are abbreviations, or `I`."""
_AT = frozenset({"in", "into", "on", "onto"})
_ENSURED = pattern(
    r"""\b(?:ensure|assure|make\ (?:\w+\ )?sure|make\ it\ so|see|(?:double-?)?check)\ that
    \ (?:the|your|an?)\ (<name>)
    \ (?:is|are)\ (?:\w+\ )?(open|opened|ajar|unlocked|locked|closed|shut)
    (?:\ with\ (?:the\ |your\ |an?\ )?(<words>))?[.!]?$"""
)
_STATES = {"unlocked": "unlock", "locked": "lock", "closed": "close", "shut": "close"}
_USING = re.compile(r"^(?:with|using) (?:the|your|an?) ([\w' -]{2,50}?), ")


@lru_cache(maxsize=256)
def orders_in(text: str) -> tuple[Cue, ...]:
    """The orders of a text; a way to go is a cue of the verb `go` with a direction.

    In a text of fewer than three orders a way is only described, not to be gone.
    """
    parts = (" ".join(part.split()) for part in SENTENCE.split(text.lower()))
    told = [order for part in parts if not part.endswith("?") for order in _orders(part)]
    return tuple(one for one in told if one.verb != "go" or len(told) >= _A_JOURNEY)


def _orders(sentence: str) -> Iterator[Cue]:
    ensured = _ENSURED.search(sentence)
    if ensured:
        name, tool = bare(ensured[1]), bare(ensured[3] or "")
        yield Cue(_STATES.get(ensured[2], "open"), name, "with" if tool else "", tool)
        return
    using = _USING.match(sentence)
    words = WORD.findall(sentence.replace("pick-up", "pick up"))
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


def _order(verb: str, words: Sequence[str]) -> Cue | None:
    """What a verb and the words after it tell to do, if anything."""
    known = table()
    if verb in _GOING:
        way = next((word for word in words[:5] if word not in _ON_THE_WAY), "")
        if direction_of(way):
            return Cue("go", WORDS[way])
    if (verb, *words[:1]) in known.phrases:
        verb, words = known.phrases[verb, words[0]], words[1:]
    if len(verb) < _SHORTEST or not (verb in known.words or verb in known_verbs() | _LAYING):
        return None
    cue = object_of(verb, words)
    if cue is None or cue.noun == IT or not is_name(cue.noun) or known.words.get(verb) == "go":
        return None
    if cue.preposition == "from":
        return Cue("take", cue.noun)
    if cue.preposition in _AT and verb in _LAYING:
        return cue._replace(verb="put")
    return cue if parse(verb).has("onto") or cue.preposition == "with" else Cue(verb, cue.noun)
