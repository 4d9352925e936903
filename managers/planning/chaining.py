"""Backward chaining: from a goal over what is in its way to what can be done now."""

from __future__ import annotations

from collections.abc import Sequence

from environments.game import Value
from managers.language.actions import parse
from managers.planning.goals import Blocker, Goal, as_goal, blockers, is_satisfied
from managers.planning.world_model import can_do, resolvers
from managers.world.objects import INVENTORY
from managers.world.view import World

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
