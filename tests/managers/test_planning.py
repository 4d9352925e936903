"""Objectives get plans, and the plans' next steps become options."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from managers.planning.goals import Goal, parse_goal
from managers.planning.objectives import Objective
from managers.planning.progress import check_objective_completion, with_plans
from tests.managers.mill import MILL, YARD
from tests.managers.told import Told


def unlocking(status: str = "active") -> Objective:
    return Objective.model_validate(
        {
            "id": "O1",
            "text": "unlock the chest in L1",
            "source": "issue",
            "status": status,
            "goal": Goal(kind="unlocked", thing="chest", place="L1"),
        }
    )


def mill_and_yard() -> Told:
    """A chest found locked, and a key that has been seen in another room and left there."""
    story = Told(MILL).say("open chest", "It seems to be locked.")
    return story.say("east", YARD).say("west", MILL)


def test_an_active_objective_has_a_plan_and_others_have_none() -> None:
    known = mill_and_yard().knowledge
    (planned,) = with_plans([unlocking()], known)
    assert [(step.command, step.room) for step in planned.plan] == [
        ("take key", "L2"),
        ("unlock chest with key", "L1"),
        ("open chest", "L1"),
    ]
    assert planned.way.startswith("take key in L2, unlock chest with key in L1")
    (done,) = with_plans([planned.model_copy(update={"status": "done"})], known)
    assert done.plan == ()


def test_the_next_step_is_an_option_for_its_objective() -> None:
    story = mill_and_yard()
    step = next(one for one in story.options((unlocking(),)) if one.kind == "fetch")
    assert (step.command, step.route, step.objective) == ("east", ("east", "take key"), "O1")
    assert "take key - unlock chest with key - open chest" in step.purpose
    assert step.value > 0
    assert [one for one in story.options() if one.kind == "fetch"] == []


def test_a_step_is_as_likely_as_the_hypothesis_it_rests_on() -> None:
    story = mill_and_yard().say("east", YARD).say("take key", "Taken.").say("west", MILL)
    step = next(
        one for one in story.options((unlocking(),)) if one.command == "unlock chest with key"
    )
    assert step.probability == story.knowledge.world_view.hypotheses()[0].confidence


def test_a_key_is_tried_because_it_is_supposed_to_fit_and_not_again_once_it_does_not() -> None:
    story = mill_and_yard().say("east", YARD).say("take key", "Taken.")
    (test,) = [one for one in story.options() if one.kind == "unlock"]
    (idea,) = story.knowledge.world_view.hypotheses()
    assert test.route == ("west", "unlock chest with key")
    assert (test.probability, idea.predicate in test.purpose) == (idea.confidence, True)
    story.say("west", MILL)
    story.say("unlock chest with key", "That doesn't seem to fit the lock.")
    assert "unlock chest with key" not in [one.command for one in story.options()]


def test_what_somebody_has_recorded_is_tested_by_whatever_name() -> None:
    story = Told(MILL + "There is a hairpin here.").say("take hairpin", "Taken.")
    story.knowledge.world_view.add_hypothesis("hairpin", "opens", "chest", 0.4, "it is thin enough")
    commands = [one.command for one in story.options() if one.kind == "unlock"]
    assert commands == ["open chest with hairpin"]


def test_a_treasure_is_deposited_whatever_it_was_called() -> None:
    story = Told(MILL + "There is a golden crown here.").say("open chest", "You open the chest.")
    story.say("take crown", "Taken.", score=5)
    story.say("put crown in chest", "You put the golden crown into the chest.", score=10)
    goal = Goal(kind="deposit", thing="golden crown", place="L1")
    wish = Objective(id="O1", text="deposit the crown", source="discovery", goal=goal)
    assert [one.id for one in check_objective_completion([wish], story.knowledge)] == ["O1"]
    story.say("take crown", "Taken.", score=10)
    assert check_objective_completion([wish], story.knowledge) == ()


def test_a_treasure_may_belong_on_the_floor() -> None:
    story = Told(MILL + "There is a golden crown here and a silver cup.")
    story.say("take crown", "Taken.", score=5).say("take cup", "Taken.", score=10)
    story.say("drop crown", "Dropped.", score=15)
    goal = Goal(kind="deposit", thing="silver cup")
    wish = Objective(id="O1", text="deposit the cup", source="discovery", goal=goal)
    assert check_objective_completion([wish], story.knowledge) == ()
    story.say("drop cup", "Dropped.", score=20)
    assert [one.id for one in check_objective_completion([wish], story.knowledge)] == ["O1"]


def test_an_objective_is_about_the_thing_in_its_place() -> None:
    lid = "\nThere is an open wooden chest here.\n"
    story = mill_and_yard().say(
        "east", YARD.replace("There is an iron key", lid + "There is a key")
    )
    assert check_objective_completion([unlocking()], story.knowledge) == ()


def done_of(texts: Sequence[str], story: Told) -> list[str]:
    """Those of an agent's wishes that are fulfilled."""
    wanted = [
        Objective(id=text, text=text, source="agent", goal=parse_goal(text)) for text in texts
    ]
    return [one.id for one in check_objective_completion(wanted, story.knowledge)]


@pytest.mark.parametrize(
    ("wish", "command", "answer"),
    [
        ("take the coal", "take coal", "You can't reach it."),
        ("take the coal", "take coal", "(first taking the coal)\nThat isn't available."),
        ("open the chest", "open chest", "It won't budge."),
    ],
)
def test_what_failed_closes_no_objective(wish: str, command: str, answer: str) -> None:
    story = Told(MILL + "There is a lump of coal here.").say(command, answer)
    assert done_of([wish], story) == []


def test_an_objective_of_several_parts_is_not_closed_by_one_of_them() -> None:
    story = Told(MILL + "There is a lump of coal here.").say("take coal", "Taken.")
    several = ["take the coal, put it in the furnace, light it", "take coal and go"]
    assert done_of(["take the coal", *several], story) == ["take the coal"]


def test_what_an_actor_wants_is_not_done_with_a_place_named_in_passing() -> None:
    story = Told("Cellar\nA bare cellar, empty but for the dust.")
    others = [
        "Explore the cave below with the lamp, and bring every treasure to L1",
        "Explore the cave below; the base is L1",
        "light the torch again (it went out in L1): find fire",
    ]
    assert done_of(["explore L1", *others], story) == ["explore L1"]
