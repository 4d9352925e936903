"""All that is known of the story, and what it says of the surroundings."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import NamedTuple, TypedDict, Unpack

from managers.language.actions import classes
from managers.language.lexicon import head_of, words_of
from managers.language.nouns import is_thing
from managers.world.attempts import Attempts, AttemptsData
from managers.world.facts import Blackboard, FactsData
from managers.world.map import Map
from managers.world.mapping import MapData, empty_map
from managers.world.objects import INVENTORY, GameObject, WorldData, empty_world
from managers.world.rates import Rates, RatesData
from managers.world.trail import MemoryData, no_memory
from managers.world.view import World

FrontierData = dict[str, list[list[str | float]]]
"""Room -> the options it still offers, one row each (see `managers.core.option.Draft`)."""

_LIFELESS = frozenset(
    "weapon nature structure furniture clothing door container plant device "
    "readable food drink".split()
)
_CREDIBLE, _UNHEARD = 0.6, 0.5
"""How likely the game knows a noun its prose mentions: one of a list, and one of none."""
LIVING = frozenset({"person", "creature"})
_STATES = frozenset({"open", "closed", "locked", "unlocked", "lit", "empty", "full"})


class _Fields(NamedTuple):
    world: WorldData
    map: MapData
    attempts: AttemptsData
    facts: FactsData
    rates: RatesData
    frontier: FrontierData
    memory: MemoryData


class _Others(TypedDict, total=False):
    """The fields whose change leaves world, map and attempts as they are."""

    facts: FactsData
    rates: RatesData
    frontier: FrontierData
    memory: MemoryData


class Knowledge(_Fields):
    """Plain data, one entry a state field; its views are made once and only looked at."""

    @classmethod
    def new(cls) -> Knowledge:
        """What is known before the first word of the story."""
        return cls(empty_world(), empty_map(), {}, {}, Rates().data, {}, no_memory())

    def seen(self, world: World, map_: Map) -> Knowledge:
        """The same with another world, map and attempts, whose views are there already."""
        known = self._replace(world=world.data, map=map_.data, attempts=map_.attempts.data)
        known.world_view, known.map_view, known.attempts_view = world, map_, map_.attempts
        return known

    def with_(self, **changed: Unpack[_Others]) -> Knowledge:
        """The same world, map and attempts with other facts, rates, frontier or memory."""
        known = self._replace(**changed).seen(self.world_view, self.map_view)
        if changed.keys() <= {"frontier", "memory"}:  # No view is made of these.
            for name, view in vars(self).items():
                setattr(known, name, view)
        return known

    @cached_property
    def attempts_view(self) -> Attempts:
        """What was tried where."""
        return Attempts(self.attempts)

    @cached_property
    def world_view(self) -> World:
        """Things, their places and states, hypotheses."""
        return World(self.world, self.attempts_view)

    @cached_property
    def map_view(self) -> Map:
        """Rooms and the ways between them."""
        return Map(self.map, self.attempts_view)

    @cached_property
    def board(self) -> Blackboard:
        """Facts that replies have told."""
        return Blackboard(self.facts, self.turn)

    @cached_property
    def statistics(self) -> Rates:
        """How often actions work, and what rooms have brought."""
        return Rates(self.rates)

    @property
    def turn(self) -> int:
        """The last turn that was learned from."""
        return self.world["turn"]

    @property
    def score(self) -> int:
        """The points so far, as far as the agent knows."""
        return self.rates["score"]

    # -- the surroundings -----------------------------------------------------

    @cached_property
    def here(self) -> str:
        """The room, `L<n>`; empty before the first."""
        return self.map_view.here

    @cached_property
    def held(self) -> tuple[GameObject, ...]:
        """What is carried."""
        return tuple(self.world_view.inventory())

    @cached_property
    def held_nouns(self) -> frozenset[str]:
        """The nouns of what is carried."""
        return frozenset(thing.noun for thing in self.held)

    @cached_property
    def treasures(self) -> tuple[GameObject, ...]:
        """What is carried and precious."""
        return tuple(filter(self.is_precious, self.held))

    @cached_property
    def lights(self) -> tuple[GameObject, ...]:
        """The light sources that are carried."""
        return tuple(thing for thing in self.held if "light-source" in thing.classes)

    @property
    def lit(self) -> bool:
        """A light source that is carried burns."""
        return any(thing.burns for thing in self.lights)

    @cached_property
    def around(self) -> tuple[GameObject, ...]:
        """What is visible here and not in hand, with what the prose mentions in passing.

        What lies in carried things is within reach, too.
        """
        if not self.here:
            return ()
        within = [one for one in self.world_view.at(INVENTORY) if one.location != INVENTORY]
        things = [*self.world_view.at(self.here), *within]
        known = {thing.noun for thing in (*things, *self.held)}
        told = {name: frozenset(name.split()) for name in self.world_view.scenery(self.here)}
        # The `door` beside an `oak door` is the same.
        names = [one for one, its in told.items() if not any(its < more for more in told.values())]
        things += [thing for thing in map(in_prose, names) if thing.noun not in known]
        known.update(thing.noun for thing in things)
        text = set(words_of(self.map_view.room(self.here).text))
        hints = self.board.subjects("hint")
        things += [mentioned(hint, 1.0) for hint in sorted(hints & text - known)]
        # What actions here have brought to light is surely there.
        facts = self.board.of("revealed")
        shown = dict.fromkeys(stateless(one.subject) for one in facts if one.room == self.here)
        things = [
            replace(thing, confidence=1.0) if stateless(thing.name) in shown else thing
            for thing in things
        ]
        called = {stateless(thing.name) for thing in (*things, *self.held)}
        things += [mentioned(one, 1.0) for one in shown if one not in called]
        return self._distinct([thing for thing in things if self.is_there(thing.noun)])

    def _distinct(self, things: list[GameObject]) -> tuple[GameObject, ...]:
        """Without other names of what is carried or stands before them: they told the same."""
        told = {fact.subject: fact.value for fact in self.board.of("told")}
        seen = {told[thing.noun] for thing in self.held if thing.noun in told}
        distinct = []
        for thing in things:
            value = told.get(thing.noun)
            if value not in seen:
                distinct.append(thing)
            if value:
                seen.add(value)
        return tuple(distinct)

    @cached_property
    def able(self) -> tuple[str, ...]:
        """The names of what could be a person or a creature, for all one knows."""
        return tuple(one.name for one in self.around if one.classes.isdisjoint(_LIFELESS))

    @cached_property
    def living(self) -> tuple[str, ...]:
        """The names of the persons and creatures here."""
        alive = (one for one in self.around if one.classes & LIVING)
        return tuple(one.name for one in alive if one.classes.isdisjoint(_LIFELESS))

    @cached_property
    def hostile(self) -> frozenset[str]:
        """The nouns of those who attacked lately or bar the way, wherever they are."""
        return self.barring | frozenset(map(head_of, self.board.subjects("hostile")))

    @cached_property
    def barring(self) -> frozenset[str]:
        """The nouns of those who bar the way, wherever they are."""
        return frozenset(map(head_of, self.board.subjects("barring")))

    @cached_property
    def foes(self) -> tuple[GameObject, ...]:
        """Those of them who are here; whom only the prose names was so here."""
        facts = (*self.board.of("hostile"), *self.board.of("barring"))
        named = {head_of(fact.subject) for fact in facts if fact.room == self.here}
        return tuple(one for one in self.around if one.noun in (self.hostile if one.id else named))

    def is_there(self, noun: str) -> bool:
        """The game has not said that it knows no such word, or sees no such thing here."""
        absent = (self.board.subjects("absent", room) for room in (self.here, INVENTORY))
        return not (any(noun in one for one in absent) or self.world_view.is_unknown(noun))

    def is_precious(self, thing: GameObject) -> bool:
        """It scored when it was taken, in an earlier episode too, or sounds as if it could."""
        scored = self.board.subjects("treasure")
        return thing.noun in scored or thing.has("valuable")

    @cached_property
    def _nouns(self) -> Counter[str]:
        return Counter(thing.noun for thing in (*self.around, *self.held))

    def called(self, thing: GameObject) -> str:
        """What to call a thing in a command: its noun, unless that could mean another one.

        Of `a clump of grass` parsers know `grass` at least.
        """
        world, unclear = self.world_view, self.board.subjects("ambiguous")
        last = thing.name.split()[-1]
        if " of " in thing.name and not (last in unclear or world.is_unknown(last)):
            others = (one for one in (*self.around, *self.held) if one.id != thing.id)
            if not any(last in one.name.split() for one in others):
                return last
        if self._nouns[thing.noun] < 2 and thing.noun not in unclear:
            return thing.noun
        told = [word for word in stateless(thing.name).split() if not world.is_unknown(word)]
        return " ".join(told) or thing.noun

    def changed(self, room: str) -> int:
        """The last turn in which an action changed something that may matter in the room."""
        return max(self.changed_here(room), self._changed.get(INVENTORY, -1))

    def changed_here(self, room: str) -> int:
        """The last turn in which an action changed something in the room itself."""
        return self._changed.get(room, -1)

    @cached_property
    def _changed(self) -> dict[str, int]:
        return {fact.room: fact.turn for fact in reversed(self.board.of("changed"))}


@lru_cache(maxsize=4096)
def stateless(name: str) -> str:
    """`closed trap door` -> `trap door`."""
    return " ".join(word for word in name.split() if word not in _STATES)


def in_prose(name: str) -> GameObject:
    """What only the prose of a room names, as surely there as its noun is a known one."""
    return mentioned(name, _CREDIBLE if is_thing(name) else _UNHEARD)


@lru_cache(maxsize=4096)
def mentioned(name: str, confidence: float) -> GameObject:
    """Something the prose speaks of in passing."""
    properties = (*classes(name), "scenery")
    return GameObject(id="", name=name, properties=properties, confidence=confidence)
