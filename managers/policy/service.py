"""Which objective an action serves, and what that is worth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from managers.language.actions import classes
from managers.language.lexicon import head_of
from managers.planning.objectives import Objective
from managers.policy.option import Draft

WORTH = 8.0
"""What serving an objective of priority 10 adds to the worth of an action."""

_COMMITMENT = 1.25
"""How much more than others the agent's own plans count, so that it follows them."""

_HELPERS = {
    "unlocked": "key-like",
    "open": "key-like",
    "light": "light-source",
    "gone": "weapon",
    "descend": "rope-like",
}
"""Kind of a goal -> the class of things that help."""
_SERVING = {
    "have": frozenset({"take", "grab", "prepare", "retry"}),
    "open": frozenset({"open", "unlock", "apply", "prepare", "retry"}),
    "unlocked": frozenset({"open", "unlock", "apply", "prepare", "retry"}),
    "deposit": frozenset({"deposit", "put"}),
    "in": frozenset({"deposit", "put", "take", "grab", "fetch"}),
    "gone": frozenset({"fight"}),
}
"""Kind of a goal -> the kinds of options that serve it; every kind serves any other goal."""
_FINDING = frozenset({"search", "move", "open", "take", "read"})
"""Kinds that may bring to light, or tell, what an objective without a plan is in want of."""
_SEEKING = 0.3
_GETTING = frozenset({"take", "grab", "fetch", "unlock", "fight", "light", "tie"})
"""Kinds by which a helpful thing comes to hand or into use."""
_GOING = frozenset({"exit", "enter", "climb", "light"})


class Service(NamedTuple):
    """What an action is worth to an objective."""

    worth: float = 0.0
    objective: str | None = None


_NONE = Service()


class Services:
    """The active objectives, indexed by what serves them."""

    def __init__(self, objectives: Sequence[Objective]) -> None:
        self._nouns: dict[str, dict[str, Service]] = {}
        self._places: dict[str, Service] = {}
        self._classes: dict[str, Service] = {}
        self._steps: dict[str, Service] = {}
        self._seeking = _NONE
        active = [one for one in objectives if one.status == "active"]
        self.planned = [one for one in active if one.plan]
        """The active ones that have a plan."""
        for objective in active:
            self._index(objective)

    def __bool__(self) -> bool:
        return bool(self._steps)

    def of(self, draft: Draft) -> Service:
        """The best service of an option; worth 0 if it serves none."""
        best = self._seeking if draft.kind in _FINDING else _NONE
        if draft.kind in _GOING:
            best = self._places.get(draft.room, best)
        if draft.objective:
            best = _better(best, self._steps.get(draft.objective))
        if draft.noun:
            kinds = self._nouns.get(head_of(draft.noun))
            if kinds:
                best = _better(best, kinds.get(draft.kind))
                best = _better(best, kinds.get(""))
            if self._classes and draft.kind in _GETTING:
                known = classes(draft.noun)
                for name, service in self._classes.items():
                    best = _better(best, service if name in known else None)
        return best

    def _index(self, objective: Objective) -> None:
        goal = objective.goal
        worth = WORTH * objective.priority / 10
        if objective.source == "agent":
            worth *= _COMMITMENT
        self._steps[objective.id] = Service(worth, objective.id)
        if goal is None:
            return
        if goal.thing and goal.kind != "do":
            for kind in _SERVING.get(goal.kind, ("",)):
                kinds = self._nouns.setdefault(head_of(goal.thing), {})
                _keep(kinds, kind, Service(worth, objective.id))
        if goal.kind == "explore" and goal.place:
            _keep(self._places, goal.place, Service(worth, objective.id))
        if goal.kind in ("open", "unlocked") and not objective.plan:
            self._seeking = _better(self._seeking, Service(_SEEKING * worth, objective.id))
        helper = _HELPERS.get(goal.kind)
        if helper:
            _keep(self._classes, helper, Service(0.8 * worth, objective.id))


def _better(one: Service, other: Service | None) -> Service:
    return one if other is None or other.worth <= one.worth else other


def _keep(table: dict[str, Service], key: str, service: Service) -> None:
    if service.worth > table.get(key, Service()).worth:
        table[key] = service
