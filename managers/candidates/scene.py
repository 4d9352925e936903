"""The situation as the generators of prospects and the utility terms see it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from managers.candidates.arms import is_arm
from managers.candidates.prospect import Prospect
from managers.candidates.routes import Routes
from managers.candidates.service import Services
from managers.candidates.sights import mentioned, stateless
from managers.candidates.stance import PLAIN, Stance
from managers.dynamics import Dynamics
from managers.knowledge import Knowledge
from managers.leads import Leads
from managers.map import Map
from managers.memory.guide import Guide
from managers.objectives import Objective
from managers.text.commands import parse_command
from managers.text.lexicon import head_of, words_of
from managers.world import FailedAction, GameObject, WorldModel

_SHARED = ("around", "routes")
"""What everybody asks for, whatever they are after."""
_EXPLAINED = frozenset({"locked", "closed"})
"""Reasons for a failure that the state of things tells: nothing else need have changed."""
_COOLING = 40
"""Turns before a command that failed is tried once more as things are; doubled each time."""


@dataclass(frozen=True)
class Scene:
    """Views of the knowledge, and what is asked of them more than once a turn."""

    map: Map
    world: WorldModel
    dynamics: Dynamics
    services: Services
    stance: Stance = PLAIN
    kept: dict[str, Any] = field(default_factory=dict, compare=False)
    """What was computed in earlier turns, and what it hangs on."""

    @classmethod
    def of(
        cls,
        knowledge: Knowledge,
        objectives: Sequence[Objective] = (),
        stance: Stance = PLAIN,
    ) -> Scene:
        scene: Scene | None = knowledge.made_of_it.get("scene")
        if scene is None:
            views = knowledge.map_view, knowledge.world_view, Dynamics(knowledge.dynamics)
            scene = cls(*views, Services(()), kept=knowledge.kept)
            knowledge.made_of_it["scene"] = scene
        pursued = objectives if stance.faculties.objectives else ()
        return scene._for(Services(pursued) if pursued else scene.services, stance)

    def _for(self, services: Services, stance: Stance) -> Scene:
        """The same scene for somebody; what is known of it by now need not be computed again."""
        if not services and stance == self.stance:
            return self
        for name in _SHARED:
            getattr(self, name)
        scene = object.__new__(Scene)
        vars(scene).update(vars(self), services=services, stance=stance)
        return scene

    @cached_property
    def here(self) -> str:
        return self.map.here

    @cached_property
    def leads(self) -> Leads:
        return Leads(self.dynamics.data.get("leads", {}))

    @cached_property
    def guide(self) -> Guide:
        return Guide(self.dynamics.data.get("memory", {}))

    @cached_property
    def left_undone(self) -> list[Prospect]:
        """What this room offers."""
        return list(map(Prospect._make, self.dynamics.data.get("agenda", {}).get(self.here, ())))

    @cached_property
    def hints(self) -> frozenset[str]:
        """Nouns the game has spoken of in speech or writing."""
        return self.leads.hints

    @cached_property
    def revelations(self) -> frozenset[tuple[str, str]]:
        """Room and name of what an action has brought to light."""
        return frozenset(
            (room, stateless(name))
            for room in self.map.data["rooms"]
            for name in self.leads.revealed(room)
        )

    @property
    def offered(self) -> dict[str, int]:
        """Commands that the emulator says would change something here, and their points."""
        offered: dict[str, int] = self.dynamics.data.get("offered", {})
        return offered

    @cached_property
    def held(self) -> tuple[GameObject, ...]:
        return tuple(self.world.inventory())

    @cached_property
    def treasures(self) -> tuple[GameObject, ...]:
        """What is carried and precious."""
        return tuple(thing for thing in self.held if is_precious(self, thing))

    @cached_property
    def around(self) -> tuple[GameObject, ...]:
        """What is visible here and not carried, with what the prose mentions in passing."""
        if not self.here:
            return ()
        things = list(self.world.at(self.here))
        known = {thing.noun for thing in (*things, *self.held)}
        sure = self.dynamics.credibility
        scenery = [mentioned(name, sure) for name in self.world.scenery(self.here)]
        things += [thing for thing in scenery if thing.noun not in known]
        known.update(thing.noun for thing in things)
        text = set(words_of(self.map.room(self.here).text))
        things += [mentioned(hint, 1.0) for hint in sorted(self.leads.hints & text - known)]
        shown = dict.fromkeys(stateless(name) for name in self.leads.revealed(self.here))
        things = [
            replace(thing, confidence=1.0) if stateless(thing.name) in shown else thing
            for thing in things
        ]
        names = {stateless(thing.name) for thing in (*things, *self.held)}
        things += [mentioned(one, 1.0) for one in shown if one not in names]
        return tuple(thing for thing in things if self.is_there(thing.noun))

    @cached_property
    def foes(self) -> tuple[GameObject, ...]:
        """Those here who attacked lately or bar the way."""
        return tuple(thing for thing in self.around if thing.noun in self._hostile)

    @cached_property
    def _hostile(self) -> frozenset[str]:
        return frozenset(head_of(name) for name in self.leads.hostile | self.leads.barring)

    @cached_property
    def barring(self) -> frozenset[str]:
        """The nouns of those who bar the way."""
        return frozenset(head_of(name) for name in self.leads.barring)

    @cached_property
    def lairs(self) -> dict[str, GameObject]:
        """Rooms where somebody attacked or bars the way, and who."""
        foes = [thing for thing in self.world.objects() if thing.noun in self._hostile]
        return {self.world.location_of(thing.id): thing for thing in foes}

    @cached_property
    def is_fit(self) -> bool:
        """Unhurt and armed, so that one need not shun a fight."""
        return not self.leads.wounds and any(map(is_arm, self.held))

    @cached_property
    def guarded(self) -> frozenset[str]:
        """Rooms not to be entered as one is: somebody is there, or was in earlier episodes."""
        rooms = self.map.data["rooms"]
        expected = (id for id in self.guide.barred if not rooms[id]["visits"])
        return frozenset((*self.lairs, *expected)) - {self.here}

    @cached_property
    def shunned(self) -> frozenset[str]:
        """Rooms it would be rash to enter now."""
        return frozenset() if self.is_fit else self.guarded

    @cached_property
    def cut_off(self) -> frozenset[str]:
        """Those rooms, and the ones to which the way leads past them."""
        if not self.shunned:
            return frozenset()
        return frozenset(
            room
            for room in self.routes.costs
            if not self.shunned.isdisjoint(self.routes.rooms(room))
        )

    def is_there(self, noun: str) -> bool:
        """The game has not said that it knows no such word, or sees no such thing here."""
        return not (self.world.is_unknown(noun) or self.leads.is_absent(self.here, noun))

    @cached_property
    def _nouns(self) -> Counter[str]:
        return Counter(thing.noun for thing in (*self.around, *self.held))

    def called(self, thing: GameObject) -> str:
        """What to call a thing in a command: its noun, unless that could mean another one."""
        whole = thing.name.split()[-1]
        if " of " in thing.name and not self.world.is_unknown(whole):
            return whole
        if self._nouns[thing.noun] < 2 and thing.noun not in self.leads.ambiguous:
            return thing.noun
        words = stateless(thing.name).split()
        told = [word for word in words if not self.world.is_unknown(word)]
        return " ".join(told) or thing.noun

    @cached_property
    def routes(self) -> Routes:
        data, danger, changed = self.map.data, self.dynamics.danger, self.leads.changed_here
        hangs_on = (
            self.here,
            self.unlit,
            self.shunned,
            data["edges"],
            data["blocked"],
            self.leads.data.get("changed"),
        )
        known: tuple[Any, Routes] | None = self.kept.get("routes")
        if known is None or known[0] != hangs_on or self.dynamics.data["harm"]:
            known = (
                hangs_on,
                Routes(
                    self.map,
                    self.here,
                    unlit=self.unlit,
                    shunned=self.shunned,
                    danger=danger,
                    changed=changed,
                ),
            )
            self.kept["routes"] = known
        return known[1]

    @property
    def distances(self) -> dict[str, float]:
        """What it costs to get to every room that can be reached over what is known."""
        return self.routes.costs if self.stance.faculties.routes else {self.here: 0.0}

    @cached_property
    def dark_rooms(self) -> frozenset[str]:
        return frozenset(id for id, entry in self.map.data["rooms"].items() if entry.get("dark"))

    def changed_since_failure(self, command: str, room: str) -> bool:
        """Whether the command failed in the room when something that matters was different."""
        return self.world.has_failed(command, room) and self.world.failed(command, room) is None

    def is_hopeless(self, command: str, room: str) -> bool:
        """Whether it failed there as things are, and too lately to be worth another try."""
        tried = self.dynamics.tried(room, command)
        failure = self.world.failed(command, room)
        if failure is None and command not in self.map.blocked(room):
            return False
        if failure is not None and failure.for_good:
            return True
        if failure is not None and (failure.turn < tried.turn or _is_a_blow(failure)):
            return False
        explained = failure is not None and failure.reason in _EXPLAINED
        if not explained and self.leads.changed(room) >= tried.turn:
            return False
        cooling = _COOLING << max(tried.times - 1, 0)
        return self.dynamics.turn - tried.turn < cooling

    @cached_property
    def worth_another_try(self) -> frozenset[tuple[str, str]]:
        """Room and command of what was refused for a reason that has been dealt with."""
        done = [one for request in self.leads.requests if request.done for one in request.blocked]
        left = [(room, f"take {noun}") for room, noun in self.leads.left_behind]
        return frozenset([*((room, command) for room, command in done), *left, *self.leads.narrow])

    def exits(self, room: str) -> list[str]:
        """The directions the prose of a room mentions."""
        return list(self.map.data["rooms"][room]["exits"])

    def leads_back(self, room: str, direction: str) -> bool:
        """Whether the way is believed to lead to a room where one has been."""
        edge = self.map.data["edges"].get(room, {}).get(direction)
        return bool(edge and self.map.data["rooms"][edge[0]]["visits"])

    @property
    def is_bright(self) -> bool:
        """Whether one has seen this room without a light of one's own."""
        return self.here in self.dynamics.data.get("bright", ())

    @cached_property
    def unlit(self) -> frozenset[str]:
        """Rooms in which one would see nothing with what is carried."""
        lamps = [
            thing
            for thing in self.held
            if "light-source" in thing.classes
            and thing.noun not in self.leads.spent | self.leads.failing
        ]
        shines = self.lit and not (self.world.dark or self.leads.failing)
        if shines or any("match" not in thing.classes for thing in lamps):
            return frozenset()
        return self.dark_rooms | self.never_bright

    @cached_property
    def mazes(self) -> frozenset[str]:
        """Rooms that look like another one."""
        return self.map.mazes()

    @cached_property
    def never_bright(self) -> frozenset[str]:
        """Rooms one has never seen without a light of one's own, nor in earlier episodes."""
        bright = self.dynamics.data.get("bright", ())
        return frozenset(self.map.data["rooms"]).difference(bright, self.guide.bright)

    @cached_property
    def lit(self) -> bool:
        """Whether a light source that is carried burns."""
        return any(
            "light-source" in thing.classes and (thing.is_("lit") or thing.is_("on"))
            for thing in self.held
        )


def _is_a_blow(failure: FailedAction) -> bool:
    """An attack that was parried may work the next time."""
    parried = failure.reason in ("refused", "blocked")
    return parried and parse_command(failure.command).verb == "attack"


def is_precious(scene: Scene, thing: GameObject) -> bool:
    """It scored when it was taken, in an earlier episode too, or sounds as if it could."""
    scored = thing.noun in scene.leads.treasures or thing.noun in scene.stance.past.prized
    return scored or bool(thing.classes & {"treasure", "valuable"})
