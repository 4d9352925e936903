"""The things of the world, by id and by what they are called.

Do a name and a thing go together? `key` may be the `brass key`, `iron key` is not.

Adjectives distinguish: a name that says more than is known of a thing may be that thing's, one
that says something else is not. What several things fit equally well means none of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from functools import lru_cache
from typing import Any, NamedTuple, Self

from managers.language.actions import WORDS
from managers.language.lexicon import classes_of, grammar, head_of, words_of
from managers.language.nouns import is_thing
from managers.world.attempts import Attempts, FailedAction
from managers.world.objects import (
    GONE,
    INVENTORY,
    STALE_AFTER,
    UNKNOWN,
    GameObject,
    ThingRow,
    WorldData,
    empty_world,
)

SAME = 3.0
"""A likeness from here on: the very same name."""
KNOWN = 2.5
"""From here on: the name says nothing that is not known of the thing."""
SAYS_MORE = 2.0
"""From here on: the noun is the thing's, and nothing speaks against the rest."""
FITS = 1.0
"""From here on: the name may be the thing's."""
_OTHERWISE = 1.5
"""One tells how it is, the other what of: `old leather bag`, `leather bag of coins`."""
_BY_ANOTHER_WORD = 1.2
_SHARED, _MOST_SHARED = 0.1, 4
_STEM = 5
MOST_NOTES = 12
MOST_SCENERY = 12
MOST_UNHEARD = 5
"""Nouns of one room's prose that no word list knows."""
_MOST_HOLDERS = 8


class _Called(NamedTuple):
    """One name taken apart, or all the names of a thing together."""

    nouns: frozenset[str]
    before: frozenset[str]
    """What is said before the noun: how it is."""
    after: frozenset[str]
    """What is said after it: what of, what for."""
    words: frozenset[str]
    """Both of them."""

    def nests(self, other: _Called) -> bool:
        """One says no more than the other."""
        return self.words <= other.words or other.words <= self.words


def fit(name: str, entry: Mapping[str, Any]) -> float:
    """How well a name fits a thing by all that it has been called."""
    names = (entry["name"], *entry.get("aka", ()))
    return 0.0 if _keys(name).isdisjoint(_keys(*names)) else likeness(name, *names)


def same_kind(one: str, other: str) -> bool:
    """Two nouns for one kind of thing, `lamp` and `lantern`, and no adjectives that differ."""
    mine, others = _taken_apart(one), _taken_apart(other)
    if mine.nouns == others.nouns or not mine.nests(others):
        return False
    kinds, its = {*classes_of(one)}, {*classes_of(other)}
    last_alike = ("burning-down" in kinds) == ("burning-down" in its)  # A match is no lamp.
    return last_alike and bool(kinds & its & {"light-source", "readable"})


def is_bare(name: str) -> bool:
    """It is a noun and no more."""
    return not _taken_apart(name).words


def best(fits: Sequence[tuple[str, float]], least: float) -> list[str]:
    """The ids of the best of these, which are several where a name is ambiguous."""
    most = max((one for _, one in fits), default=0.0)
    return [id for id, one in fits if one == most] if most >= least else []


@lru_cache(maxsize=16384)
def _keys(*names: str) -> frozenset[str]:
    """How the words of names begin, and each name as one word: names that are alike share one."""
    words = (word for name in names for word in words_of(name))
    parts = (part for word in words for part in (word, *word.split("-")))
    return frozenset(part[:_STEM] for part in (*parts, *(name.replace(" ", "") for name in names)))


@lru_cache(maxsize=16384)
def likeness(name: str, *names: str) -> float:
    """How well a name fits a thing by all its names: 0 not at all, from 1 it may, 3 the same."""
    mine, others = _taken_apart(name), [_taken_apart(one) for one in names]
    for called, other in zip(names, others, strict=True):
        shorter = other.nouns == others[0].nouns and other.words < others[0].words
        if not shorter and called.replace(" ", "") == name.replace(" ", ""):
            return SAME
    known = _Called(*(frozenset[str]().union(*parts) for parts in zip(*others, strict=True)))
    if not mine.nouns <= known.nouns:
        return _BY_ANOTHER_WORD if _by_another_word(mine, known) else 0.0
    new, missing = mine.words - known.words, known.words - mine.words
    both = mine.words & known.words
    if new and missing:
        before, after = new & mine.before, new & mine.after
        differs = (before and missing & known.before) or (after and missing & known.after)
        return _OTHERWISE if both and not differs else 0.0
    return (SAYS_MORE if new else KNOWN) + _SHARED * min(len(both), _MOST_SHARED)


def _by_another_word(mine: _Called, known: _Called) -> bool:
    """`trap` is the trap door, `coins` the bag of coins, `sheet of paper` the paper."""
    if any(_one_stem(one, other) for one in mine.nouns for other in known.nouns):
        return mine.nests(known)
    if mine.after and mine.after <= known.nouns:
        return mine.before <= known.before
    if mine.nouns <= known.after:
        return mine.words <= known.words
    return _is_adjective(mine, known) or _is_adjective(known, mine)


def _is_adjective(called: _Called, thing: _Called) -> bool:
    """It is called by one of its adjectives: `trap`; a `glass` is no `glass key`, but a noun."""
    both_are_nouns = all(any(map(classes_of, one.nouns)) for one in (called, thing))
    adjectives = called.nouns <= thing.before and called.words <= thing.words
    return adjectives and not both_are_nouns


def _one_stem(one: str, other: str) -> bool:
    """`guidebook` and `guidebooks`, `clothes` and `clothing`, but not `statue` and `statuette`."""
    if min(len(one), len(other)) <= _STEM or one[:_STEM] != other[:_STEM]:
        return False
    mine, others = {*classes_of(one)}, {*classes_of(other)}
    return not (mine and others) or not mine.isdisjoint(others)


@lru_cache(maxsize=8192)
def _taken_apart(name: str) -> _Called:
    noun, words = head_of(name), words_of(name)
    at = words.index(noun) if noun in words else 0
    small = grammar()["preposition"] | grammar()["determiner"] | {noun}
    before, after = (
        frozenset(part for word in some for part in (word, *word.split("-")) if part not in small)
        for some in (words[:at], words[at + 1 :])
    )
    return _Called(frozenset({noun}), before, after, before | after)


class Things:
    """A view of plain data whose rows are replaced and never edited.

    Where things are and what names mean is looked up once, and again after that has changed.
    """

    def __init__(self, data: WorldData | None = None, attempts: Attempts | None = None) -> None:
        self.data = data or empty_world()
        self.rows = self.data["objects"]
        self.attempts = attempts or Attempts()
        self._values: dict[str, tuple[ThingRow, GameObject]] = {}
        self._failures: dict[tuple[str, str], FailedAction | None] = {}
        self._starts: dict[str, list[str]] | None = None
        """How a word of a name begins -> the ids of what has such a name."""
        self._forget()

    def _forget(self, *, names: bool = False) -> None:
        """What was looked up of places may be otherwise now, and of names with `names`."""
        if names:
            self._starts = None
        self._objects: tuple[GameObject, ...] | None = None
        self._nouns: Counter[str] | None = None
        self._held: dict[str, list[str]] | None = None
        self._rooms: dict[str, str] = {}
        self._found: dict[tuple[str, str, bool], str | None] = {}

    def copy(self) -> Self:
        """A view to apply a turn to; what was looked up before is not made again."""
        new = copy(self)
        new.rows = dict(self.rows)
        new.data = {**self.data, "objects": new.rows}
        new._failures = {}
        return new

    # -- what they are ----------------------------------------------------------

    def objects(self) -> tuple[GameObject, ...]:
        """All things known, in the order they were met."""
        if self._objects is None:
            self._objects = tuple(map(self._value, self.rows))
        return self._objects

    def get(self, id: str) -> GameObject | None:
        """The thing with this id."""
        return self._value(id) if id in self.rows else None

    def _value(self, id: str) -> GameObject:
        row = self.rows[id]
        known = self._values.get(id)
        if known is None or known[0] is not row:
            known = self._values[id] = (row, GameObject.of(id, row))
        return known[1]

    def called(self, thing: GameObject) -> str:
        """What to call a thing in a command: its noun, or its name if others share the noun."""
        if self._nouns is None:
            self._nouns = Counter(one.noun for one in self.objects())
        return thing.noun if self._nouns[thing.noun] < 2 else thing.name

    def get_objects_with_property(self, prop: str) -> list[GameObject]:
        """All things that are known or by their name supposed to be something."""
        return [thing for thing in self.objects() if thing.has(prop)]

    # -- where they are ---------------------------------------------------------

    @property
    def room(self) -> str:
        """The room the player is in, as the map calls it."""
        return self.data["room"]

    def room_of(self, id: str) -> str:
        """Where an object is at last: a room, `inventory`, `gone` or `unknown`."""
        if id not in self._rooms:
            at = [self._value(id), *self.holders_of(id)][-1].location
            self._rooms[id] = UNKNOWN if at in self.rows else at
        return self._rooms[id]

    def location_of(self, id: str) -> str:
        """A thing's room or `inventory`; empty where it is gone or not known."""
        place = self.room_of(id)
        return "" if place in (GONE, UNKNOWN) else place

    def children(self, holder: str) -> list[str]:
        """The ids of what is directly in, on or at something."""
        if self._held is None:
            self._held = {}
            for id, row in self.rows.items():
                self._held.setdefault(row["at"], []).append(id)
        return self._held.get(holder, [])

    def near(self, room: str) -> list[str]:
        """The ids of what is within reach: the inventory first, then what is in the room."""
        return [id for place in (INVENTORY, room) for id in self.rows if self.room_of(id) == place]

    def inventory(self) -> list[GameObject]:
        """What the player carries, without what is inside of carried things."""
        return [*map(self._value, self.children(INVENTORY))]

    def holders_of(self, id: str) -> list[GameObject]:
        """The things around a thing, the nearest first."""
        found: list[GameObject] = []
        while (id := self.rows[id]["at"]) in self.rows and len(found) < _MOST_HOLDERS:
            found.append(self._value(id))
        return found

    def at(self, room: str) -> list[GameObject]:
        """What is visible in a room, in or on others too."""
        found = [*map(self._value, self.children(room))]
        for thing in found:
            if thing.is_("open") is not False:
                found.extend(map(self._value, self.children(thing.id)))
        return found

    def is_stale(self, thing: GameObject) -> bool:
        """It was last seen long ago, somewhere else."""
        elsewhere = self.location_of(thing.id) not in (INVENTORY, self.room)
        return bool(elsewhere and self.data["turn"] - thing.last_seen_turn > STALE_AFTER)

    # -- what names mean --------------------------------------------------------

    def meant(self, name: str, room: str | None = None) -> GameObject | None:
        """The thing a phrase means: within reach of `room` first, then anywhere."""
        return self.get(self.find(name.lower(), room or self.room, gone=True) or "")

    def resolve(self, name: str, room: str | None = None) -> GameObject | None:
        """The thing of an id, as goals name things, or else the one a phrase means."""
        return self.get(name) or self.meant(name, room)

    def find(self, name: str, room: str, *, gone: bool = False) -> str | None:
        """The id of what a name means; None for a name that fits several equally well.

        Within reach first, then wherever one was seen, then, if `gone`, what is no more; but a
        name that says more than a noun means what is known to be so before what may be.
        """
        key = (name, room, gone)
        if key not in self._found:
            fits = [(id, fit(name, self.rows[id])) for id in self._like(name)]
            fits = [(id, one) for id, one in fits if one >= FITS]
            known = [(id, one) for id, one in fits if self.rows[id]["at"] != GONE]
            near = [(id, one) for id, one in known if self.room_of(id) in (INVENTORY, room)]
            seen = [(id, one) for id, one in known if self.rows[id]["at"] != UNKNOWN]
            sure = () if is_bare(name) else ((near, KNOWN), (seen, KNOWN))
            matches = (best(some, least) for some, least in (*sure, (near, FITS), (known, FITS)))
            found = _only(next(filter(None, matches), []))
            if gone and found is None:
                found = _only(best([one for one in fits if one not in known], FITS))
            self._found[key] = found
        return self._found[key]

    def _like(self, name: str) -> Iterable[str]:
        """The ids of what shares the beginning of a word with a name; it fits nothing else."""
        if self._starts is None:
            self._starts = {}
            for id, row in self.rows.items():
                for start in _keys(row["name"], *row.get("aka", ())):
                    self._starts.setdefault(start, []).append(id)
        starts = self._starts
        return dict.fromkeys(id for start in _keys(name) for id in starts.get(start, ()))

    def find_akin(self, name: str, room: str, *, held: bool = False) -> str | None:
        """The only thing held, or not held, that a name or its kind fits: `lamp`, lantern.

        Else the thing within reach that the name fits and that was met last.
        """
        near = self.near(room)
        named = [id for id in near if fit(name, self.rows[id]) >= FITS]
        akin = [id for id in near if id in named or same_kind(name, self.rows[id]["name"])]
        only = _only([id for id in akin if (self.room_of(id) == INVENTORY) == held])
        return only or max(named, key=lambda id: (self.rows[id]["seen"], id), default=None)

    def only_held(self, name: str) -> str | None:
        """The one thing carried that has the noun of a name, whatever else it is called."""
        held = self.children(INVENTORY)
        return _only([id for id in held if head_of(self.rows[id]["name"]) == head_of(name)])

    def get_objects_matching(self, text: str) -> list[GameObject]:
        """The things whose noun a text mentions."""
        words = frozenset(words_of(text))
        return [thing for thing in self.objects() if thing.noun in words]

    # -- what changes -----------------------------------------------------------

    def change(self, id: str, **values: Any) -> None:
        """Replace fields of a row."""
        row: Any = {**self.rows[id], **values}
        self.rows[id] = row
        self._objects = None
        if "at" in values or "aka" in values:
            self._forget(names="aka" in values)

    def add(self, name: str, at: str, how: str, confidence: float) -> str:
        """A new thing; its id is made of its name: `brass key` -> `brass_key`."""
        id = base = "_".join(words_of(name)) or "thing"
        number = 2
        while id in self.rows:
            id, number = f"{base}_{number}", number + 1
        seen, sure = self.data["turn"], round(confidence, 2)
        self.rows[id] = {"name": name, "at": at, "seen": seen, "how": how, "sure": sure}
        self._forget(names=True)
        return id

    def set_state(self, id: str, prop: str, value: bool) -> None:
        """Set one state of a thing."""
        self.change(id, state={**self.rows[id].get("state", {}), prop: value})

    def add_property(self, id: str, prop: str) -> None:
        """Note a property that play has shown."""
        props = self.rows[id].get("props", [])
        if prop not in props:
            self.change(id, props=[*props, prop])

    def add_alias(self, id: str, name: str) -> None:
        """Note another name of a thing."""
        row = self.rows[id]
        if name != row["name"] and name not in row.get("aka", []):
            self.change(id, aka=[*row.get("aka", []), name][-4:])

    def merge(self, id: str, other: str) -> None:
        """The other is the same thing under a new name: keep the first, forget the other."""
        row = self.rows.pop(other)
        self._forget(names=True)
        for child in self.children(other):
            self.change(child, at=id)
        self.add_alias(id, row["name"])
        state = {**self.rows[id].get("state", {}), **row.get("state", {})}
        self.change(id, at=row["at"], how=row["how"], seen=row["seen"], state=state)

    # -- what is only spoken of -------------------------------------------------

    def scenery(self, room: str) -> list[str]:
        """Names of what the room's prose mentions in passing."""
        return list(self.data["scenery"].get(room, ()))

    def add_scenery(self, room: str, name: str) -> None:
        """Note a thing that is only part of a room's description.

        Where there are many, nouns that nobody knows go first, then what was told of first. The
        north wall is the same in every room.
        """
        names = self.scenery(room)
        walls = head_of(name) == "wall" and name.split()[0] in WORDS
        if name in names or walls:
            return
        unheard = [one for one in names if not is_thing(one)]
        if not is_thing(name) and len(unheard) >= MOST_UNHEARD:
            return
        if len(names) >= MOST_SCENERY:
            names.remove(unheard[-1] if unheard else names[0])
        self.data["scenery"] = {**self.data["scenery"], room: [*names, name]}

    def promote(self, name: str) -> str | None:
        """Part of the present room's description that turns out to be a thing to handle."""
        names = self.scenery(self.room)
        found = next((one for one in names if likeness(name, one) >= FITS), None)
        if found is None:
            return None
        names.remove(found)
        self.data["scenery"] = {**self.data["scenery"], self.room: names}
        return self.add(found, self.room, "described", 0.6)

    def is_unknown(self, word: str) -> bool:
        """The game said it does not know this word."""
        return word.lower() in self.data["unknown"]

    def notes(self) -> list[tuple[int, str, str]]:
        """Turn, room and text of the last sentences that no rule understood."""
        return [(int(turn), str(room), str(text)) for turn, room, text in self.data["notes"]]

    def note(self, text: str) -> None:
        """Keep a sentence that could not be understood; the oldest gives way."""
        line: list[Any] = [self.data["turn"], self.room, text[:160]]
        self.data["notes"] = [*self.data["notes"], line][-MOST_NOTES:]


def _only(ids: list[str]) -> str | None:
    return ids[0] if len(ids) == 1 else None
