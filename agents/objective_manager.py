"""The rule-based objective manager: what the situation makes worth several turns."""

from __future__ import annotations

from collections.abc import Iterator

from agents.answers import Completion, NewObjective, ObjectiveReview
from agents.briefing import Briefing
from managers.goals import goal_of
from managers.situation import Sight, Situation
from managers.text.commands import parse_command

_PUTTING = frozenset({"put", "drop", "give", "throw"})


class RuleObjectiveManager:
    """Finds treasures, locked things, dark places and unexplored regions to care about.

    Args:
        every: Discovery is due at least every so many turns, and whenever a turn
            brought something new.
    """

    def __init__(self, *, every: int = 10) -> None:
        self._every = every

    def review(self, briefing: Briefing) -> ObjectiveReview:
        discovered: tuple[NewObjective, ...] = ()
        if self._due(briefing):
            discovered = tuple(_discovered(briefing.situation))
        return ObjectiveReview(discovered=discovered, completed=tuple(_completed(briefing)))

    def _due(self, briefing: Briefing) -> bool:
        extraction = briefing.extraction
        new = extraction is not None and bool(
            extraction.objects_mentioned or extraction.state_changes
        )
        return new or briefing.turn % self._every == 0


def _discovered(situation: Situation) -> Iterator[NewObjective]:
    for sight in situation.precious:
        yield from _about_precious(sight, situation.home)
    for sight in situation.locked:
        yield NewObjective(text=f"unlock the {sight.name} in {sight.place}", priority=6)
    for place in situation.dark_places:
        if not situation.lit:
            yield NewObjective(text=f"light {place}", priority=7)
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
