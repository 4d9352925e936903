"""Plans for the objectives: each is chained backwards from what would fulfil it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from managers.knowledge import Knowledge
from managers.language.actions import parse
from managers.planning.chaining import Plan, backward_chain
from managers.planning.goals import CHECKED, Goal
from managers.planning.objectives import Objective
from managers.world.objects import GameObject

MOST = 10
"""How many objectives are planned for, the most important first."""
_LONGEST = 12


def with_plans(objectives: Sequence[Objective], knowledge: Knowledge) -> tuple[Objective, ...]:
    """The objectives with what would lead to each now; others have no plan."""
    active = [one.id for one in objectives if one.status == "active"][:MOST]
    plans = {one.id: plan(one.goal, knowledge) for one in objectives if one.id in active}
    return tuple(
        one if one.plan == plans.get(one.id, ()) else one.planned(plans.get(one.id, ()))
        for one in objectives
    )


def without_plans(objectives: Sequence[Objective]) -> tuple[Objective, ...]:
    """The objectives as they are where nobody plans."""
    return tuple(one.planned(()) if one.plan else one for one in objectives)


def plan(goal: Goal | None, knowledge: Knowledge) -> Plan:
    """The steps to a goal; empty where no way is known."""
    steps: list[Plan] = []
    for condition in conditions(goal, knowledge) if goal else ():
        if not knowledge.world_view.is_satisfied(condition):
            steps.append(backward_chain(condition, knowledge.world_view))
            if not steps[-1]:
                return ()
    return tuple(dict.fromkeys(step for plan in steps for step in plan))[:_LONGEST]


def conditions(goal: Goal, knowledge: Knowledge) -> Iterator[Goal]:
    """What has to be true in the end, in terms of ids and in this order."""
    map_ = knowledge.map_view
    known = goal.place in map_.data["rooms"]
    if goal.kind in ("light", "explore", "at"):
        if known and map_.room(goal.place).dark:
            yield Goal(kind="burning light")
        if known:
            yield Goal(kind="at", place=goal.place)
        return
    thing = knowledge.world_view.resolve(goal.thing, goal.place if known else None)
    if thing is None or goal.kind == "do":
        return
    if goal.kind == "deposit":
        if condition := deposited(thing, knowledge):
            yield condition
    elif goal.kind in CHECKED:
        kind = "open" if goal.kind == "unlocked" else goal.kind
        yield goal.model_copy(update={"kind": kind, "thing": thing.id})


def deposited(thing: GameObject, knowledge: Knowledge) -> Goal | None:
    """What is true of a treasure that is where treasures score; None where that is not known."""
    home = next(iter(knowledge.board.of("home")), None)
    if home is None:
        return None
    holder = knowledge.world_view.resolve(parse(home.subject).second, home.room)
    return Goal(kind="in", thing=thing.id, holder=holder.id) if holder else None
