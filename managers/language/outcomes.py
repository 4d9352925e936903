"""What stock replies tell: how a command went, what is asked, which words are not known."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from managers.language.actions import EVERYTHING, WORDS, parse
from managers.language.layout import told
from managers.language.nouns import bare
from managers.language.patterns import patterns, rules
from managers.language.reading import Question

YES_NO = ("yes", "no")
_SAYS = patterns("outcomes")
_ASKS = patterns("questions")
_LEFT = 80
"""So many letters at most stand behind the last line of a list that is to be chosen from."""


class FailureReason(NamedTuple):
    """Why a command failed, and what the reply says has to come first."""

    reason: str
    prerequisite: str = ""


def denies(reply: str) -> bool:
    """The reply's first sentence says no in some way or asks back."""
    return any(_SAYS["denies"].search(sentence) for sentence in told(reply)[:1])


@lru_cache(maxsize=1024)
def refusal_in(reply: str) -> FailureReason | None:
    """The refusal a reply opens with (its first two sentences), or None."""
    for at, sentence in enumerate(told(reply)[:2]):
        for rule in rules("outcomes", "failure", re.NOFLAG):
            match = rule["pattern"].match(sentence)
            if match and not (at and rule["reason"] == "refused"):
                return FailureReason(rule["reason"], _first(rule.get("prerequisite", ""), match))
        if change_in(sentence):
            return None
    return None


def _first(command: str, match: re.Match[str]) -> str:
    """What has to be done first; nothing where the name that belongs there is none."""
    name = next(filter(None, match.groups()), "").lower().strip()
    unnamed = "{0}" in command and name in ("", "it", "that", "any", "door to")
    return "" if unnamed else command.format(name)


@lru_cache(maxsize=2048)
def change_in(sentence: str) -> str:
    """What a sentence reports as done: take, drop, open, light, ...; empty if nothing."""
    if _SAYS["negated"].search(sentence):
        return ""
    known = rules("outcomes", "success", re.NOFLAG)
    return next((rule["change"] for rule in known if rule["pattern"].match(sentence)), "")


def item_replies(reply: str, object: str) -> Iterator[tuple[str, str]]:
    """Name and outcome of each line of a reply to `take all` and other commands on several."""
    several = not EVERYTHING.isdisjoint(object.split()[:1]) or " and " in object
    for line in reply.splitlines() if several else ():
        match = _SAYS["item"].match(line)
        if match:
            yield match[1].strip().lower(), match[2].strip()


def question_in(text: str) -> Question:
    """What the reply asks for; empty where it asks nothing the player has to answer."""
    kinds: tuple[Question, ...] = ("end", "which", "missing")
    for kind in kinds:
        if _ASKS[kind].search(text):
            return kind
    if choices_in(text):
        return "menu"
    return "yes_no" if _ASKS["yes_no"].search(text.rstrip()) else ""


def choices_in(text: str) -> tuple[str, ...]:
    """What to choose from: `Which do you mean, the red key or the blue?`, or a list's numbers.

    What only a direction tells apart is the same in every room: `the north wall`.
    """
    match = _ASKS["which"].search(text)
    if not match:
        lines = list(_ASKS["choice"].finditer(text))
        numbers = tuple(line[1] for line in lines)
        near = len(lines) > 1 and len(text.rstrip()) - lines[-1].end() <= _LEFT
        return numbers if near and numbers[:2] == ("1", "2") else ()
    parts = _ASKS["or"].split(match[1] or match[3] or match[4] or "")
    names = dict.fromkeys(filter(None, map(bare, parts)))
    return tuple(name for name in names if name.split()[0] not in WORDS)


def asks_whether_sure(text: str) -> bool:
    """The reply asks whether one really wants what one has just said."""
    return bool(_ASKS["sure"].search(text))


def part_understood(text: str) -> str:
    """The beginning of a command of which the parser made nothing more; empty for none."""
    match = _ASKS["understood"].search(text)
    return match[1].lower() if match else ""


def unknown_words_in(text: str, command: str) -> tuple[str, ...]:
    """The words that the parser says it does not know, or that answer a question put for show.

    A verb of two words may be unknown while its first is not: `look behind`.
    """
    words = [match[1] or match[2] for match in _ASKS["unknown"].finditer(text)]
    if _ASKS["no_verb"].search(text):
        words += command.split()[:1]
    understood = part_understood(text)
    if understood.isalpha() and parse(command).head.startswith(f"{understood} "):
        words.append(parse(command).head)
    if _ASKS["rhetorical"].search(text):
        words += YES_NO
    return tuple(dict.fromkeys(word.lower() for word in words if word))
