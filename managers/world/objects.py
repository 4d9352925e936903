"""A thing of the game world, as far as it is known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from typing_extensions import TypedDict

from managers.language.actions import classes
from managers.language.lexicon import classes_of, head_of, words_of
from managers.world.tagging import tags_for

INVENTORY = "inventory"
GONE = "gone"
UNKNOWN = "unknown"
SHOWN, READ, SUPPOSED = range(3)
STALE_AFTER = 60
"""Turns after which what was seen of a thing elsewhere may well have changed."""


@dataclass(frozen=True)
class GameObject:
    """What is known of one thing; a value, made anew from the state when it is asked for."""

    id: str
    name: str
    aliases: tuple[str, ...] = ()
    location: str = UNKNOWN
    """A room (`L3`), `inventory`, the id of its holder, `gone` or `unknown`."""
    properties: tuple[str, ...] = ()
    """Seen in play or said by its name: takeable, container, key-like, light-source, ..."""
    state: Mapping[str, bool] = field(default_factory=dict)
    """open, locked, lit, on, worn; what is not known is absent."""
    last_seen_turn: int = 0
    provenance: str = "described"
    """How it is known: listed, described, command, facts."""
    confidence: float = 1.0
    might_solve: tuple[str, ...] = ()
    """Patterns of issues it may help with: `locked*`, `dark*`."""
    taken: int = 0
    """How often it was picked up."""
    guess: int = 0
    """How its place is known: `SHOWN` in a list or said in as many words, `READ` so by a reader
    alone, or only `SUPPOSED`."""

    def has(self, prop: str) -> bool:
        """The thing is known or by its name supposed to be this."""
        return prop in self.properties

    def is_(self, state: str) -> bool | None:
        """The state, None where it is not known."""
        return self.state.get(state)

    @cached_property
    def noun(self) -> str:
        """The shortest name a parser is likely to understand."""
        return head_of(self.name) or self.name

    @cached_property
    def classes(self) -> frozenset[str]:
        """What it is by its name and by what has been seen of it."""
        return classes(self.name, self.properties)

    @property
    def portable(self) -> bool:
        """It was carried already, or its kind usually can be and nothing spoke against it."""
        return self.taken > 0 or (self.has("takeable") and not self.has("fixed"))


class _Known(TypedDict):
    name: str
    at: str
    """A room, `inventory`, the id of its holder, `gone` or `unknown`."""
    seen: int
    how: str
    sure: float


class ThingRow(_Known, total=False):
    """A thing as it lies in the state; what is at its default is left out."""

    aka: list[str]
    props: list[str]
    state: dict[str, bool]
    taken: int
    guess: int
    """Left out where its place is shown."""


def new_entry(name: str, turn: int, how: str, confidence: float) -> ThingRow:
    """The plain data of a thing just met."""
    return {"name": name, "at": UNKNOWN, "seen": turn, "how": how, "sure": round(confidence, 2)}


def object_from(id: str, entry: ThingRow) -> GameObject:
    """The value of a stored entry."""
    name = entry["name"]
    kinds = (*entry.get("props", ()), *classes_of(name))
    return GameObject(
        id=id,
        name=name,
        aliases=tuple(entry.get("aka", ())),
        location=entry["at"],
        properties=tuple(dict.fromkeys(kinds)),
        state=entry.get("state", {}),
        last_seen_turn=entry["seen"],
        provenance=entry["how"],
        confidence=entry["sure"],
        might_solve=tags_for(name),
        taken=entry.get("taken", 0),
        guess=entry.get("guess", SHOWN),
    )


def slug(name: str) -> str:
    """An id for a name: `brass key` -> `brass_key`."""
    return "_".join(words_of(name)) or "thing"
