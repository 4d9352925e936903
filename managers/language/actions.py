"""Commands: what is known of them (`actions.toml`), and one canonical form for every one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any, NamedTuple

from managers.language.lexicon import by_noun, classes_of, head_of, is_of, known_noun
from managers.language.patterns import patterns, read_table

_WAYS: Mapping[str, Mapping[str, str]] = read_table("actions")["directions"]
_GOING = frozenset({"go", "walk", "run", "head", "move", "travel"})

WAYS = tuple(_WAYS)
"""The canonical names of the directions, compass first, those of ships last."""
DIRECTIONS = WAYS[:12]
"""Those that may lead on anywhere."""
COMPASS = frozenset(WAYS[:10])
"""With up and down. Parsers take these words for things, too; `in` and `out` are verbs."""
WORDS = {word: way for way, row in _WAYS.items() for word in (way, *row["words"].split())}
"""Every word for a direction, with its canonical name."""

EVERYTHING = frozenset({"all", "everything"})
_ANYTHING = EVERYTHING | {"it", "them", "him", "her"}
_ALIASES = {"x": "examine", "l": "look", "i": "inventory", "z": "wait", "get": "take"}
"""Words that every parser takes for another one."""
_AT_THE_END = frozenset({"on", "off", "up", "down", "out"})
_JOINED = re.compile(r" (?:to|in|into|on|onto|with|about|from|at) (?:the |an? |your )?")
_ARTICLES = frozenset({"a", "an", "the", "some", "my", "your"})


class Action(NamedTuple):
    """A command taken apart; empty strings for what it does not have."""

    verb: str
    """What it does, a key of the table's verbs: take, open, examine, go; else its own word."""
    object: str = ""
    preposition: str = ""
    second: str = ""
    direction: str = ""
    head: str = ""
    """The words it begins with: `look under`, `turn on`, `put`."""
    said: str = ""
    """The words that name no things: `look under`, `put in`."""

    @property
    def canonical(self) -> str:
        """The one form it is remembered in, itself a command: `get the lamp` -> `take lamp`."""
        parts = (self.head, self.object, self.preposition, self.second)
        return self.direction or " ".join(filter(None, parts))

    @property
    def kind(self) -> str:
        """The kind of action that its verb usually is."""
        if self.said.startswith(("look ", "search")) and self.said != "look at":
            return "search" if self.object else "look"
        if self.said == "read":
            return "read"
        return table().verbs.get(self.verb, _UNKNOWN_VERB).kind

    def has(self, flag: str) -> bool:
        """Whether the table gives its verb this flag."""
        return flag in table().verbs.get(self.verb, _UNKNOWN_VERB).flags


class Verb(NamedTuple):
    """A row of the table: what a verb usually is, and what is known of it in general."""

    kind: str
    flags: frozenset[str]


_UNKNOWN_VERB = Verb("use", frozenset())


class Kind(NamedTuple):
    """A kind of action, with the priors of what play teaches about it (see `actions.toml`)."""

    success: float
    worth: float
    purpose: str
    again: float = 0.0
    risk: float = 0.0


class Single(NamedTuple):
    """A command on one noun, for nouns of certain classes."""

    command: str
    kind: str
    classes: frozenset[str]


class Pair(NamedTuple):
    """A command on two nouns of which `held` says which one is carried."""

    command: str
    kind: str
    first: frozenset[str]
    second: frozenset[str]
    held: str = "second"
    near: frozenset[str] = frozenset()
    """It is likelier to work where the text of the room names something of one of these classes."""


class ActionTable(NamedTuple):
    """All of `actions.toml`."""

    verbs: Mapping[str, Verb]
    words: Mapping[str, str]
    """Word that a command may begin with -> its verb."""
    phrases: Mapping[tuple[str, str], str]
    """Two such words -> their verb."""
    kinds: Mapping[str, Kind]
    singles: tuple[Single, ...]
    pairs: tuple[Pair, ...]
    classes: Mapping[str, list[str]]
    """Head word of a noun -> its classes."""
    tools: Mapping[str, str]
    """Word that a command may begin with -> the noun or class of what it is done with."""


@cache
def table() -> ActionTable:
    """The table, read once."""
    data = read_table("actions")
    words: dict[str, str] = {}
    phrases: dict[tuple[str, str], str] = {}
    for verb, entry in data["verbs"].items():
        words |= dict.fromkeys(entry["words"].split(), verb)
        phrases |= dict.fromkeys(re.findall(r"(\w+) (\w+)", entry.get("phrases", "")), verb)
    return ActionTable(
        {verb: Verb(e["kind"], frozenset(e["flags"].split())) for verb, e in data["verbs"].items()},
        words,
        phrases,
        {name: Kind(**entry) for name, entry in data["kinds"].items()},
        tuple(Single(**_with_sets(one)) for one in data["single"]),
        tuple(Pair(**_with_sets(one)) for one in data["pairs"]),
        by_noun(data["classes"]),
        data["tools"],
    )


def _with_sets(entry: Mapping[str, Any]) -> Mapping[str, Any]:
    return {key: frozenset(it) if isinstance(it, list) else it for key, it in entry.items()}


@lru_cache(maxsize=4096)
def classes(name: str, properties: tuple[str, ...] = ()) -> frozenset[str]:
    """The classes of a noun phrase by its head word, with the properties it is known to have."""
    known, head, found = table().classes, head_of(name), classes_of(name)
    if head not in known and not found:
        head = known_noun(head, known)
    return frozenset((*known.get(head, ()), *found, *properties))


@lru_cache(maxsize=8192)
def parse(command: str) -> Action:
    """Take a command apart without knowing the game's grammar."""
    words = command.lower().replace(",", " and ").split()
    words = words[:1] + [word for word in words[1:] if word not in _ARTICLES]
    if not words:
        return Action("")
    direction = direction_of(" ".join(words))
    if direction:
        return Action("go", direction=direction, head="go", said="go")
    verb, head, rest = _verb(words)
    while rest and is_of(rest[0], "preposition"):
        head, rest = f"{head} {rest[0]}", rest[1:]
    for at, word in enumerate(rest):
        if is_of(word, "between"):
            parts = (" ".join(rest[:at]), word, " ".join(rest[at + 1 :]))
            return Action(verb, *parts, head=head, said=f"{head} {word}".strip())
    return Action(verb, " ".join(rest), head=head, said=head)


@lru_cache(maxsize=8192)
def canonical(command: str) -> str:
    """The one form of a command: `go north`, `n` -> `north`; `get the lamp` -> `take lamp`."""
    return parse(command).canonical


def same_action(one: str, other: str) -> bool:
    """The two mean the same to a parser: `go north` and `n`, `get lamp` and `take lamp`."""
    first, second = parse(one), parse(other)
    particle, other_particle = first.head.split()[1:], second.head.split()[1:]
    apart = particle and other_particle and particle != other_particle  # `climb up`, `climb down`
    return first[:5] == second[:5] and first.kind == second.kind and not apart


def direction_of(command: str) -> str | None:
    """The canonical direction a command goes, or None: `n`, `Go North` -> `north`."""
    words = command.lower().split()
    if len(words) == 2 and words[0] in _GOING:
        words = words[1:]
    return WORDS.get(words[0]) if len(words) == 1 else None


def opposite(direction: str) -> str | None:
    """The way back, if the world were straight; None for what is no direction."""
    return _WAYS[direction]["back"] if direction in _WAYS else None


def as_understood(command: str, reply: str) -> str:
    """The command with the things that the game names in brackets: `(with the iron bar)`."""
    parsed = parse(command)
    understood = command
    said = patterns("actions")["chosen"].finditer(reply)
    for chosen in (part for match in said for part in _JOINED.split(match[1].lower())):
        for name in (parsed.object, parsed.second):
            if name and (name in _ANYTHING or chosen.endswith(f" {name}")):
                understood = re.sub(rf"\b{re.escape(name)}\b", chosen, understood.lower(), count=1)
                break
    implied = patterns("actions")["implied"].search(reply)
    if implied and parsed.object and not parsed.second:
        return f"{understood} with {implied[1].lower()}"
    return understood


def _verb(words: list[str]) -> tuple[str, str, list[str]]:
    """The verb, the words that say it, and the rest."""
    phrases = table().phrases
    for first in (words[0], _ALIASES.get(words[0], "")):
        begin, around = (first, "".join(words[1:2])), (first, words[-1])
        if begin in phrases:
            return phrases[begin], " ".join(begin), words[2:]
        if len(words) > 2 and words[-1] in _AT_THE_END and around in phrases:
            return phrases[around], " ".join(around), words[1:-1]
    first = _ALIASES.get(words[0], words[0])
    return table().words.get(first, first), first, words[1:]
