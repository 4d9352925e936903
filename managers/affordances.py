"""What can be done with things in general: action classes, verbs, classes of nouns."""

from __future__ import annotations

import tomllib
from functools import cache, lru_cache
from importlib.resources import files
from typing import NamedTuple

from managers.text.lexicon import classes_of, head_of, known_noun


class Kind(NamedTuple):
    """An action class, with the priors of what play teaches about it."""

    name: str
    success: float
    worth: float
    purpose: str


class Verb(NamedTuple):
    """A command on one noun, for nouns of certain classes."""

    command: str
    kind: str
    classes: frozenset[str]


class Pair(NamedTuple):
    """A command on two nouns of which `held` says which one must be carried."""

    command: str
    kind: str
    first: frozenset[str]
    second: frozenset[str]
    held: str


class Affordances(NamedTuple):
    """The whole table."""

    kinds: dict[str, Kind]
    verbs: tuple[Verb, ...]
    pairs: tuple[Pair, ...]
    words: dict[str, frozenset[str]]
    """The classes of a noun, by its head word."""

    def classes(self, name: str, properties: tuple[str, ...] = ()) -> frozenset[str]:
        """The classes of a noun phrase, with the properties it is known to have."""
        return _classes(name, properties)


@lru_cache(maxsize=4096)
def _classes(name: str, properties: tuple[str, ...]) -> frozenset[str]:
    words, head, classes = affordances().words, head_of(name), classes_of(name)
    if head not in words and not classes:
        head = known_noun(head, words)
    return words.get(head, frozenset()).union(classes, properties)


@lru_cache(maxsize=8192)
def verb_of(command: str) -> str:
    """The words of a command that do not name things: `put egg in nest` -> `put in`."""
    first, *rest = command.split() or [""]
    particles = [word for word in rest[:1] if word in _PARTICLES]
    between = [word for word in rest[1:-1] if word in _BETWEEN]
    return " ".join([first, *particles, *between[:1]])


_BETWEEN = frozenset({"with", "to", "in", "on", "from", "about"})
_PARTICLES = frozenset({"on", "off", "up", "in", "under", "behind", "to", "out", "at"})


@cache
def affordances() -> Affordances:
    """The table of `affordances.toml`, read once."""
    source = files("managers").joinpath("affordances.toml")
    data = tomllib.loads(source.read_text(encoding="utf-8"))
    words: dict[str, set[str]] = {}
    for name, members in data["classes"].items():
        for word in members:
            words.setdefault(word, set()).add(name)
    return Affordances(
        kinds={name: Kind(name, **entry) for name, entry in data["kinds"].items()},
        verbs=tuple(
            Verb(entry["command"], entry["kind"], frozenset(entry["classes"]))
            for entry in data["verbs"]
        ),
        pairs=tuple(
            Pair(
                entry["command"],
                entry["kind"],
                frozenset(entry["first"]),
                frozenset(entry["second"]),
                entry.get("held", "second"),
            )
            for entry in data["pairs"]
        ),
        words={word: frozenset(names) for word, names in words.items()},
    )
