"""Each faculty that is switched off takes its part out of the planner."""

from __future__ import annotations

import pytest

from managers.planning.goals import Goal
from managers.planning.objectives import Objective
from managers.policy.scene import Faculties
from tests.managers.mill import MILL, YARD
from tests.managers.told import Told

LOCKED = MILL.replace("wooden chest", "wooden chest (which is locked)")
CHEST = Objective(
    id="O2",
    text="unlock the wooden chest in L1",
    source="issue",
    goal=Goal(kind="unlocked", thing="wooden chest", place="L1"),
)
LANTERN = Objective(
    id="O1",
    text="take the brass lantern from L1",
    source="agent",
    goal=Goal(kind="have", thing="brass lantern", place="L1"),
)


def told(**switched: bool) -> Told:
    """A chest found locked, and a yard with a key that has been seen and left."""
    story = Told(LOCKED, Faculties(**switched))
    story.say("open chest", "It seems to be locked.").say("east", YARD)
    return story.say("west", MILL)


def served(story: Told) -> list[str]:
    return [one.command for one in story.options((LANTERN,)) if one.objective == "O1"]


def plans(story: Told) -> list[str]:
    found = story.options((CHEST,))
    return [one.purpose for one in found if one.purpose.endswith(" - open chest")]


def elsewhere(story: Told) -> list[str]:
    return [one.room for one in story.options() if len(one.route) > 1]


def learned(story: Told) -> list[str]:
    return [*story.knowledge.rates["counts"]]


def failed(story: Told) -> list[str]:
    tried = story.situation().tried
    return [one for one, row in tried.items() if one == "open chest" and row.get("refused")]


PARTS = {
    "objectives": served,
    "chaining": plans,
    "routes": elsewhere,
    "statistics": learned,
    "failures": failed,
}


@pytest.mark.parametrize("name", PARTS)
def test_a_part_is_there_unless_it_is_switched_off(name: str) -> None:
    assert PARTS[name](told())
    assert PARTS[name](told(**{name: False})) == []


def test_without_affordances_every_verb_is_tried_on_every_noun() -> None:
    assert "climb lantern" not in told().commands()
    assert "climb lantern" in told(affordances=False).commands()
