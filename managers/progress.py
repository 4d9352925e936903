"""Objectives meet the world: what is done already, what the actor and the role said."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from managers.goals import Goal, goal_of
from managers.knowledge import Knowledge
from managers.map import Map
from managers.objectives import (
    Completion,
    Merging,
    NewObjective,
    Objective,
    ObjectiveChange,
    ObjectiveManager,
)
from managers.planning import deposited


class Pursuit(NamedTuple):
    """The list of objectives after a turn, and what happened to them in it."""

    objectives: tuple[Objective, ...]
    changes: tuple[ObjectiveChange, ...]


def check_objective_completion(
    objectives: Sequence[Objective], knowledge: Knowledge
) -> tuple[Completion, ...]:
    """The active objectives whose condition the world model or the map finds true."""
    shown: dict[str, str] = knowledge.made_of_it.setdefault("evidence", {})
    done = []
    for objective in objectives:
        if objective.status == "active":
            if objective.text not in shown:
                shown[objective.text] = _evidence(objective.text, knowledge)
            if shown[objective.text]:
                done.append(Completion(id=objective.id, evidence=shown[objective.text]))
    return tuple(done)


def update_objectives(
    objectives: Sequence[Objective],
    knowledge: Knowledge,
    turn: int,
    *,
    declared: str | NewObjective | None = None,
    achieved: str | None = None,
    discovered: Sequence[NewObjective] = (),
    promoted: Sequence[NewObjective] = (),
    completed: Sequence[Completion] = (),
    merged: Sequence[Merging] = (),
) -> Pursuit:
    """One turn of the list: the actor's wishes, a review, what the world shows, staleness."""
    manager = ObjectiveManager(objectives, turn)
    if achieved:
        manager.complete(achieved, "the actor says so")
    if declared:
        manager.add_agent_objective(declared)
    for pair in merged:
        manager.merge(pair)
    manager.check_and_update_objectives(discovered, completed, promoted)
    for completion in check_objective_completion(manager.active, knowledge):
        manager.complete(completion.id, completion.evidence)
    manager.set_aside_stale()
    return Pursuit(manager.objectives, tuple(manager.changes))


def _evidence(text: str, knowledge: Knowledge) -> str:
    goal, map_ = goal_of(text), knowledge.map_view
    condition = _condition(goal, knowledge)
    if condition and knowledge.world_view.is_satisfied(condition):
        return f"{goal.condition or condition} is true"
    places = [place for place in goal.places if map_.find(place)]
    if goal.aim == "explore" and places and all(_explored(map_, place) for place in places):
        return f"every mentioned way from {', '.join(places)} was tried"
    if goal.aim == "light" and places and not any(map_.room(place).dark for place in places):
        return f"{', '.join(places)} was seen in the light"
    return ""


def _condition(goal: Goal, knowledge: Knowledge) -> str:
    """What the world model can check of a goal, in terms of ids; empty for nothing."""
    if not goal.noun or not (goal.condition or goal.aim == "deposit"):
        return ""
    thing = knowledge.world_view.resolve(goal.noun, next(iter(goal.places), None))
    if thing is None:
        return ""
    return deposited(thing, knowledge) if goal.aim == "deposit" else f"{goal.aim} {thing.id}"


def _explored(map_: Map, place: str) -> bool:
    return bool(map_.room(place).visits) and not map_.mentioned(place)
