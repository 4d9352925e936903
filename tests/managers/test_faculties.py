"""Each part of the mind that is switched off takes what it does out of the planner."""

from __future__ import annotations

import pytest

from managers.core.scene import Mind
from managers.core.skill import Skills
from managers.planning.goals import Goal
from managers.planning.objectives import Objective
from managers.skills.plans import PlansSkill
from managers.skills.things import ThingsSkill
from tests.managers.mill import MILL, YARD
from tests.managers.told import Told, with_skill, without

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


def told(mind: Mind | None = None, skills: Skills | None = None) -> Told:
    """A chest found locked, and a yard with a key that has been seen and left."""
    story = Told(LOCKED, mind or Mind(), skills=skills)
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


UNCHAINED = with_skill("plans", PlansSkill(chaining=False))
PARTS = {"routes": elsewhere, "statistics": learned, "failures": failed}


@pytest.mark.parametrize("name", PARTS)
def test_a_part_is_there_unless_it_is_switched_off(name: str) -> None:
    assert PARTS[name](told())
    assert PARTS[name](told(Mind(**{name: False}))) == []


@pytest.mark.parametrize("skills", [without("plans"), UNCHAINED])
def test_steps_of_plans_are_offered_unless_that_is_switched_off(skills: Skills) -> None:
    assert plans(told())
    assert served(told())
    assert plans(told(skills=skills)) == []


def test_without_affordances_every_verb_is_tried_on_every_noun() -> None:
    assert "climb lantern" not in told().commands()
    blind = with_skill("things", ThingsSkill(affordances=False))
    assert "climb lantern" in told(skills=blind).commands()
