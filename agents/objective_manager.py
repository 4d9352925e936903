"""The rule-based objective manager: what the situation makes worth several turns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agents.answers import NewObjective, ObjectiveReview
from agents.briefing import Briefing
from agents.shown.situation import Sight, Situation
from managers.belief.beliefs import oracle_goals
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
_MOST_FOR_TOLD = 8
"""The priority of a goal from an oracle all of whose goals were reached."""


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


class RuleObjectiveManager:
    """Finds treasures and unexplored regions to care about, and has the issues evaluated.

    Args:
        every: Discovery is due at least every so many turns, and whenever a turn
            brought something new.
        issues: How many issues may become objectives at a time; 0 for none.
        enrichment: Issues are judged with what bears on them, not by themselves.
        goals: How many goals that an oracle named may be objectives; 0 for none.
    """

    def __init__(
        self, *, every: int = 10, issues: int = 4, enrichment: bool = True, goals: int = 2
    ) -> None:
        self._every = every
        self._goals = goals
        self._enrichment = enrichment
        self._issues = IssueAgent(most=issues)

    def review(self, briefing: Briefing) -> ObjectiveReview:
        if not self._due(briefing):
            return ObjectiveReview()
        return ObjectiveReview(
            discovered=(*_discovered(briefing.situation), *self._told(briefing)),
            promoted=self._promoted(briefing),
        )

    def _promoted(self, briefing: Briefing) -> tuple[NewObjective, ...]:
        issues = briefing.issues
        if not self._enrichment:
            issues = tuple(Enriched(one.issue) for one in issues)
        return self._issues.evaluate(issues, briefing.world, briefing.map)

    def _told(self, briefing: Briefing) -> Iterator[NewObjective]:
        """The goals that the oracle has named, as far as such goals have been reached."""
        for goal in oracle_goals(briefing.beliefs, briefing.reliability)[: self._goals]:
            priority = round(_MOST_FOR_TOLD * goal.weight)
            if priority and not goal.lasting:
                yield NewObjective(text=goal.text, priority=priority)

    def _due(self, briefing: Briefing) -> bool:
        extraction = briefing.extraction
        new = extraction is not None and bool(
            extraction.objects_mentioned or extraction.state_changes
        )
        return new or briefing.turn % self._every == 0


def _discovered(situation: Situation) -> Iterator[NewObjective]:
    for sight in situation.precious:
        yield from _about_precious(sight, situation.home)
    for place, ways in list(situation.unexplored.items())[:2]:
        if ways > 1:
            goal = Goal(kind="explore", place=place.partition(" ")[0])
            yield NewObjective(text=f"explore {place}", priority=3, goal=goal)


def _about_precious(sight: Sight, home: str) -> Iterator[NewObjective]:
    if sight.place == "inventory":
        if home:
            goal = Goal(kind="deposit", thing=sight.name)
            text = f"deposit the {sight.name} in {home}"
            yield NewObjective(text=text, priority=8, goal=goal)
    elif not sight.taken:
        goal = Goal(kind="have", thing=sight.name, place=sight.place.partition(" ")[0])
        text = f"take the {sight.name} from {sight.place}"
        yield NewObjective(text=text, priority=7, goal=goal)


class OwnObjectives:
    """The actor says what to be after; only what it says and what the world shows is closed."""

    def review(self, briefing: Briefing) -> ObjectiveReview:
        return ObjectiveReview()
