"""Plans for the objectives: each is chained backwards from what would fulfil it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from managers.goals import Goal, goal_of
from managers.knowledge import Knowledge
from managers.objectives import Objective
from managers.text.commands import parse_command
from managers.world import GameObject, Plan, backward_chain

MOST = 10
"""How many objectives are planned for, the most important first."""
_LONGEST = 12


def with_plans(objectives: Sequence[Objective], knowledge: Knowledge) -> tuple[Objective, ...]:
    """The objectives with what would lead to each now; others have no plan."""
    planner = _Planner(knowledge)
    active = [one.id for one in objectives if one.status == "active"][:MOST]
    plans = {one.id: planner.plan(one) for one in objectives if one.id in active}
    return tuple(
        one if one.plan == plans.get(one.id, ()) else one.planned(plans.get(one.id, ()))
        for one in objectives
    )


def without_plans(objectives: Sequence[Objective]) -> tuple[Objective, ...]:
    """The objectives as they are where nobody plans."""
    return tuple(one.planned(()) if one.plan else one for one in objectives)


def deposited(thing: GameObject, knowledge: Knowledge) -> str:
    """What is true of a treasure that is where treasures score; empty where that is not known."""
    home = knowledge.dynamics.get("leads", {}).get("home")
    holder = knowledge.world_view.resolve(parse_command(home[1]).second, home[0]) if home else None
    return f"{thing.id} in {holder.id}" if holder else ""


class _Planner:
    def __init__(self, knowledge: Knowledge) -> None:
        self.knowledge = knowledge
        self.world = knowledge.world_view
        self.map = knowledge.map_view

    def plan(self, objective: Objective) -> Plan:
        """The steps to an objective; empty where no way is known."""
        steps: list[Plan] = []
        for goal in self._goals(goal_of(objective.text)):
            if not self.world.is_satisfied(goal):
                steps.append(backward_chain(goal, self.world))
                if not steps[-1]:
                    return ()
        return tuple(dict.fromkeys(step for plan in steps for step in plan))[:_LONGEST]

    def _goals(self, goal: Goal) -> Iterator[str]:
        """What has to be true in the end, in terms of the world model and in this order."""
        places = [place for place in goal.places if place in self.map.data["rooms"]]
        if goal.aim in ("light", "explore"):
            for place in places:
                if self.map.room(place).dark:
                    yield "burning light"
                yield f"at {place}"
            return
        thing = self.world.resolve(goal.noun, places[0] if places else None) if goal.noun else None
        if thing is None:
            return
        if goal.aim == "deposit":
            if condition := deposited(thing, self.knowledge):
                yield condition
        elif goal.aim in _CONDITIONS:
            yield f"{_CONDITIONS[goal.aim]} {thing.id}"


_CONDITIONS = {"have": "have", "open": "open", "unlocked": "open", "defeat": "gone"}
"""Aim of an objective -> the condition that is planned for: what is unlocked is to be opened."""
