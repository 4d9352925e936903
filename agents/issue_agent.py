"""The evaluator of issues: with all that bears on them in hand, which deserve an objective."""

from __future__ import annotations

from collections.abc import Sequence

from agents.answers import NewObjective
from managers.map import Map
from managers.world import Enriched, WorldModel

_CLEAR = 0.25
"""From which confidence on a hypothesis makes an issue more urgent."""
_WEARY = 3
"""So many failed attempts make it less urgent."""
_TEXTS = {
    "locked": "unlock the {thing} in {place}",
    "stuck": "open the {thing} in {place}",
    "closed": "open the {thing} in {place}",
    "found": "take the {thing} from {place}",
    "dark": "light {place}",
}


class IssueAgent:
    """Promotes issues to objectives: what can be worked on now, the most urgent first.

    Args:
        most: How many at a time.
    """

    def __init__(self, *, most: int = 4) -> None:
        self._most = most

    def evaluate(
        self, issues: Sequence[Enriched], world: WorldModel, map: Map
    ) -> tuple[NewObjective, ...]:
        """The objectives that the issues ask for, without those that nothing can be done about."""
        promoted = [
            NewObjective(text=text, priority=_priority(issue))
            for issue in issues
            if (text := _text(issue, world, map))
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


def _text(issue: Enriched, world: WorldModel, map: Map) -> str:
    """What is to be done, in words that the planner understands; empty for nothing."""
    about, room = issue.issue, issue.issue.location
    if room not in map.data["rooms"]:
        return ""
    place = f"{room} {map.room(room).title}".strip()
    if about.kind == "barred":
        guard = _guard(issue, world)
        return f"defeat the {guard} in {place}" if guard else ""
    if about.kind == "dark" and world.is_satisfied("burning light"):
        return ""
    thing = world.get(about.about)
    name = thing.name if thing else ""
    return _TEXTS[about.kind].format(thing=name, place=place)


def _guard(issue: Enriched, world: WorldModel) -> str:
    """Who bars the way, if it is one of those that can be fought."""
    fought = [one.object for one in issue.hypotheses if not one.disproven]
    guard = world.get(fought[0]) if fought else None
    return guard.name if guard else ""
