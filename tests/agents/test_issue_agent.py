"""Issues, with what bears on them, become objectives."""

from __future__ import annotations

import pytest

from agents.answers import NewObjective
from agents.objective_manager import IssueAgent, RuleObjectiveManager
from managers.planning.goals import Goal
from managers.planning.issues import open_issues
from tests.briefings import briefing
from tests.managers.replies import Story

HALL = "Hall\nYou are in a long hall with a marble floor. Doors lead north and east.\n"
YARD = "Yard\nThis is a cobbled yard behind the house, open to the sky. The hall is south.\n"


def promoted(story: Story, most: int = 4) -> list[tuple[str, int]]:
    issues = open_issues(story.world, story.map)
    found = IssueAgent(most=most).evaluate(issues, story.world, story.map)
    assert all(isinstance(one, NewObjective) for one in found)
    return [(one.text, one.priority) for one in found]


def yard_with_grate() -> Story:
    story = Story().hears("", HALL, "Hall")
    story.hears("north", YARD + "An iron grate is set in the ground here.", "Yard")
    return story.hears("open grate", "It is locked.", "Yard")


def test_a_key_makes_a_lock_more_urgent() -> None:
    story = yard_with_grate()
    assert promoted(story) == [("unlock the iron grate in L2 Yard", 6)]
    story.hears("wait", "Time passes.\n\nAn iron key falls to the ground.", "Yard")
    assert promoted(story) == [
        ("unlock the iron grate in L2 Yard", 7),
        ("take the iron key from L2 Yard", 5),
    ]
    assert len(promoted(story, most=1)) == 1
    assert promoted(story, most=0) == []


def test_attempts_in_vain_make_it_less_urgent() -> None:
    story = yard_with_grate()
    for verb in ("push", "pull", "kick"):
        story.hears(f"{verb} grate", "You can't do that.", "Yard")
    assert promoted(story) == [("unlock the iron grate in L2 Yard", 4)]


def test_darkness_asks_for_light_until_one_burns() -> None:
    hall = HALL + "There is a brass lamp here."
    story = Story().hears("", hall, "Hall")
    story.hears("north", "It is pitch black. You can't see a thing.").hears("south", hall, "Hall")
    assert ("light L2", 7) in promoted(story)
    story.hears("take lamp", "Taken.", "Hall")
    story.hears("turn on lamp", "The brass lamp is now on.", "Hall")
    assert promoted(story) == []


def test_a_guard_is_to_be_defeated_once_there_is_a_weapon() -> None:
    story = Story().hears("", YARD + "A guard stands here.\nThere is a sword here.", "Yard")
    story.hears("south", "The guard blocks your way.", "Yard")
    assert ("defeat the guard in L1 Yard", 6) in promoted(story)


@pytest.mark.parametrize(("enrichment", "priority"), [(True, 7), (False, 6)])
def test_the_manager_may_judge_issues_by_themselves(enrichment: bool, priority: int) -> None:
    story = yard_with_grate()
    story.hears("wait", "Time passes.\n\nAn iron key falls to the ground.", "Yard")
    issues = open_issues(story.world, story.map)
    due = briefing(issues=issues, world=story.world, map=story.map, turn=10)
    review = RuleObjectiveManager(enrichment=enrichment).review(due)
    assert review.promoted[0] == NewObjective(
        text="unlock the iron grate in L2 Yard",
        priority=priority,
        goal=Goal(kind="unlocked", thing="iron grate", place="L2"),
    )
