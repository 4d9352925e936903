"""The situation as the makers of options and the terms of their value see it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from copy import copy
from functools import cached_property
from typing import NamedTuple

from environments.game import Value
from managers.knowledge import Knowledge, in_prose, stateless
from managers.language.actions import classes, parse
from managers.language.lexicon import head_of
from managers.learning.noticing.asking import requests_on
from managers.memory.guide import Guide
from managers.memory.lessons import NO_PAST, Past
from managers.planning.objectives import Objective
from managers.policy.option import Draft
from managers.policy.ways import Routes
from managers.trust.beliefs import AgentBeliefs
from managers.world.map import Passage
from managers.world.objects import GameObject

_EXPLAINED = frozenset({"locked", "closed"})
"""Reasons for a failure that the state of things tells: nothing else need have changed."""
USEFUL = frozenset({"key-like", "rope-like", "tool", "weapon", "light-source"})
"""Classes of things that much may be done with."""
LOADS = ("too_heavy", "too_full")
"""Reasons for a failure that are dealt with by putting something down."""
_TELLING = frozenset({"examine", "read", "talk", "ask", "open"})
"""Kinds of options that tell something even where they change nothing."""
_COOLING = 40
"""Turns before a command that failed is tried once more as things are; doubled each time."""
NO_WEAPON = 2
"""The rank of what is no weapon by its name, but may do: a tool, or something nobody knows."""
_MATTERS_NOT = frozenset({"takeable", "wearable", "openable", "switchable", "lockable"})
"""What a thing was seen to be in play, which no weapon is for that."""


class Faculties(Value):
    """What the planner builds on; each can be switched off, to see what it is worth."""

    objectives: bool = True
    """Serving an objective adds to the worth of an action."""
    chaining: bool = True
    """Plans are made backwards from goals over what is in their way."""
    failures: bool = True
    """What failed is remembered with the state it failed in."""
    statistics: bool = True
    """How often actions work is learned while playing."""
    affordances: bool = True
    """A verb is tried on nouns of the classes it suits; without it, on all nouns."""
    routes: bool = True
    """What could be done elsewhere is weighed too, with the way there over the map."""
    cues: bool = True
    """What the text speaks of doing is tried."""
    modes: bool = False
    """The play mode leans the value; off, because it has not been shown to raise the score."""
    without: tuple[str, ...] = ()
    """Terms of the value that are left out (see `managers.policy.value.TERMS`)."""


ALL = Faculties()


class Stance(NamedTuple):
    """Who looks at a situation, and how: what the value of options depends on besides it."""

    seed: int = 0
    """Of the agent's own taste."""
    faculties: Faculties = ALL
    mode: str = ""
    """The play mode that leans the value; empty for none."""
    profile: str = "even"
    past: Past = NO_PAST
    """What earlier episodes say of rooms that are found again."""


PLAIN = Stance()


class Scene:
    """Views of the knowledge, and what is asked of them more than once a turn."""

    def __init__(
        self,
        knowledge: Knowledge,
        objectives: Sequence[Objective] = (),
        stance: Stance = PLAIN,
        beliefs: AgentBeliefs | None = None,
    ) -> None:
        self.knowledge = knowledge
        self.map = map_ = knowledge.map_view
        self.world = world = knowledge.world_view
        self.attempts = knowledge.attempts_view
        self.board = board = knowledge.board
        self.rates = knowledge.statistics
        self.here = knowledge.here
        self.held = held = knowledge.held
        self.around = knowledge.around
        self.called = knowledge.called
        self.turn = knowledge.turn
        self.offered = knowledge.world["offered"]
        """Commands that the emulator has seen work here: points and words of the reply."""
        self.guide = Guide(knowledge.memory["guide"])
        """How far the episode has followed earlier ones."""
        self.requests = requests_on(board, self.attempts)
        """What the game asks for before it lets the agent do something."""
        self.revealed = {(one.room, stateless(one.subject)) for one in board.of("revealed")}
        """Room and name of what an action has brought to light."""

        self.foes = knowledge.foes
        """Those here who attacked lately or bar the way."""
        self.wounds = len(board.of("wound"))
        """How often one was hurt lately."""
        self.barring = set(map(head_of, board.subjects("barring")))
        """The nouns of those who bar the way."""
        hostile = (thing for thing in world.objects() if thing.noun in knowledge.hostile)
        self.lairs = {world.location_of(thing.id): thing for thing in hostile}
        """Rooms where somebody attacked or bars the way, and who."""

        self.treasures = tuple(filter(knowledge.is_precious, held))
        """What is carried and precious."""
        discarded = board.of("discarded")
        self.unburdened = discarded[0].turn if discarded else -1
        """The last turn in which something was put down; -1 for none."""
        self.put_aside = {
            one.subject for one in discarded if one.value in board.subjects("narrow", one.room)
        }
        """Nouns of what was put down for a narrow way that one is not through yet."""
        for_good = {one.subject for one in discarded if not one.value}
        self.unwanted = board.subjects("deposited") | self.put_aside | for_good
        """Nouns of what lies where it should: brought home, put aside, or put down for good."""

        self.held_nouns = knowledge.held_nouns
        """The nouns of what is carried."""
        usable = (thing for thing in held if weapon_rank(thing) <= NO_WEAPON)
        self.arms = sorted(usable, key=weapon_rank)
        """What is carried and could be a weapon, the best first."""
        self.lights = [thing for thing in held if "light-source" in thing.classes]
        """The light sources that are carried."""
        self.lit = any(thing.is_("lit") or thing.is_("on") for thing in self.lights)
        """A light source that is carried burns."""
        self.dark_rooms = map_.data["rooms"].keys() - map_.lit_rooms()
        """Rooms that were dark when last seen."""
        self.never_bright = map_.data["rooms"].keys() - board.subjects("bright")
        """Rooms one has never seen without a light of one's own, nor in earlier episodes."""
        escapes = board.of("escaped")
        self.escaped = Counter(
            one.room for one in escapes if not (self.lit and one.subject == "dark")
        )
        """How often one got away from each room lately; from dark ones only without a light."""
        self._look(objectives, stance, beliefs or AgentBeliefs())

    def _look(self, objectives: Sequence[Objective], stance: Stance, beliefs: AgentBeliefs) -> None:
        self.stance = stance
        self.beliefs = beliefs
        self.believed_blocker = max(0.0, 2.0 * beliefs.blocking_weight - 1.0)
        pursued = objectives if stance.faculties.objectives else ()
        self.pursued = {one.id: one for one in pursued if one.status == "active"}
        """The active objectives by their ids."""
        self.sought = {
            one.goal.place: one
            for one in self.pursued.values()
            if one.goal and one.goal.kind in ("explore", "light")
        }
        """Those that are to see a room, by the room."""

    def seen_by(
        self, objectives: Sequence[Objective], stance: Stance, beliefs: AgentBeliefs
    ) -> Scene:
        """The same as somebody sees it; what was found out of the knowledge stays true."""
        other = copy(self)
        other._look(objectives, stance, beliefs)
        return other

    def offering(self, knowledge: Knowledge) -> Scene:
        """The same where nothing but the frontier is another."""
        other = copy(self)
        other.knowledge = knowledge
        return other

    def is_possible(self, draft: Draft) -> bool:
        """Nothing speaks against it: it tells something, or the emulator knows it to work here."""
        return not self.offered or draft.kind in _TELLING or draft.command in self.offered

    def drafts_at(self, room: str) -> list[Draft]:
        """What a room still offers."""
        return [*map(Draft._make, self.knowledge.frontier.get(room, ()))]

    @cached_property
    def shunned(self) -> frozenset[str]:
        """Rooms it would be rash to enter now: somebody is there, or was lately or once."""
        if not self.wounds and self.arms:
            return frozenset()
        told = (*self.board.of("hostile"), *self.board.of("barring"))
        return frozenset((*self.lairs, *(one.room for one in told if one.room))) - {self.here}

    @cached_property
    def cut_off(self) -> frozenset[str]:
        """Those rooms, and the ones to which the way leads past them."""
        reached = self.routes.costs if self.shunned else ()
        return frozenset(
            room for room in reached if not self.shunned.isdisjoint(self.routes.rooms(room))
        )

    @cached_property
    def routes(self) -> Routes:
        """The cheapest ways from here."""
        return self._routes(lambda _room, _passage: True)

    @cached_property
    def told_routes(self) -> Routes:
        """The same over ways that were walked, or that the text of their room names."""
        return self._routes(self.may_lead_back)

    def _routes(self, counts: Callable[[str, Passage], bool]) -> Routes:
        return Routes(
            self.map,
            self.here,
            unlit=self.unlit,
            shunned=self.shunned,
            changed=self.knowledge.changed_here,
            counts=counts,
        )

    def may_lead_back(self, room: str, passage: Passage) -> bool:
        """It was always so, or the text of its room names it: nine of ten such ways lead back."""
        return not passage.random if passage.seen else passage.command in self.exits(room)

    @property
    def distances(self) -> dict[str, float]:
        """What it costs to get to every room that can be reached over what is known."""
        return self.routes.costs if self.stance.faculties.routes else {self.here: 0.0}

    @cached_property
    def seen(self) -> tuple[tuple[str, GameObject], ...]:
        """Rooms that can be reached and what was seen there, at last what only the prose names."""
        world, rooms = self.world, self.distances
        listed = ((world.location_of(thing.id), thing) for thing in world.objects())
        named = ((room, in_prose(name)) for room in rooms for name in world.scenery(room))
        absent = {room: self.board.subjects("absent", room) for room in rooms}
        both = (*listed, *named)
        return tuple(one for one in both if one[0] in rooms and one[1].noun not in absent[one[0]])

    def exits(self, room: str) -> list[str]:
        """The directions the prose of a room mentions."""
        return list(self.map.data["rooms"][room]["exits"])

    def leads_back(self, room: str, direction: str) -> bool:
        """Whether the way is believed to lead to a room where one has been."""
        edge = self.map.data["edges"].get(room, {}).get(direction)
        return bool(edge and self.map.data["rooms"][edge[0]]["visits"])

    def is_unlit(self, room: str, command: str) -> bool:
        """Whether one would see nothing where it has to be done, or where it leads."""
        edge = self.map.data["edges"].get(room, {}).get(command)
        return room in self.unlit or bool(edge and edge[0] in self.unlit)

    def is_unknown(self, command: str) -> bool:
        """Whether the game has said that it does not know the verb."""
        unknown = self.knowledge.world["unknown"]
        return bool(unknown) and (
            command.partition(" ")[0] in unknown or parse(command).head in unknown
        )

    def changed_since_failure(self, command: str, room: str) -> bool:
        """Whether the command failed in the room when something that matters was different."""
        failed = self.attempts.failure(room, command) is not None
        return failed and self.world.failed(command, room) is None

    def is_hopeless(self, command: str, room: str) -> bool:
        """Whether it failed there as things are, and too lately to be worth another try."""
        failure = self.attempts.failure(room, command)
        if failure is None:
            return False
        if failure.for_good:
            return True
        tried, action = self.attempts.of(room, command), parse(failure.command)
        if self.world.failed(command, room):
            # A blow that was parried may work the next time.
            parried = failure.reason in ("refused", "blocked") and action.verb == "attack"
            in_vain = failure.turn >= tried.turn and not parried
            explained = failure.reason in _EXPLAINED
        else:
            in_vain, explained = command in self.map.attempts.blocked(room), False
        changed = self.knowledge.changed(room) >= tried.turn and not explained
        if not in_vain or changed or self.is_lighter(command, room):
            return False
        return self.turn - tried.turn < _COOLING << max(tried.times - 1, 0)

    def is_lighter(self, command: str, room: str) -> bool:
        """Whether it failed there for what was carried, and something was put down since."""
        failure = self.attempts.failure(room, command)
        if failure is None or self.unburdened <= failure.turn:
            return False
        return failure.reason in LOADS or command in self.board.subjects("narrow", room)

    def undoes(self, command: str, room: str = "") -> bool:
        """Whether it takes a treasure from where it belongs, or what was put aside."""
        action, home = parse(command), next(iter(self.board.of("home")), None)
        if action.verb != "take":
            return False
        noun, at_home = head_of(action.object), home is None or room in ("", home.room)
        brought_home = at_home and noun in self.board.subjects("deposited")
        return brought_home or noun in self.put_aside

    @cached_property
    def worth_another_try(self) -> frozenset[tuple[str, str]]:
        """Room and command of what was refused for a reason that has been dealt with."""
        done = [one for request in self.requests if request.done for one in request.blocked]
        narrow = ((one.room, one.subject) for one in self.board.of("narrow"))
        heavy = (one for one in self.attempts.failures(*LOADS) if one.turn < self.unburdened)
        return frozenset([*done, *narrow, *((one.location, one.command) for one in heavy)])

    @cached_property
    def unlit(self) -> frozenset[str]:
        """Rooms in which one would see nothing with what is carried."""
        failing = self.board.subjects("failing")
        if self.lit and not (self.world.dark or failing):
            return frozenset()
        lamps = (thing.noun for thing in self.lights if "match" not in thing.classes)
        if any(noun not in failing for noun in lamps):
            return frozenset()
        return frozenset(self.dark_rooms | self.never_bright)


def weapon_rank(thing: GameObject) -> int:
    """The lower, the better a thing is to fight with; above `NO_WEAPON` it is none at all."""
    if "weapon" in thing.classes:
        return 0 if "mighty" in thing.classes else 1
    known = thing.classes | classes(thing.name.split()[-1])
    may_do = not known.difference(_MATTERS_NOT) or not known.isdisjoint({"weapon", "tool"})
    return NO_WEAPON if may_do else NO_WEAPON + 1
