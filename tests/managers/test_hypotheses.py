"""What is supposed to help against what: made, confirmed, disproven, forgotten."""

from __future__ import annotations

import pytest

from managers.planning.issues import enrich_issue_context
from managers.planning.world_model import World, backward_chain
from managers.world.hypotheses import Hypothesis
from managers.world.queries import record_hypothesis
from tests.managers.replies import HALL, YARD, Story, jewelled_case, key_and_grate

NO_FIT = "That doesn't seem to fit the lock."


def about(world: World, name: str) -> list[Hypothesis]:
    found = world.resolve(name)
    assert found is not None
    return world.hypotheses_about(found.id)


def test_key_and_locked_thing_find_each_other() -> None:
    world = key_and_grate().world
    ideas = about(world, "grate")
    assert [(idea.subject, idea.predicate, idea.object) for idea in ideas] == [
        ("brass_key", "unlocks", "iron_grate")
    ]
    assert "brass key" in enrich_issue_context("locked grate in the yard", world)
    assert "iron_grate" in enrich_issue_context("brass key found - determine use", world)


def test_a_shared_material_makes_a_key_more_likely() -> None:
    story = key_and_grate()
    story.hears("wait", "Time passes.\n\nAn iron key falls to the ground.", "Yard")
    ideas = about(story.world, "grate")
    assert [idea.subject for idea in ideas] == ["iron_key", "brass_key"]


def test_a_disproven_hypothesis_is_not_tried_again() -> None:
    story = key_and_grate().hears("south", HALL, "Hall").hears("take key", "Taken.", "Hall")
    story.hears("north", YARD, "Yard").hears("unlock grate with key", NO_FIT, "Yard")
    (idea,) = about(story.world, "grate")
    assert idea.tested
    assert idea.disproven
    assert backward_chain("open grate", story.world) == ()
    story.hears("open grate", "The iron grate is locked.", "Yard")
    assert len(about(story.world, "grate")) == 1


def test_success_confirms_a_hypothesis() -> None:
    story = jewelled_case().hears("unlock case with key", "You unlock the case.", "Hall")
    (idea,) = about(story.world, "case")
    assert idea.tested
    assert idea.confidence > 0.9
    assert [s.command for s in backward_chain("get ruby", story.world)] == [
        "open case",
        "take ruby",
    ]


@pytest.mark.parametrize("reply", ["It is locked.", "It's locked.", "That seems to be locked."])
def test_a_refusal_tells_what_is_locked(reply: str) -> None:
    story = Story().hears("", HALL + "There is a tin box here.\nThere is a key here.", "Hall")
    world = story.hears("open box", reply, "Hall").world
    box = world.resolve("box")
    assert box is not None
    assert (box.is_("locked"), box.is_("open")) == (True, False)
    assert [idea.subject for idea in about(world, "box")] == ["key"]


def test_hypotheses_about_what_is_over_are_forgotten() -> None:
    story = jewelled_case()
    story.hears("wait", "A steel key falls down.\n\nThere is a steel key here.", "Hall")
    assert len(about(story.world, "case")) == 2
    story.hears("unlock case with brass key", "You unlock the case.", "Hall")
    assert [(idea.subject, idea.tested) for idea in about(story.world, "case")] == [
        ("brass_key", True)
    ]


def test_hypotheses_are_created_updated_and_removed() -> None:
    world = World(key_and_grate().world.data)
    idea = world.add_hypothesis("brass_key", "holds", "iron_grate", 0.4, "it looks alike")
    again = world.add_hypothesis("brass_key", "holds", "iron_grate", 0.6, "a note says so")
    assert (again.id, again.confidence) == (idea.id, 0.6)
    assert again.evidence == ("it looks alike", "a note says so")
    assert world.update_hypothesis(idea.id, tested=True, disproven=True).confidence == 0.0
    assert world.update_hypothesis(idea.id, confidence=0.9).confidence == 0.0
    world.remove_hypothesis(idea.id)
    assert idea.id not in {one.id for one in world.hypotheses()}
    with pytest.raises(KeyError):
        world.update_hypothesis("H99", tested=True)


@pytest.mark.parametrize("said", ["kills", "defeats", "can beat", "Slays", "harms"])
def test_a_sword_that_kills_a_thief_reaches_a_plan_in_whatever_words(said: str) -> None:
    story = Story().hears("", HALL + "There is a sword here.\nA thief is here.", "Hall")
    record_hypothesis(story.world, "sword", said, "thief", 0.8, "a song says so")
    plan = backward_chain("defeat thief", story.world)
    assert [step.command for step in plan] == ["take sword", "attack thief with sword"]
    assert plan[-1].confidence == 0.8


@pytest.mark.parametrize(
    ("said", "predicate"),
    [
        ("opens", "unlocks"),
        ("fits", "unlocks"),
        ("may unlock", "unlocks"),
        ("does not open", "does not open"),
        ("is opened by", "is opened by"),
        ("belongs to", "belongs to"),
    ],
)
def test_what_a_key_does_to_a_grate_is_said_in_many_words(said: str, predicate: str) -> None:
    world = key_and_grate().world
    known = [idea.id for idea in world.hypotheses()]
    idea = record_hypothesis(world, "key", said, "grate", 0.7, "")
    assert idea.predicate == predicate
    assert (idea.id in known) == (predicate == "unlocks")


def test_a_tool_opens_what_a_key_unlocks() -> None:
    story = Story().hears("", HALL + "There is a crowbar here.\nThere is a crate here.", "Hall")
    assert record_hypothesis(story.world, "crowbar", "pries", "crate", 0.7, "").predicate == "opens"


def test_hypotheses_are_bounded() -> None:
    world = key_and_grate().world
    for number in range(80):
        world.add_hypothesis(f"key {number}", "unlocks", "iron_grate", number / 100, "")
    assert len(world.hypotheses()) == 40
    assert world.hypotheses()[0].confidence == 0.79


def test_what_was_disproven_leaves_room_for_new_hypotheses() -> None:
    world = key_and_grate().world
    for number in range(45):
        idea = world.add_hypothesis(f"key {number}", "unlocks", "iron_grate", 0.3, "")
        world.update_hypothesis(idea.id, tested=True, disproven=True)
    new = world.add_hypothesis("hairpin", "unlocks", "iron_grate", 0.3, "")
    assert world.hypothesis(new.id) == new
