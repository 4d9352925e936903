"""The evaluator of issues: with all that bears on them in hand, which deserve an objective."""

from __future__ import annotations

from collections.abc import Sequence

from agents.answers import NewObjective
from managers.planning.goals import Goal, is_satisfied
from managers.planning.issues import Enriched
from managers.world.map import Map
from managers.world.view import World

_CLEAR = 0.25
"""From which confidence on a hypothesis makes an issue more urgent."""
_WEARY = 3
"""So many failed attempts make it less urgent."""
_ASKS_FOR = {
    "locked": ("unlocked", "unlock the {thing} in {place}"),
    "stuck": ("open", "open the {thing} in {place}"),
    "closed": ("open", "open the {thing} in {place}"),
    "found": ("have", "take the {thing} from {place}"),
}
"""Kind of an issue -> the goal that it asks for, and how that is said."""


class IssueAgent:
    """Promotes issues to objectives: what can be worked on now, the most urgent first.

    Args:
        most: How many at a time.
    """

    def __init__(self, *, most: int = 4) -> None:
        self._most = most

    def evaluate(
        self, issues: Sequence[Enriched], world: World, map: Map
    ) -> tuple[NewObjective, ...]:
        """The objectives that the issues ask for, without those that nothing can be done about."""
        asked = [(issue, _objective(issue, world, map)) for issue in issues]
        promoted = [
            one.model_copy(update={"priority": _priority(issue)}) for issue, one in asked if one
        ]
        promoted.sort(key=lambda one: -one.priority)
        return tuple(promoted[: self._most])


def _priority(issue: Enriched) -> int:
    """1 to 10: its importance, what promises to solve it, what has been tried in vain."""
    points = issue.issue.importance // 100 - 2
    if issue.hope >= _CLEAR or (issue.issue.kind == "dark" and issue.things):
        points += 1
    if len(issue.failures) >= _WEARY and not issue.hope:
        points -= 2
    return min(10, max(1, points))


def _objective(issue: Enriched, world: World, map: Map) -> NewObjective | None:
    """What is to be done about an issue; None for nothing."""
    about, room = issue.issue, issue.issue.location
    if room not in map.data["rooms"]:
        return None
    place = f"{room} {map.room(room).title}".strip()
    if about.kind == "barred":
        guard = _guard(issue, world)
        goal = Goal(kind="gone", thing=guard, place=room)
        return NewObjective(text=f"defeat the {guard} in {place}", goal=goal) if guard else None
    if about.kind == "dark":
        goal = Goal(kind="light", place=room)
        if is_satisfied(world, Goal(kind="burning light")):
            return None
        return NewObjective(text=f"light {place}", goal=goal)
    thing = world.get(about.about)
    if thing is None:
        return None
    kind, words = _ASKS_FOR[about.kind]
    goal = Goal(kind=kind, thing=thing.name, place=room)
    return NewObjective(text=words.format(thing=thing.name, place=place), goal=goal)


def _guard(issue: Enriched, world: World) -> str:
    """Who bars the way, if it is one of those that can be fought."""
    fought = [one.object for one in issue.hypotheses if not one.disproven]
    guard = world.get(fought[0]) if fought else None
    return guard.name if guard else ""
