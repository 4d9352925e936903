"""A thing of the game world, what it is good for, and the world's plain data in the state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from typing import Any, NotRequired

from typing_extensions import TypedDict

from managers.language.actions import classes
from managers.language.lexicon import classes_of, head_of, words_of
from managers.language.patterns import read_table
from managers.world.facts import Blackboard, Fact

INVENTORY = "inventory"
GONE = "gone"
UNKNOWN = "unknown"
SHOWN, READ, SUPPOSED = range(3)
STALE_AFTER = 60
"""Turns after which what was seen of a thing elsewhere may well have changed."""

HypothesisRow = list[Any]
"""Subject, predicate, object, confidence, evidence, and 1 where it was tested, and disproven."""
USEFUL = frozenset({"key-like", "rope-like", "tool", "weapon", "light-source"})
"""Classes of things that much may be done with."""
NO_WEAPON = 2
"""The rank of what is no weapon by its name, but may do: a tool, or something nobody knows."""
_MATTERS_NOT = frozenset({"takeable", "wearable", "openable", "switchable", "lockable"})
"""What a thing was seen to be in play, which no weapon is for that."""


class ThingRow(TypedDict):
    """A thing as it lies in the state (see `GameObject`); what is at its default is left out."""

    name: str
    at: str
    seen: int
    how: str
    """How it is known: listed, described, command; tied to where it is."""
    sure: float
    aka: NotRequired[list[str]]
    props: NotRequired[list[str]]
    state: NotRequired[dict[str, bool]]
    taken: NotRequired[int]
    guess: NotRequired[int]
    """Left out where its place is shown."""


class WorldData(TypedDict):
    """The state field `world`."""

    turn: int
    room: str
    dark: int
    inside: str
    count: int
    """How many hypotheses there ever were."""
    objects: dict[str, ThingRow]
    scenery: dict[str, list[str]]
    """Room -> what its prose mentions in passing."""
    hypotheses: dict[str, HypothesisRow]
    notes: list[list[Any]]
    """Turn, room and text of sentences that no rule understood."""
    unknown: dict[str, int]
    """Words the game does not know, and when it said so."""
    links: dict[str, list[str]]
    """What has turned out to need what: id of a thing or room -> ids it needed."""
    deeds: dict[str, list[str]]
    """Room -> the things to which something was done there."""
    listed: int
    """The turn in which the game listed last what is carried; -1 for never."""
    offered: dict[str, list[int]]
    """Commands that the emulator has seen work here: points and words of the reply."""


def empty_world() -> WorldData:
    """What is known before the first word of the story."""
    return {
        "turn": 0, "room": "", "dark": 0, "inside": "", "count": 0,
        "objects": {}, "scenery": {}, "hypotheses": {}, "notes": [], "unknown": {},
        "links": {}, "deeds": {}, "listed": -1, "offered": {},
    }  # fmt: skip


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
    confidence: float = 1.0
    might_solve: tuple[str, ...] = ()
    """Patterns of issues it may help with: `locked*`, `dark*`."""
    taken: int = 0
    """How often it was picked up."""
    guess: int = 0
    """How its place is known: `SHOWN` in a list or said in as many words, `READ` so by a reader
    alone, or only `SUPPOSED`."""

    @classmethod
    def of(cls, id: str, row: ThingRow) -> GameObject:
        """The value of a row."""
        name = row["name"]
        kinds = (*row.get("props", ()), *classes_of(name))
        return cls(
            id=id,
            name=name,
            aliases=tuple(row.get("aka", ())),
            location=row["at"],
            properties=tuple(dict.fromkeys(kinds)),
            state=row.get("state", {}),
            last_seen_turn=row["seen"],
            confidence=row["sure"],
            might_solve=tags_for(name),
            taken=row.get("taken", 0),
            guess=row.get("guess", SHOWN),
        )

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
        switched = ("switchable",) if "on" in self.state else ()
        return classes(self.name, (*self.properties, *switched))

    @property
    def portable(self) -> bool:
        """It was carried already, or its kind usually can be and nothing spoke against it."""
        return self.taken > 0 or (self.has("takeable") and not self.has("fixed"))

    @property
    def burns(self) -> bool:
        """It is known to be lit, or on."""
        return bool(self.is_("lit") or self.is_("on"))


@cache
def tag_rules() -> Mapping[str, tuple[str, ...]]:
    """`OBJECT_TAGS`: class or noun of a thing -> patterns of the issues it may solve."""
    return {kind: tuple(tags) for kind, tags in read_table("tags", __package__)["tags"].items()}


@cache
def trouble_words() -> Mapping[str, tuple[str, ...]]:
    """Property of a thing -> words of an issue that make such things relevant."""
    troubles = read_table("tags", __package__)["troubles"]
    return {kind: tuple(words) for kind, words in troubles.items()}


@lru_cache(maxsize=4096)
def tags_for(name: str) -> tuple[str, ...]:
    """The issue patterns for a thing's name."""
    kinds = {*classes_of(name), *words_of(name)}
    tags = [tag for kind, tags in tag_rules().items() if kind in kinds for tag in tags]
    return tuple(dict.fromkeys(tags))


def weapon_rank(thing: GameObject) -> int:
    """The lower, the better a thing is to fight with; above `NO_WEAPON` it is none at all."""
    if "weapon" in thing.classes:
        return 0 if "mighty" in thing.classes else 1
    known = thing.classes | classes(thing.name.split()[-1])
    may_do = not known.difference(_MATTERS_NOT) or not known.isdisjoint({"weapon", "tool"})
    return NO_WEAPON if may_do else NO_WEAPON + 1


def weapons(things: tuple[GameObject, ...]) -> list[GameObject]:
    """Those of some things that could be a weapon, the best first."""
    return sorted((one for one in things if weapon_rank(one) <= NO_WEAPON), key=weapon_rank)


def treasury(board: Blackboard) -> Fact | None:
    """The fact where treasures score, once a deposit there did.

    What is no treasure otherwise may have been wanted there for itself.
    """
    gave = [one.subject for one in board.of("left") if one.value == "home"]
    won = board.subjects("treasure")
    sure = any(one in won or "valuable" in classes(one) for one in gave)
    return next(iter(board.of("home")), None) if sure else None
