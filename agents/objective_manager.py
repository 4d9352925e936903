"""The rule-based objective manager: what the situation makes worth several turns."""

from __future__ import annotations

from collections.abc import Iterator

from agents.answers import Completion, NewObjective, ObjectiveReview
from agents.briefing import Briefing
from agents.issue_agent import IssueAgent
from managers.goals import goal_of
from managers.situation import Sight, Situation
from managers.text.commands import parse_command
from managers.world import Enriched

_PUTTING = frozenset({"put", "drop", "give", "throw"})


class RuleObjectiveManager:
    """Finds treasures and unexplored regions to care about, and has the issues evaluated.

    Args:
        every: Discovery is due at least every so many turns, and whenever a turn
            brought something new.
        issues: How many issues may become objectives at a time; 0 for none.
        enrichment: Issues are judged with what bears on them, not by themselves.
    """

    def __init__(self, *, every: int = 10, issues: int = 4, enrichment: bool = True) -> None:
        self._every = every
        self._enrichment = enrichment
        self._issues = IssueAgent(most=issues)

    def review(self, briefing: Briefing) -> ObjectiveReview:
        completed = tuple(_completed(briefing))
        if not self._due(briefing):
            return ObjectiveReview(completed=completed)
        return ObjectiveReview(
            discovered=tuple(_discovered(briefing.situation)),
            promoted=self._promoted(briefing),
            completed=completed,
        )

    def _promoted(self, briefing: Briefing) -> tuple[NewObjective, ...]:
        issues = briefing.issues
        if not self._enrichment:
            issues = tuple(Enriched(one.issue) for one in issues)
        return self._issues.evaluate(issues, briefing.world, briefing.map)

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
            yield NewObjective(text=f"explore {place}", priority=3)


def _about_precious(sight: Sight, home: str) -> Iterator[NewObjective]:
    if sight.place == "inventory":
        if home:
            yield NewObjective(text=f"deposit the {sight.name} in {home}", priority=8)
    elif not sight.taken:
        yield NewObjective(text=f"take the {sight.name} from {sight.place}", priority=7)


def _completed(briefing: Briefing) -> Iterator[Completion]:
    """A treasure that was just put down where it belongs."""
    command = parse_command(briefing.command)
    if command.verb not in _PUTTING or not command.object:
        return
    for objective in briefing.objectives:
        goal = goal_of(objective.text)
        if objective.status != "active" or goal.aim != "deposit":
            continue
        if goal.noun == command.object and goal.noun not in briefing.situation.inventory:
            yield Completion(id=objective.id, evidence=f"`{briefing.command}` put it there")
