"""Which objective an action serves, and what that is worth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from managers.language.lexicon import head_of
from managers.planning.objectives import Objective
from managers.policy.option import Draft

WORTH = 8.0
"""What serving an objective of priority 10 adds to the worth of an action."""

_COMMITMENT = 1.25
"""How much more than others the agent's own plans count, so that it follows them."""

_SERVING = {
    "have": frozenset({"take", "grab", "prepare", "retry"}),
    "open": frozenset({"open", "unlock", "apply", "prepare", "retry"}),
    "unlocked": frozenset({"open", "unlock", "apply", "prepare", "retry"}),
    "deposit": frozenset({"deposit", "put"}),
    "in": frozenset({"deposit", "put", "take", "grab", "fetch"}),
    "gone": frozenset({"fight"}),
}
"""Kind of a goal -> the kinds of options that serve it; every kind serves any other goal."""
_GOING = frozenset({"exit", "enter", "climb", "light"})


class Service(NamedTuple):
    """What an action is worth to an objective."""

    worth: float = 0.0
    objective: str | None = None


_NONE = Service()


class Services:
    """The active objectives, indexed by what serves them."""

    def __init__(self, objectives: Sequence[Objective]) -> None:
        active = [one for one in objectives if one.status == "active"]
        self.planned = [one for one in active if one.plan]
        """The active ones that have a plan."""
        self._best: dict[tuple[str, str], Service] = {}
        """By room, objective or noun, and the kind of option, which is empty for every kind."""
        for objective in active:
            worth = WORTH * objective.priority / 10
            worth *= _COMMITMENT if objective.source == "agent" else 1.0
            for key in _keys(objective):
                if worth > self._best.get(key, _NONE).worth:
                    self._best[key] = Service(worth, objective.id)

    def of(self, draft: Draft) -> Service:
        """The best service of an option; worth 0 if it serves none."""
        noun, best = head_of(draft.noun), _NONE
        for key in (
            (draft.room, draft.kind), (draft.objective, ""), (noun, draft.kind), (noun, "")
        ):  # fmt: skip
            service = self._best.get(key)
            if service is not None and service.worth > best.worth:
                best = service
        return best


def _keys(objective: Objective) -> Iterator[tuple[str, str]]:
    """What serves an objective: its plan's next step, its thing, the way to its place."""
    yield objective.id, ""
    goal = objective.goal
    if goal and goal.thing and goal.kind != "do":
        for kind in _SERVING.get(goal.kind, ("",)):
            yield head_of(goal.thing), kind
    if goal and goal.kind == "explore" and goal.place:
        for kind in _GOING:
            yield goal.place, kind
