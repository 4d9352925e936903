"""Objectives meet the world: what is done, what was said of them, and what would lead to them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from managers.language.actions import parse
from managers.planning.goals import CHECKED, Goal, is_satisfied
from managers.planning.objectives import (
    Completion,
    Merging,
    NewObjective,
    Objective,
    ObjectiveManager,
)
from managers.planning.world_model import Plan, PlanStep, backward_chain
from managers.world.knowledge import Knowledge
from managers.world.objects import GameObject

ACTOR_SAYS = "the actor says so"
"""The evidence of what the actor declares to be done."""
_MOST_PLANNED = 10
_LONGEST = 12
_SEVERAL = re.compile(r"[,;]|\b(?:and|then|or)\b", re.IGNORECASE)
"""A text that asks for more than one thing, of which a goal is only a part."""
_EXPLAINED = re.compile(r"[:(]")
"""What somebody wrote goes on with more than its first words say."""


def check_objective_completion(
    objectives: Sequence[Objective], knowledge: Knowledge
) -> tuple[Completion, ...]:
    """The active objectives whose condition the world model or the map finds true."""
    done = []
    for one in objectives:
        if one.status != "active" or not one.goal:
            continue
        if not _says_all(one.goal.kind, one.text, one.source):
            continue
        if shown := _evidence(one.goal, knowledge):
            done.append(Completion(id=one.id, evidence=shown))
    return tuple(done)


@lru_cache(maxsize=1024)
def _says_all(kind: str, text: str, source: str) -> bool:
    """A goal of this kind is all that the text asks for; a place may be named in passing."""
    explores = kind == "explore"
    passing = explores and not text.lower().startswith("explore ")
    explained = (explores or source == "agent") and _EXPLAINED.search(text)
    return not (passing or explained or _SEVERAL.search(text))


def update_objectives(
    objectives: Sequence[Objective],
    knowledge: Knowledge,
    turn: int,
    *,
    declared: str | NewObjective | None = None,
    achieved: str | None = None,
    given_up: str | None = None,
    discovered: Sequence[NewObjective] = (),
    promoted: Sequence[NewObjective] = (),
    completed: Sequence[Completion] = (),
    merged: Sequence[Merging] = (),
    dropped: Sequence[str] = (),
) -> ObjectiveManager:
    """One turn of the list: the actor's wishes, a review, what the world shows, staleness."""
    manager = ObjectiveManager(objectives, turn)
    if achieved:
        manager.complete(achieved, ACTOR_SAYS)
    if given_up:
        manager.drop(given_up, ACTOR_SAYS)
    for id in dropped:
        manager.drop(id, "the objective manager says so")
    if declared:
        manager.add_agent_objective(declared)
    for pair in merged:
        manager.merge(pair)
    manager.check_and_update_objectives(discovered, completed, promoted)
    for completion in check_objective_completion(manager.active, knowledge):
        manager.complete(completion.id, completion.evidence)
    manager.set_aside_stale()
    return manager


def _evidence(goal: Goal, knowledge: Knowledge) -> str:
    """What shows that a goal is reached; empty where nothing does."""
    map_, world = knowledge.map_view, knowledge.world_view
    known = goal.place in map_.data["rooms"]
    if goal.kind == "explore" and known:
        explored = map_.room(goal.place).visits and not map_.ways(goal.place).mentioned
        return f"every mentioned way from {goal.place} was tried" if explored else ""
    if goal.kind == "light" and known and not map_.room(goal.place).dark:
        return f"{goal.place} was seen in the light"
    if goal.kind == "deposit":
        thing = world.resolve(goal.thing, goal.place or None)
        return f"{thing.name} is where it scores" if thing and _is_home(thing, knowledge) else ""
    checked = goal.kind in ("have", "open", "unlocked") and is_satisfied(world, goal)
    return f"{goal} is true" if checked else ""


def with_plans(objectives: Sequence[Objective], knowledge: Knowledge) -> tuple[Objective, ...]:
    """The objectives with what would lead to each now; others have no plan."""
    active = [one for one in objectives if one.status == "active"][:_MOST_PLANNED]
    plans = {one.id: _plan(one.goal, knowledge) for one in active if one.goal}
    return tuple(
        one
        if one.plan == (plan := plans.get(one.id, ()))
        else one.model_copy(update={"plan": plan})
        for one in objectives
    )


def _plan(goal: Goal, knowledge: Knowledge) -> Plan:
    """The steps to a goal; empty where no way is known."""
    steps: list[PlanStep] = []
    for condition in _conditions(goal, knowledge):
        if not is_satisfied(knowledge.world_view, condition):
            more = backward_chain(condition, knowledge.world_view)
            if not more:
                return ()
            steps += more
    return tuple(dict.fromkeys(steps))[:_LONGEST]


def _conditions(goal: Goal, knowledge: Knowledge) -> Iterator[Goal]:
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
    if thing is None:
        return
    if goal.kind == "deposit":
        if condition := _brought_home(thing, knowledge):
            yield condition
    elif goal.kind in CHECKED:
        kind = "open" if goal.kind == "unlocked" else goal.kind
        yield goal.model_copy(update={"kind": kind, "thing": thing.id})


def _is_home(thing: GameObject, knowledge: Knowledge) -> bool:
    """It is where treasures score: in what they are put into there, or dropped in that room."""
    if inside := _brought_home(thing, knowledge):
        return is_satisfied(knowledge.world_view, inside)
    return any(thing.location == home.room for home in knowledge.board.of("home")[:1])


def _brought_home(thing: GameObject, knowledge: Knowledge) -> Goal | None:
    """What is true of a treasure that is where treasures score; None where that is not known."""
    home = next(iter(knowledge.board.of("home")), None)
    if home is None:
        return None
    holder = knowledge.world_view.resolve(parse(home.subject).second, home.room)
    return Goal(kind="in", thing=thing.id, holder=holder.id) if holder else None
