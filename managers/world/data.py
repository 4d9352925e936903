"""The world's plain data and the ways to change them without touching what was handed out."""

from __future__ import annotations

from collections import Counter
from typing import Any

from typing_extensions import TypedDict

from managers.language.actions import direction_of, parse
from managers.language.lexicon import classes_of, head_of
from managers.language.nouns import is_thing
from managers.world.names import FITS, KNOWN, best, fit, fitting, is_bare, likeness, same_kind
from managers.world.objects import (
    GONE,
    INVENTORY,
    READ,
    UNKNOWN,
    GameObject,
    ThingRow,
    new_entry,
    object_from,
    slug,
)

MOST_NOTES = 12
MOST_SCENERY = 12
MOST_UNHEARD = 5
"""Nouns of one room's prose that no word list knows."""


_NAMING = frozenset({"name", "aka"})
"""Fields that decide what a thing is called."""


class HypothesisRow(TypedDict, total=False):
    """A hypothesis as it lies in the state."""

    subject: str
    predicate: str
    object: str
    sure: float
    why: list[str]
    tested: int
    disproven: int


class DeedsRow(TypedDict):
    """What was done in a room and may have opened a way on."""

    sure: list[str]
    other: list[str]
    ways: list[str]


class WorldData(TypedDict):
    """The state field `world`."""

    turn: int
    room: str
    dark: int
    inside: str
    """The vehicle or furniture the player is in."""
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
    deeds: dict[str, DeedsRow]
    ways: list[str]
    gloom: int
    listed: int
    """The turn in which the game listed last what is carried; -1 for never."""
    offered: dict[str, list[int]]
    """Commands that the emulator has seen work here: points, kind and words of the reply."""


def empty_world() -> WorldData:
    """What is known before the first word of the story."""
    return {
        "turn": 0, "room": "", "dark": 0, "inside": "", "count": 0,
        "objects": {}, "scenery": {}, "hypotheses": {}, "notes": [], "unknown": {},
        "links": {}, "deeds": {}, "ways": [], "gloom": 0, "listed": -1,
        "offered": {},
    }  # fmt: skip


KnownThing = tuple[ThingRow, GameObject]
"""An entry and what was made of it."""


class Store:
    """Objects by id, over data whose entries are replaced and never edited.

    Where things are and what names mean is looked up once, and again after that has changed.
    """

    def __init__(self, data: WorldData, values: dict[str, KnownThing] | None = None) -> None:
        self.data = data
        self.objects = data["objects"]
        self._values: dict[str, KnownThing] = {} if values is None else values
        self._all: list[GameObject] | None = None
        self._nouns: Counter[str] | None = None
        self._held: dict[str, list[str]] | None = None
        self._rooms: dict[str, str] = {}
        self._near: dict[str, list[str]] = {}
        self._fits: dict[str, list[tuple[str, float]]] = {}
        self._found: dict[tuple[str, str, bool], str | None] = {}

    def copy(self) -> Store:
        """Another one over copied data; what was made of entries is not made again."""
        store = Store({**self.data, "objects": dict(self.objects)}, self._values)
        store._rooms, store._near = dict(self._rooms), dict(self._near)
        store._held = self._held
        store._fits, store._found = dict(self._fits), dict(self._found)
        return store

    def values(self) -> list[GameObject]:
        """All things, in the order they were met."""
        if self._all is None:
            self._all = [self.value(id) for id in self.objects]
        return list(self._all)

    def nouns(self) -> Counter[str]:
        """How many things there are by each noun."""
        if self._nouns is None:
            self._nouns = Counter(thing.noun for thing in self.values())
        return self._nouns

    def value(self, id: str) -> GameObject:
        """The thing with this id."""
        entry = self.objects[id]
        known = self._values.get(id)
        if known is None or known[0] is not entry:
            known = self._values[id] = (entry, object_from(id, entry))
        return known[1]

    def change(self, id: str, **values: Any) -> None:
        """Replace fields of an entry."""
        entry: Any = {**self.objects[id], **values}
        self.objects[id] = entry
        self._all = None
        if not _NAMING.isdisjoint(values):
            self._forget_names()
        elif "at" in values:
            self._forget_places()

    def _forget_places(self) -> None:
        self._held = None
        for answers in (self._rooms, self._near, self._found):
            answers.clear()

    def _forget_names(self) -> None:
        self._all = self._nouns = None
        self._fits.clear()
        self._forget_places()

    def add(self, name: str, at: str, how: str, confidence: float) -> str:
        """A new object; its id is made of its name."""
        base = slug(name)
        id, number = base, 2
        while id in self.objects:
            id, number = f"{base}_{number}", number + 1
        self.objects[id] = {**new_entry(name, self.data["turn"], how, confidence), "at": at}
        self._forget_names()
        return id

    def set_state(self, id: str, prop: str, value: bool) -> None:
        """Set one state of an object."""
        self.change(id, state={**self.objects[id].get("state", {}), prop: value})

    def add_property(self, id: str, prop: str) -> None:
        """Note a property that play has shown."""
        props = self.objects[id].get("props", [])
        if prop not in props:
            self.change(id, props=[*props, prop])

    def add_alias(self, id: str, name: str) -> None:
        """Note another name of an object."""
        entry = self.objects[id]
        if name != entry["name"] and name not in entry.get("aka", []):
            self.change(id, aka=[*entry.get("aka", []), name][-4:])

    def merge(self, id: str, other: str) -> None:
        """The other is the same thing under a new name: keep the first, forget the other."""
        entry = self.objects.pop(other)
        self._forget_names()
        for child in self.children(other):
            self.change(child, at=id)
        self.add_alias(id, entry["name"])
        self.change(id, at=entry["at"], how=entry["how"], seen=entry["seen"])

    def room_of(self, id: str) -> str:
        """Where an object is at last: a room, `inventory`, `gone` or `unknown`."""
        if id not in self._rooms:
            at, steps = id, 0
            while at in self.objects and steps < 8:
                at, steps = self.objects[at]["at"], steps + 1
            self._rooms[id] = at if at not in self.objects else UNKNOWN
        return self._rooms[id]

    def children(self, holder: str) -> list[str]:
        """The objects directly in, on or at something."""
        if self._held is None:
            self._held = {}
            for id, entry in self.objects.items():
                self._held.setdefault(entry["at"], []).append(id)
        return list(self._held.get(holder, ()))

    def near(self, room: str) -> list[tuple[str, ThingRow]]:
        """Objects within reach: the inventory first, then what is in the room."""
        if room not in self._near:
            places = {id: self.room_of(id) for id in self.objects}
            self._near[room] = [
                id for place in (INVENTORY, room) for id in self.objects if places[id] == place
            ]
        return [(id, self.objects[id]) for id in self._near[room]]

    def find(self, name: str, room: str) -> str | None:
        """The object a name means; None for a name that fits several equally well.

        Within reach first, then wherever one was seen; but a name that says more than a noun
        means what is known to be so before what may be.
        """
        key = (name, room, False)
        if key not in self._found:
            known = [(id, one) for id, one in self._fitting(name) if self.objects[id]["at"] != GONE]
            near = [(id, one) for id, one in known if self.room_of(id) in (INVENTORY, room)]
            seen = [(id, one) for id, one in known if self.objects[id]["at"] != UNKNOWN]
            sure = () if is_bare(name) else ((near, KNOWN), (seen, KNOWN))
            tries = (*sure, (near, FITS), (known, FITS))
            matches = (best(fitting, least) for fitting, least in tries)
            self._found[key] = self._only(next(filter(None, matches), []))
        return self._found[key]

    def _fitting(self, name: str) -> list[tuple[str, float]]:
        """The objects that a name may mean, wherever they are, and how well it fits them."""
        fits = self._fits.get(name)
        if fits is None:
            fits = self._fits[name] = fitting(name, self.objects.items())
        return fits

    def find_loosely(self, name: str, room: str) -> str | None:
        """As `find`, or else one that is gone."""
        key = (name, room, True)
        if key not in self._found:
            gone = [(id, one) for id, one in self._fitting(name) if self.objects[id]["at"] == GONE]
            self._found[key] = self.find(name, room) or self._only(best(gone))
        return self._found[key]

    @staticmethod
    def _only(ids: list[str]) -> str | None:
        return ids[0] if len(ids) == 1 else None

    def find_by_kind(self, name: str, room: str, *, held: bool) -> str | None:
        """The only thing held, or not held, that a name or its kind fits: `lamp`, lantern."""
        return self._only(
            [
                id
                for id, entry in self.near(room)
                if (self.room_of(id) == INVENTORY) == held
                and (fit(name, entry) >= FITS or same_kind(name, entry["name"]))
            ]
        )

    def only_held(self, name: str) -> str | None:
        """The one thing carried that has the noun of a name, whatever else it is called."""
        held = self.children(INVENTORY)
        return self._only([id for id in held if head_of(self.objects[id]["name"]) == head_of(name)])

    def doubt(self) -> None:
        """What somebody alone has read to be carried may be anywhere: such readings do not hold."""
        for id in self.children(INVENTORY):
            if self.objects[id].get("guess") == READ:
                self.change(id, at=UNKNOWN)

    def scatter(self) -> None:
        """Nobody knows any more where things are and how."""
        for id in self.objects:
            self.change(id, at=UNKNOWN, state={})

    def add_scenery(self, room: str, name: str) -> None:
        """Note a thing that is only part of a room's description; known nouns go first."""
        names = self.data["scenery"].get(room, [])
        if name in names:
            return
        unheard = [one for one in names if not is_thing(one)]
        if is_thing(name) and len(names) >= MOST_SCENERY and unheard:
            names = [one for one in names if one != unheard[-1]]
        full = len(unheard) >= MOST_UNHEARD and not is_thing(name)
        if len(names) < MOST_SCENERY and not full:
            self.data["scenery"] = {**self.data["scenery"], room: [*names, name]}

    def promote(self, name: str) -> str | None:
        """Part of the present room's description that turns out to be a thing to handle."""
        room = self.data["room"]
        found = self.drop_scenery(room, name)
        return self.add(found, room, "described", 0.6) if found else None

    def drop_scenery(self, room: str, name: str) -> str | None:
        """Take a thing out of a room's description; its name there, None if it is not in it."""
        names = self.data["scenery"].get(room, [])
        found = next((one for one in names if likeness(name, one) >= FITS), None)
        if found is not None:
            rest = [one for one in names if one != found]
            self.data["scenery"] = {**self.data["scenery"], room: rest}
        return found

    def note(self, text: str) -> None:
        """Keep a sentence that could not be understood; the oldest gives way."""
        line: list[Any] = [self.data["turn"], self.data["room"], text[:160]]
        self.data["notes"] = [*self.data["notes"], line][-MOST_NOTES:]


def is_scenery(name: str) -> bool:
    """A name that usually means part of the place, not a thing to handle."""
    kinds = classes_of(name)
    handled = {"takeable", "openable", "container", "supporter", "switch", "person", "creature"}
    return not handled.intersection(kinds)


def relevant_state(store: Store, command: str, room: str) -> str:
    """What the outcome of a command may hang on: light, posture, place and state of its things.

    For a direction these are the things in the room that have a state and could be in the way:
    doors, guards, lids, but not what only holds things.
    """
    action = parse(command)
    names = [name for name in (action.object, action.second) if name]
    ids = [id for name in names if (id := store.find(name, room))]
    if direction_of(command):
        ids += [id for id in store.children(room) if _may_be_in_the_way(store.objects[id])]
    parts = ["dark" if store.data["dark"] else "", store.data["inside"]]
    return "|".join([*parts, *(_state_of(store, id) for id in ids)])


def _may_be_in_the_way(entry: ThingRow) -> bool:
    if "state" not in entry:
        return False
    kinds = classes_of(entry["name"])
    return "door" in kinds or "container" not in kinds


def _state_of(store: Store, id: str) -> str:
    entry = store.objects[id]
    place = "held" if store.room_of(id) == INVENTORY else entry["at"]
    states = ",".join(f"{key}{int(value)}" for key, value in sorted(entry.get("state", {}).items()))
    return f"{id}@{place}:{states}"
