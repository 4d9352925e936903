"""The rule-based objective manager: what the situation makes worth several turns."""

from __future__ import annotations

from collections.abc import Iterator

from agents.answers import NewObjective, ObjectiveReview
from agents.briefing import Briefing
from agents.issue_agent import IssueAgent
from agents.shown.situation import Sight, Situation
from managers.belief.beliefs import oracle_goals
from managers.planning.goals import Goal
from managers.planning.issues import Enriched

_MOST_FOR_TOLD = 8
"""The priority of a goal from an oracle all of whose goals were reached."""


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
