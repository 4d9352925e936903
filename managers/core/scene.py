"""The situation as skills and the terms of the value see it: what is here, and who asks.

Nothing of a single skill is in it: each keeps what it finds out in a view of its own, and the
scene puts together what several of them say of a way, of a refusal, or of a thing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from functools import cached_property
from heapq import heappop, heappush
from math import inf
from typing import Any, NamedTuple, TypeVar

from environments.game import Value
from managers.belief.beliefs import AgentBeliefs
from managers.core.option import Draft
from managers.core.skill import NONE, Obstacle, SkillError, Skills
from managers.language.actions import canonical, parse
from managers.language.lexicon import head_of
from managers.memory.guide import Guide
from managers.memory.lessons import NO_PAST, Past
from managers.planning.goals import Goal
from managers.planning.objectives import Objective
from managers.planning.world_model import PlanStep, backward_chain
from managers.world.knowledge import Knowledge, in_prose
from managers.world.map import Map, Passage
from managers.world.objects import GameObject

_BACK = 1.5
_RANDOM = 3.0
_BLOCKED = 8.0
_DEADLY = 30.0
_EXPLAINED = frozenset({"locked", "closed"})
"""Reasons for a failure that the state of things tells: nothing else need have changed."""
_TELLING = frozenset({"examine", "read", "talk", "ask", "open"})
"""Kinds of options that tell something even where they change nothing."""
_GOING = frozenset({"exit", "enter", "climb", "light"})
"""Kinds of options that serve an objective to see the room where they are."""
_SHUT_IN = 4
"""So many ways are refused to somebody who may be shut in."""
FROM_A_TRAP = 3.0
"""How much likelier it helps to do or to go where one has to get out (see `Scene.shut_in`)."""
_COOLING = 40
"""Turns before a command that failed is tried once more as things are; doubled each time."""
LEFT = "left"
"""The kind of fact, of whatever skill, that a thing lies where it should; value: why not to take
it back, empty for a thing that is merely not wanted."""
ANYWHERE = ""
"""The room of such a fact about a thing that is to stay wherever it is."""
V = TypeVar("V")
_NOTHING_KNOWN = Obstacle("", "")


class Routes:
    """Costs and commands from one room to all that can be reached.

    A walked passage costs 1; supposed ones, those that lead now here now there or were blocked
    when tried last, and deadly commands cost more, and so does a room by its `toll`. What was
    blocked or objected to often costs a great deal, until something is changed in its room.
    `counts` says which passages there are.
    """

    def __init__(
        self,
        map_: Map,
        start: str,
        *,
        toll: Callable[[str], float] = lambda _: 0.0,
        changed: Callable[[str], int] = lambda _: -1,
        counts: Callable[[str, Passage], bool] = lambda _room, _passage: True,
    ) -> None:
        self._best: dict[str, tuple[float, str, str]] = {start: (0.0, "", "")} if start else {}
        self._first: dict[str, str] = {start: ""}
        queue = [(0.0, start)] if start else []
        done: set[str] = set()
        while queue:
            cost, room = heappop(queue)
            if room in done:
                continue
            done.add(room)
            blocked = map_.attempts.blocked(room)
            for command, passage in map_.ways(room).passages.items():
                to = passage.to
                if to in done or not counts(room, passage):
                    continue
                length = 1.0 if passage.seen else _BACK
                length += toll(to) + _RANDOM * passage.random
                total = cost + length + _DEADLY * map_.attempts.danger(room, command)
                refusal = blocked.get(canonical(command)) if blocked else None
                if refusal is not None:
                    stands = refusal.turn > changed(room)
                    total += _BLOCKED * ((refusal.count + refusal.objected) ** 2 if stands else 1)
                known = self._best.get(to)
                if known is None or total < known[0]:
                    self._best[to] = (total, room, command)
                    self._first[to] = self._first[room] or command
                    heappush(queue, (total, to))
        self.costs = {room: cost for room, (cost, _, _) in self._best.items()}
        """Room to the cost of getting there."""

    def rooms(self, room: str) -> tuple[str, ...]:
        """The rooms one passes on the way to a room, the last one first."""
        passed: list[str] = []
        while room in self._best and self._best[room][1]:
            passed.append(room)
            room = self._best[room][1]
        return tuple(passed)

    def first(self, room: str) -> str:
        """The first command on the way to a room, empty where there is none."""
        return self._first.get(room, "")

    def to(self, room: str) -> tuple[str, ...]:
        """The commands to a room, empty for the present one or one out of reach."""
        return tuple(self._best[passed][2] for passed in reversed(self.rooms(room)))


class Mind(Value):
    """What the mind does whatever its skills; each can be switched off to see what it is worth."""

    failures: bool = True
    """What failed is remembered with the state it failed in."""
    statistics: bool = True
    """How often actions work is learned while playing."""
    routes: bool = True
    """What could be done elsewhere is weighed too, with the way there over the map."""
    modes: bool = False
    """The play mode leans the value; off, because it has not been shown to raise the score."""
    without: tuple[str, ...] = ()
    """Terms of the value that are left out (see `managers.core.value.TERMS`)."""


WHOLE = Mind()


class Stance(NamedTuple):
    """Who looks at a situation, and how: what the value of options depends on besides it."""

    seed: int = 0
    """Of the agent's own taste."""
    mind: Mind = WHOLE
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
        skills: Skills = NONE,
        objectives: Sequence[Objective] = (),
        stance: Stance = PLAIN,
        beliefs: AgentBeliefs | None = None,
    ) -> None:
        self.knowledge = knowledge
        self.skills = skills
        self.map = knowledge.map_view
        self.world = knowledge.world_view
        self.attempts = knowledge.attempts_view
        self.board = knowledge.board
        self.rates = knowledge.statistics
        self.here = knowledge.here
        self.held = knowledge.held
        self.held_nouns = knowledge.held_nouns
        """The nouns of what is carried."""
        self.around = knowledge.around
        self.called = knowledge.called
        self.turn = knowledge.turn
        self.offered = knowledge.world["offered"]
        """Commands that the emulator has seen work here: points and words of the reply."""
        self._unknown = knowledge.world["unknown"]
        self.guide = Guide(knowledge.memory["guide"])
        """How far the episode has followed earlier ones."""
        self._look(objectives, stance, beliefs or AgentBeliefs())

    def _look(self, objectives: Sequence[Objective], stance: Stance, beliefs: AgentBeliefs) -> None:
        self._views: dict[Callable[[Scene], object], object] = {}
        self._tolls: dict[str, float] = {}
        self.stance = stance
        self.beliefs = beliefs
        self.believed_blocker = max(0.0, 2.0 * beliefs.blocking_weight - 1.0)
        self.pursued = {one.id: one for one in objectives if one.status == "active"}
        """The active objectives by their ids."""
        self._sought = {
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

    def view(self, made_of: Callable[[Scene], V]) -> V:
        """What a skill finds out of the scene, made at most once; `made_of` is mostly a class."""
        if made_of not in self._views:
            self._views[made_of] = made_of(self)
        return self._views[made_of]  # type: ignore[return-value]

    # -- options ----------------------------------------------------------------

    def is_possible(self, draft: Draft) -> bool:
        """Nothing speaks against it: it tells something, or the emulator knows it to work here."""
        return not self.offered or draft.kind in _TELLING or draft.command in self.offered

    def drafts_at(self, room: str) -> list[Draft]:
        """What a room still offers."""
        return [*map(Draft.of, self.knowledge.frontier.get(room, ()))]

    def first_deed(self, thing: str) -> PlanStep | None:
        """What to do first in order to have a thing, by its id; None where no way is known."""
        plan = backward_chain(Goal(kind="have", thing=thing), self.world)
        return next((step for step in plan if step.command), None)

    def served(self, draft: Draft) -> Objective | None:
        """The objective in whose plan it is the next step, or that is to explore where it leads."""
        if draft.objective:
            return self.pursued.get(draft.objective)
        return self._sought.get(draft.room) if draft.kind in _GOING else None

    # -- ways -------------------------------------------------------------------

    @cached_property
    def routes(self) -> Routes:
        """The cheapest ways from here."""
        return self._routes(lambda _room, _passage: True)

    @cached_property
    def told_routes(self) -> Routes:
        """The same over ways that were walked, or that the text of their room names."""
        return self._routes(self.may_lead_back)

    def _routes(self, counts: Callable[[str, Passage], bool]) -> Routes:
        changed = self.knowledge.changed_here
        return Routes(self.map, self.here, toll=self.toll, changed=changed, counts=counts)

    def toll(self, room: str) -> float:
        """What all skills take for entering a room on the way to another, in commands.

        Raises:
            SkillError: what one of them takes is no number, or less than nothing.
        """
        known = self._tolls.get(room)
        if known is None:
            known = 0.0
            for skill in self.skills.levying:
                toll: Any = skill.toll(self, room)
                if not isinstance(toll, (int, float)) or not 0 <= toll < inf:
                    raise SkillError(f"skill {skill.name!r}: toll gave {toll!r} for {room}")
                known += toll
            self._tolls[room] = known
        return known

    def may_lead_back(self, room: str, passage: Passage) -> bool:
        """It was always so, or the text of its room names it: nine of ten such ways lead back."""
        return not passage.random if passage.seen else passage.command in self.exits(room)

    @property
    def distances(self) -> dict[str, float]:
        """What it costs to get to every room that can be reached over what is known."""
        if self.stance.mind.routes:
            return self.routes.costs
        return {self.here: 0.0} if self.here else {}

    @cached_property
    def seen(self) -> tuple[tuple[str, GameObject], ...]:
        """Rooms that can be reached and what was seen there, at last what only the prose names."""
        world, rooms = self.world, self.distances
        listed = ((world.location_of(thing.id), thing) for thing in world.objects())
        named = ((room, in_prose(name)) for room in rooms for name in world.scenery(room))
        absent = {room: self.board.subjects("absent", room) for room in rooms}
        both = (*listed, *named)
        return tuple(one for one in both if one[0] in rooms and one[1].noun not in absent[one[0]])

    def exits(self, room: str) -> Sequence[str]:
        """The directions the prose of a room mentions."""
        return self.map.data["rooms"][room]["exits"]

    @cached_property
    def shut_in(self) -> bool:
        """No way out of here is known, and several were refused."""
        blocked, ways = self.attempts.blocked(self.here), self.map.ways(self.here)
        named = {*map(canonical, ways.passages), *ways.mentioned}
        return len(blocked) >= _SHUT_IN and blocked.keys() >= named

    def leads_back(self, room: str, direction: str) -> bool:
        """Whether the way is believed to lead to a room where one has been."""
        edge = self.map.data["edges"].get(room, {}).get(direction)
        return bool(edge and self.map.data["rooms"][edge[0]]["visits"])

    # -- what was tried ----------------------------------------------------------

    @cached_property
    def obstacles(self) -> Mapping[tuple[str, str], Obstacle]:
        """By room and command in its one form: what skills say of refusals, the first of them.

        Raises:
            SkillError: see `Skills.said`.
        """
        found: dict[tuple[str, str], Obstacle] = {}
        for one in self.skills.said("obstacles", Obstacle, self):
            known = found.get(key := (one.room, canonical(one.command)))
            found[key] = one if known is None else _both(known, one)
        return found

    def obstacle(self, room: str, command: str) -> Obstacle:
        """What is known to stand, or to have stood, in the way of a command in a room."""
        if not self.obstacles:
            return _NOTHING_KNOWN
        return self.obstacles.get((room, canonical(command)), _NOTHING_KNOWN)

    def is_unknown(self, command: str) -> bool:
        """Whether the game has said that it does not know the verb."""
        unknown = self._unknown
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
        tried = self.attempts.of(room, command)
        changed = self.knowledge.changed(room) >= tried.turn
        cooled = self.turn - tried.turn >= _COOLING << max(tried.times - 1, 0)
        if cooled or (changed and failure.reason not in _EXPLAINED):
            return False
        if self.obstacle(room, command).anew:
            return False
        if self.world.failed(command, room):
            # A blow that was parried may work the next time.
            attack = parse(failure.command).verb == "attack"
            parried = attack and failure.reason in ("refused", "blocked")
            return failure.turn >= tried.turn and not parried
        return not changed and command in self.attempts.blocked(room)

    # -- what is left where it is --------------------------------------------------

    @cached_property
    def unwanted(self) -> frozenset[str]:
        """The nouns of what lies here where it should, or is merely not wanted."""
        rooms = (ANYWHERE, self.here)
        return frozenset(one.subject for one in self.board.of(LEFT) if one.room in rooms)

    def undoes(self, command: str, room: str = "") -> bool:
        """Whether it takes back what was put where it belongs; `room` empty for anywhere."""
        action = parse(command)
        if action.verb != "take":
            return False
        noun = head_of(action.object)
        return any(
            one.value and one.subject == noun and (ANYWHERE in (one.room, room) or one.room == room)
            for one in self.board.of(LEFT)
        )


def _both(one: Obstacle, other: Obstacle) -> Obstacle:
    """What two skills say of one refusal."""
    return one._replace(
        first=one.first or other.first, gone=one.gone or other.gone, anew=one.anew or other.anew
    )
