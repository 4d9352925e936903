"""Backward chaining: from a goal over what is in its way to what can be done now."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from managers.world.goals import Blocker, Goal, goal_of
from managers.world.objects import INVENTORY

if TYPE_CHECKING:
    from managers.world.view import WorldModel

_DEEPEST = 8
_ACTIONS = {
    "have": "take {}",
    "open": "open {}",
    "closed": "close {}",
    "lit": "turn on {}",
    "worn": "wear {}",
}
_LIKELY = 0.9


class PlanStep(NamedTuple):
    """One step of a plan; the first step comes first."""

    command: str
    """What to do; empty for just being in the room."""
    room: str
    """Where to do it; empty for anywhere."""
    purpose: str
    """The goal it serves."""
    confidence: float
    """That it does what it is for."""
    hypothesis: str = ""
    """The hypothesis it rests on, `H<n>`."""


Plan = tuple[PlanStep, ...]


def backward_chain(goal: str, world: WorldModel) -> Plan:
    """The steps to a goal, from now on; empty if it is reached already or no way is known.

    Every blocker is removed by the most promising resolver whose precondition can be reached;
    a goal never waits for itself, and a chain is at most eight goals deep.
    """
    found = _reach(goal, world, ())
    return () if found is None else tuple(dict.fromkeys(found))


def confidence_of(plan: Plan) -> float:
    """That all steps of a plan work."""
    product = 1.0
    for step in plan:
        product *= step.confidence
    return product


def _reach(text: str, world: WorldModel, pending: tuple[str, ...]) -> list[PlanStep] | None:
    """Steps to a goal, None if no way is known; `pending` are the goals that wait for it."""
    if world.is_satisfied(text):
        return []
    goal = goal_of(text)
    if goal is None or str(goal) in pending or len(pending) >= _DEEPEST:
        return None
    waiting = (*pending, str(goal))
    steps: list[PlanStep] = []
    for blocker in world.get_blockers(text):
        removed = _remove(blocker, world, waiting)
        if removed is None:
            return None
        steps += removed
    return steps + _finally(goal, world)


def _remove(blocker: Blocker, world: WorldModel, pending: tuple[str, ...]) -> list[PlanStep] | None:
    """The best way to remove a blocker."""
    best: list[PlanStep] | None = None
    for resolver in world.get_hypotheses_for_blocker(blocker):
        now = bool(resolver.action) and world.can_do(resolver.action)
        ready = now or not resolver.precondition
        first = [] if ready else _reach(resolver.precondition, world, pending)
        if first is None:
            continue
        step = PlanStep(
            resolver.action, resolver.room, blocker.goal, resolver.confidence, resolver.hypothesis
        )
        steps = [*first, step] if resolver.action else first
        if best is None or confidence_of(tuple(steps)) > confidence_of(tuple(best)):
            best = steps
    return best


def _finally(goal: Goal, world: WorldModel) -> list[PlanStep]:
    """The last step, once nothing is in the way."""
    if goal.kind == "at":
        return [PlanStep("", goal.thing, str(goal), _LIKELY)]
    thing = world.resolve(goal.thing) if goal.thing else None
    if thing is None:
        return []
    place = world.location_of(thing.id)
    room = "" if place == INVENTORY else place
    if goal.kind == "in":
        return _put(goal, world, world.called(thing))
    template = _ACTIONS.get(goal.kind)
    if template is None:
        return []
    return [PlanStep(template.format(world.called(thing)), room, str(goal), _LIKELY)]


def _put(goal: Goal, world: WorldModel, name: str) -> list[PlanStep]:
    holder = world.resolve(goal.holder)
    if holder is None:
        return []
    relation = "on" if holder.has("supporter") and not holder.has("container") else "in"
    command = f"put {name} {relation} {world.called(holder)}"
    return [PlanStep(command, world.location_of(holder.id), str(goal), _LIKELY)]
