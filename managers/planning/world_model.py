"""The world model as the planner asks it: what holds, what is in the way, what could be done.

Backward chaining goes from a goal over what is in its way to what can be done now.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from environments.game import Value
from managers.language.actions import parse
from managers.planning.goals import Blocker, Goal, as_goal, blockers, is_satisfied
from managers.world.hypotheses import HELP
from managers.world.objects import INVENTORY, GameObject
from managers.world.view import World

_LIGHT = 0.8
_MAY_HOLD = 0.15
_PLAIN = 0.9
_BY_HAND = 0.2
_DEEPEST = 8
_MOST_GOALS = 60
"""How many goals one plan may look at."""
_ACTIONS = {
    "have": "take {}",
    "open": "open {}",
    "closed": "close {}",
    "lit": "turn on {}",
    "worn": "wear {}",
}
_LIKELY = 0.9
_PERHAPS_GONE = 0.6
"""For a thing that was last seen long ago."""


class Resolver(NamedTuple):
    """An action that may remove a blocker."""

    action: str
    """The command; empty for walking to a room."""
    precondition: str
    """The goal that has to be reached first; empty for none."""
    confidence: float
    room: str = ""
    """Where it has to be done; empty for anywhere."""
    hypothesis: str = ""
    """The id of the hypothesis it rests on."""


def resolvers(world: World, blocker: Blocker) -> list[Resolver]:
    """What might remove a blocker, the most likely first; disproven ideas are left out."""
    thing = world.get(blocker.thing) if blocker.thing else None
    found: list[Resolver] = []
    if blocker.kind == "elsewhere":
        found = [Resolver("", "", _PLAIN, blocker.thing)]
    elif blocker.kind == "posture" and world.inside:
        found = [Resolver("get up", "", _PLAIN), Resolver("get out", "", 0.5)]
    elif blocker.kind in ("dark", "unlit"):
        found = _with_light(world)
    elif thing is not None and blocker.kind in ("locked", "stuck"):
        predicate = "unlocks" if blocker.kind == "locked" else "opens"
        found = _with_helper(world, thing, predicate) or _where_help_may_be(world, thing)
    elif thing is not None and blocker.kind == "closed":
        found = _by_opening(world, thing)
    elif thing is not None and blocker.kind == "guarded":
        attack, room = f"attack {world.called(thing)}", world.location_of(thing.id)
        found = _with_helper(world, thing, "defeats") or [Resolver(attack, "", _BY_HAND, room)]
    elif thing is not None and blocker.kind == "missing":
        found = [Resolver("", f"have {thing.id}", _PLAIN)]
    return sorted(found, key=lambda one: -one.confidence)


def can_do(world: World, action: str) -> bool:
    """The things an action needs are at hand here, and it has not just failed like this."""
    command = parse(action)
    for name, held in ((command.object, False), (command.second, not command.has("onto"))):
        thing = world.resolve(name) if name else None
        if name and thing is None:
            return False
        place = world.location_of(thing.id) if thing else INVENTORY
        if place != INVENTORY and (held or place != world.room):
            return False
    return world.failed(action, world.room) is None


def _with_helper(world: World, thing: GameObject, predicate: str) -> list[Resolver]:
    """Whatever a hypothesis says helps, used on the thing."""
    room = world.location_of(thing.id)
    found = []
    for idea in world.hypotheses_about(thing.id, predicate=predicate):
        helper = world.get(idea.subject)
        if idea.disproven or idea.object != thing.id or helper is None:
            continue
        action = HELP[predicate].command.format(world.called(thing), world.called(helper))
        if world.location_of(helper.id) and not world.failed(action, room):
            found.append(Resolver(action, f"have {helper.id}", idea.confidence, room, idea.id))
    return found


def _where_help_may_be(world: World, thing: GameObject) -> list[Resolver]:
    """Nothing known helps: what is missing may be in something that is still closed."""
    found = []
    for other in world.objects():
        shut = other.is_("open") is False and not other.is_("locked") and other.id != thing.id
        room = world.location_of(other.id) if shut else ""
        if not room or other.has("door") or world.failures_with(other, "open"):
            continue
        place = "" if room == INVENTORY else room
        near = _MAY_HOLD if place in ("", world.room) else _MAY_HOLD / 2
        found.append(Resolver(f"open {world.called(other)}", "", near, place))
    return found


def _by_opening(world: World, thing: GameObject) -> list[Resolver]:
    first = f"unlocked {thing.id}" if thing.is_("locked") else ""
    room = world.location_of(thing.id)
    action = f"open {world.called(thing)}"
    if world.failed(action, room) and not first:
        return []
    return [Resolver(action, first, _PLAIN, "" if room == INVENTORY else room)]


def _with_light(world: World) -> list[Resolver]:
    found = []
    for lamp in world.get_objects_with_property("light-source"):
        burns = lamp.is_("lit") or lamp.is_("on")
        if world.location_of(lamp.id):
            action = "" if burns else f"turn on {world.called(lamp)}"
            found.append(Resolver(action, f"have {lamp.id}", _LIGHT))
    return found


class WorldModel(World):
    """Things with place and state, failed actions, hypotheses, and what to do about them."""

    is_satisfied = is_satisfied
    get_blockers = blockers
    get_hypotheses_for_blocker = resolvers
    can_do = can_do


class PlanStep(Value):
    """One step of a plan; the first step comes first."""

    command: str
    """What to do; empty for just being in the room."""
    room: str
    """Where to do it; empty for anywhere."""
    confidence: float
    """That it does what it is for."""
    hypothesis: str = ""
    """The hypothesis it rests on, `H<n>`."""


Plan = tuple[PlanStep, ...]


def backward_chain(goal: str | Goal, world: World) -> Plan:
    """The steps to a goal, from now on; empty if it is reached already or no way is known.

    Every blocker is removed by the most promising resolver whose precondition can be reached;
    a goal never waits for itself, and a chain is at most eight goals deep.
    """
    found = _Search(world).reach(goal, ())
    return () if found is None else tuple(dict.fromkeys(found))


def confidence_of(plan: Sequence[PlanStep]) -> float:
    """That all steps of a plan work."""
    product = 1.0
    for step in plan:
        product *= step.confidence
    return product


class _Search:
    """One plan in the making."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.goals = 0

    def reach(self, wanted: str | Goal, pending: tuple[str, ...]) -> list[PlanStep] | None:
        """Steps to a goal, None if no way is known; `pending` are the goals that wait for it."""
        goal = as_goal(wanted)
        if goal is not None and is_satisfied(self.world, goal):
            return []
        self.goals += 1
        if goal is None or str(goal) in pending or len(pending) >= _DEEPEST:
            return None
        waiting = (*pending, str(goal))
        steps: list[PlanStep] = []
        for blocker in blockers(self.world, goal) if self.goals <= _MOST_GOALS else ():
            removed = self._remove(blocker, waiting)
            if removed is None:
                return None
            steps += removed
        return self._finished(goal, steps)

    def _remove(self, blocker: Blocker, pending: tuple[str, ...]) -> list[PlanStep] | None:
        """The best way to remove a blocker."""
        best: list[PlanStep] | None = None
        for resolver in resolvers(self.world, blocker):
            now = (
                resolver.action and blocker.kind != "unlit" and can_do(self.world, resolver.action)
            )
            ready = now or not resolver.precondition
            first = [] if ready else self.reach(resolver.precondition, pending)
            if first is None:
                continue
            step = PlanStep(
                command=resolver.action,
                room=resolver.room,
                confidence=resolver.confidence,
                hypothesis=resolver.hypothesis,
            )
            steps = [*first, step] if resolver.action else first
            if best is None or confidence_of(steps) > confidence_of(best):
                best = steps
        return best

    def _finished(self, goal: Goal, steps: list[PlanStep]) -> list[PlanStep] | None:
        """The steps with the last one; None if that has just failed and nothing changes before."""
        last = _finally(goal, self.world)
        if last is None:
            return steps
        acts = any(step.command for step in steps)
        return None if not acts and self._is_refused(goal, last) else [*steps, last]

    def _is_refused(self, goal: Goal, step: PlanStep) -> bool:
        """The command, or the same in other words, has failed as things are."""
        thing = self.world.resolve(goal.thing) if step.command else None
        if thing is None:
            return False
        failed = self.world.failed(step.command, step.room or self.world.room)
        verb = parse(step.command).verb
        return failed is not None or (
            goal.kind != "in" and bool(self.world.failures_with(thing, verb))
        )


def _finally(goal: Goal, world: World) -> PlanStep | None:
    """The last step, once nothing is in the way; None where the others have done it."""
    if goal.kind == "at":
        return PlanStep(command="", room=goal.place, confidence=_LIKELY)
    thing = world.resolve(goal.thing) if goal.thing else None
    place = world.resolve(goal.holder) if goal.kind == "in" else thing
    if thing is None or place is None:
        return None
    if goal.kind == "in":
        relation = "on" if place.has("supporter") and not place.has("container") else "in"
        command = f"put {world.called(thing)} {relation} {world.called(place)}"
    elif goal.kind in _ACTIONS and not (goal.kind == "open" and world.needs_tool(thing)):
        command = _ACTIONS[goal.kind].format(world.called(thing))
    else:
        return None
    room = world.location_of(place.id)
    return PlanStep(
        command=command,
        room="" if room == INVENTORY else room,
        confidence=_PERHAPS_GONE if world.is_stale(thing) else _LIKELY,
    )
