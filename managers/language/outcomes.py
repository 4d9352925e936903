"""How a command went, as far as stock replies tell."""

from __future__ import annotations

import re
import tomllib
import zlib
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib.resources import files
from typing import NamedTuple

from managers.language.actions import EVERYTHING, Action
from managers.language.lexicon import head_of, words_of
from managers.language.patterns import TITLED

_SENTENCE = re.compile(TITLED + r"(?<=[.!?])[\"')]*\s+|\n+")
_ASIDE = re.compile(r"^\s*\([^)]*\)\s*$", re.MULTILINE)
_MARK = re.compile(r"^\[?(?:!:\s*)?|\]$")
_NEGATED = re.compile(r"\b(?:not|never|cannot|nothing)\b|n't\b", re.IGNORECASE)
_KIND_WORDS = 24
_DENIES = re.compile(
    r"\b(?:not|no|nothing|never|nobody|none|cannot|unable|fails?|refuses?|impossible|already|"
    r"only|instead|would|must|should|too|hardly|barely)\b|n't\b|\?$",
    re.IGNORECASE,
)


class FailureReason(NamedTuple):
    """Why a command failed, and what the reply says has to come first."""

    reason: str
    prerequisite: str = ""


class _Rule(NamedTuple):
    pattern: re.Pattern[str]
    meaning: str
    prerequisite: str


@cache
def _rules(kind: str, meaning: str) -> tuple[_Rule, ...]:
    text = (files(__package__) / "outcomes.toml").read_text(encoding="utf-8")
    return tuple(
        _Rule(re.compile(pattern, re.IGNORECASE), entry[meaning], entry.get("prerequisite", ""))
        for entry in tomllib.loads(text)[kind]
        for pattern in entry["patterns"]
    )


def sentences(text: str) -> list[str]:
    """The sentences and lines of a text, stripped, without empty ones."""
    return [part.strip() for part in _SENTENCE.split(text) if part.strip()]


def told(reply: str) -> list[str]:
    """The sentences of a reply without remarks in brackets and the marks of a parser."""
    return [_MARK.sub("", part) for part in sentences(_ASIDE.sub("", reply))]


def denies(reply: str) -> bool:
    """The reply's first sentence says no in some way or asks back."""
    return any(_DENIES.search(sentence) for sentence in told(reply)[:1])


@lru_cache(maxsize=1024)
def refusal_in(reply: str) -> FailureReason | None:
    """The refusal a reply opens with (its first two sentences), or None."""
    for at, sentence in enumerate(told(reply)[:2]):
        for rule in _rules("failure", "reason"):
            match = rule.pattern.match(sentence)
            if match and not (at and rule.meaning == "refused"):
                return FailureReason(rule.meaning, _fill(rule.prerequisite, match))
        if change_in(sentence):
            return None
    return None


def kind_of(reply: str, action: Action) -> int:
    """A number for what is told, whatever it is about: the command's nouns do not count."""
    names = (action.object, action.second)
    masked = {word for name in names for word in words_of(name)} | {head_of(n) for n in names}
    words = [word for word in words_of(reply) if word not in masked and not word.isdigit()]
    return zlib.crc32(" ".join(words[:_KIND_WORDS]).encode())


@lru_cache(maxsize=2048)
def change_in(sentence: str) -> str:
    """What a sentence reports as done: take, drop, open, light, ...; empty if nothing."""
    if _NEGATED.search(sentence):
        return ""
    for rule in _rules("success", "change"):
        if rule.pattern.match(sentence):
            return rule.meaning
    return ""


def _fill(template: str, match: re.Match[str]) -> str:
    if "{0}" not in template:
        return template
    names = [group for group in match.groups() if group]
    name = names[0].lower().strip() if names else ""
    return template.format(name) if name not in ("", "it", "that", "any", "door to") else ""


def item_replies(reply: str, object: str) -> Iterator[tuple[str, str]]:
    """Name and outcome of each line of a reply to `take all` and its like.

    `object` is what the command was about; only several things are answered one by one.
    """
    several = not EVERYTHING.isdisjoint(object.split()[:1]) or " and " in object
    for line in reply.splitlines() if several else ():
        match = re.match(r"^\s*([\w' -]{2,50}):\s+(\S.*)$", line)
        if match:
            yield match[1].strip().lower(), match[2].strip()
