"""The world model as the planner asks it: what holds, what is in the way, what could be done.

Backward chaining goes from a goal over what is in its way to what can be done now.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from environments.game import Value
from managers.language.actions import parse
from managers.planning.goals import Blocker, Goal, as_goal, blockers, is_satisfied
from managers.world.hypotheses import HELP
from managers.world.objects import INVENTORY, GameObject
from managers.world.view import World

_LIKELY = 0.9
_WITH_LIGHT = 0.8
_PERHAPS_GONE = 0.6
"""For a thing that was last seen long ago."""
_SECOND_TRY = 0.5
_BY_HAND = 0.2
_MAY_HOLD = 0.15
_DEEPEST = 8
"""So many goals may wait for each other."""
_MOST_GOALS = 60
_ACTIONS = {
    "have": "take {}",
    "open": "open {}",
    "closed": "close {}",
    "lit": "turn on {}",
    "worn": "wear {}",
}
_HELPS = {"locked": "unlocks", "stuck": "opens", "guarded": "defeats"}
"""Kind of a blocker -> what a hypothesis says of something that helps."""


class Resolver(NamedTuple):
    """An action that may remove a blocker."""

    action: str
    """The command; empty for walking to a room."""
    confidence: float
    room: str = ""
    """Where it has to be done; empty for anywhere."""
    precondition: Goal | None = None
    """What has to be reached first."""
    hypothesis: str = ""
    """The id of the hypothesis it rests on."""


def resolvers(world: World, blocker: Blocker) -> list[Resolver]:
    """What might remove a blocker, the most likely first; disproven ideas are left out."""
    thing = world.get(blocker.thing)
    found: list[Resolver] = []
    if blocker.kind == "elsewhere":
        found = [Resolver("", _LIKELY, blocker.thing)]
    elif blocker.kind == "posture" and world.inside:
        found = [Resolver("get up", _LIKELY), Resolver("get out", _SECOND_TRY)]
    elif blocker.kind in ("dark", "unlit"):
        found = _with_light(world)
    elif thing and blocker.kind == "missing":
        found = [Resolver("", _LIKELY, precondition=Goal(kind="have", thing=thing.id))]
    elif thing and blocker.kind == "closed":
        found = _by_opening(world, thing)
    elif thing and blocker.kind in _HELPS:
        helped = _with_helper(world, thing, _HELPS[blocker.kind])
        found = helped or _without_helper(world, thing, blocker.kind)
    return sorted(found, key=lambda one: -one.confidence)


def can_do(world: World, action: str) -> bool:
    """The things an action needs are at hand here, and it has not just failed like this."""
    command = parse(action)
    for name, held in ((command.object, False), (command.second, not command.has("onto"))):
        if not name:
            continue
        thing = world.meant(name)
        if thing is None:
            return False
        place = world.location_of(thing.id)
        if place != INVENTORY and (held or place != world.room):
            return False
    return world.failed(action, world.room) is None


def _with_light(world: World) -> list[Resolver]:
    """A light that is carried and burns."""
    found = []
    for lamp in world.get_objects_with_property("light-source"):
        if world.location_of(lamp.id):
            action = "" if lamp.burns else f"turn on {world.called(lamp)}"
            carried = Goal(kind="have", thing=lamp.id)
            found.append(Resolver(action, _WITH_LIGHT, precondition=carried))
    return found


def _by_opening(world: World, thing: GameObject) -> list[Resolver]:
    room, action = _unless_held(world.location_of(thing.id)), f"open {world.called(thing)}"
    first = Goal(kind="unlocked", thing=thing.id) if thing.is_("locked") else None
    if world.failed(action, room or world.room) and not first:
        return []
    return [Resolver(action, _LIKELY, room, first)]


def _with_helper(world: World, thing: GameObject, predicate: str) -> list[Resolver]:
    """Whatever a hypothesis says helps, used on the thing."""
    found = []
    for idea in world.hypotheses_about(thing.id, predicate=predicate):
        helper = world.get(idea.subject)
        if idea.disproven or idea.object != thing.id or helper is None:
            continue
        room = _unless_held(world.location_of(thing.id))
        action = HELP[predicate].command.format(world.called(thing), world.called(helper))
        if world.location_of(helper.id) and not world.failed(action, room or world.room):
            carried = Goal(kind="have", thing=helper.id)
            found.append(Resolver(action, idea.confidence, room, carried, idea.id))
    return found


def _without_helper(world: World, thing: GameObject, kind: str) -> list[Resolver]:
    """A fight with bare hands; or what is missing may be in something that is still closed."""
    if kind == "guarded":
        room = _unless_held(world.location_of(thing.id))
        return [Resolver(f"attack {world.called(thing)}", _BY_HAND, room)]
    found = []
    for other in world.objects():
        shut = other.is_("open") is False and not other.is_("locked") and other.id != thing.id
        room = world.location_of(other.id) if shut else ""
        if room and not other.has("door") and not world.failures_with(other, "open"):
            near = _MAY_HOLD if room in (INVENTORY, world.room) else _MAY_HOLD / 2
            found.append(Resolver(f"open {world.called(other)}", near, _unless_held(room)))
    return found


def _unless_held(room: str) -> str:
    """The room; empty for what is carried: that is done, and was refused, wherever one is."""
    return "" if room == INVENTORY else room


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
    wanted = as_goal(goal)
    found = _Search(world).reach(wanted, ()) if wanted else None
    return tuple(dict.fromkeys(found or ()))


def confidence_of(plan: Sequence[PlanStep]) -> float:
    """That all steps of a plan work."""
    return math.prod(step.confidence for step in plan)


class _Search:
    """One plan in the making."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.goals = 0

    def reach(self, goal: Goal, pending: tuple[str, ...]) -> list[PlanStep] | None:
        """Steps to a goal, None if no way is known; `pending` are the goals that wait for it."""
        if is_satisfied(self.world, goal):
            return []
        self.goals += 1
        if str(goal) in pending or len(pending) >= _DEEPEST:
            return None
        steps: list[PlanStep] = []
        for blocker in blockers(self.world, goal) if self.goals <= _MOST_GOALS else ():
            removed = self._remove(blocker, (*pending, str(goal)))
            if removed is None:
                return None
            steps += removed
        last = _last_step(goal, self.world)
        if last is None:
            return steps
        acts = any(step.command for step in steps)
        return [*steps, last] if acts or not _is_refused(self.world, goal, last) else None

    def _remove(self, blocker: Blocker, pending: tuple[str, ...]) -> list[PlanStep] | None:
        """The best way to remove a blocker."""
        best: list[PlanStep] | None = None
        for action, confidence, room, wanted, hypothesis in resolvers(self.world, blocker):
            now = action and blocker.kind != "unlit" and can_do(self.world, action)
            steps = [] if now or not wanted else self.reach(wanted, pending)
            if steps is None:
                continue
            if action:
                step = PlanStep(
                    command=action, room=room, confidence=confidence, hypothesis=hypothesis
                )
                steps = [*steps, step]
            if best is None or confidence_of(steps) > confidence_of(best):
                best = steps
        return best


def _is_refused(world: World, goal: Goal, step: PlanStep) -> bool:
    """The command, or the same in other words, has failed as things are."""
    thing = world.resolve(goal.thing) if step.command else None
    if thing is None:
        return False
    if world.failed(step.command, step.room or world.room):
        return True
    return goal.kind != "in" and bool(world.failures_with(thing, parse(step.command).verb))


def _last_step(goal: Goal, world: World) -> PlanStep | None:
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
    room, confidence = world.location_of(place.id), _LIKELY
    if world.is_stale(thing):
        confidence = _PERHAPS_GONE
    return PlanStep(command=command, room=_unless_held(room), confidence=confidence)
