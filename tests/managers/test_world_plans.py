"""Hypotheses, plans by backward chaining, issues with what bears on them, the puzzle graph."""

from __future__ import annotations

import networkx as nx
import pytest

from managers.planning.chaining import backward_chain
from managers.planning.enrichment import enrich_issue_context
from managers.planning.world_model import WorldModel
from managers.world.hypotheses import Hypothesis
from managers.world.issues import Issue, maybe_create_object_issue, world_issues
from managers.world.puzzles import puzzle_graph
from managers.world.queries import record_hypothesis
from tests.managers.replies import Story

HALL = "Hall\nYou are in a long hall with a marble floor. Doors lead north and east.\n"
YARD = "Yard\nThis is a cobbled yard behind the house, open to the sky. The hall is south.\n"
NO_FIT = "That doesn't seem to fit the lock."


def key_and_grate() -> Story:
    """A brass key in the hall; a locked grate in the yard."""
    story = Story().hears("", HALL + "There is a brass key here.", "Hall")
    story.hears("north", YARD + "An iron grate is set in the ground here.", "Yard")
    return story.hears("open grate", "The iron grate is locked.", "Yard")


def about(world: WorldModel, name: str) -> list[Hypothesis]:
    found = world.resolve(name)
    assert found is not None
    return world.hypotheses_about(found.id)


def jewelled_case() -> Story:
    """A ruby in a locked case, and the brass key in the hand."""
    story = Story().hears(
        "", HALL + "There is a jewelled case here.\nThere is a brass key here.", "Hall"
    )
    story.hears("examine case", "In the jewelled case is a ruby.\nThe case is locked.", "Hall")
    story.hears("open case", "The jewelled case is closed.", "Hall")
    return story.hears("take key", "Taken.", "Hall")


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


def test_the_jewelled_case_is_planned_backwards() -> None:
    plan = backward_chain("get ruby", jewelled_case().world)
    assert [step.command for step in plan] == [
        "unlock case with key",
        "open case",
        "take ruby",
    ]
    assert plan[0].hypothesis
    assert all(0 < step.confidence <= 1 and step.room == "L1" for step in plan)


def test_a_plan_fetches_what_it_needs() -> None:
    plan = backward_chain("open grate", key_and_grate().world)
    assert [(step.command, step.room) for step in plan] == [
        ("take key", "L1"),
        ("unlock grate with key", "L2"),
        ("open grate", "L2"),
    ]


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


@pytest.mark.parametrize(
    ("goal", "plan"),
    [
        ("have key", ["take key"]),
        ("have L1", []),
        ("at L2", [""]),
        ("get unicorn", []),
        ("put key in ruby", ["take key", "put key in ruby"]),
        ("standing", []),
        ("light", []),
    ],
)
def test_other_goals(goal: str, plan: list[str]) -> None:
    story = Story().hears("", HALL + "There is a brass key here.\nThere is a ruby here.", "Hall")
    assert [step.command for step in backward_chain(goal, story.world)] == plan


def test_a_goal_that_waits_for_itself_has_no_plan() -> None:
    story = Story().hears(
        "", HALL + "There is a steel box here.\nThere is a steel key here.", "Hall"
    )
    story.hears("open box", "The steel box is locked.", "Hall")
    story.world.store.change("steel_key", at="steel_box")
    assert backward_chain("have key", story.world) == ()


def test_getting_up_and_light_come_first() -> None:
    bed = "Bedroom (in bed)\nYou are in a bedroom with a wide window.\nThere is a key here."
    story = Story().hears("", bed, "Bedroom")
    assert [s.command for s in backward_chain("have key", story.world)] == ["get up", "take key"]
    story = Story().hears("", HALL + "There is a lamp here.", "Hall")
    story.hears("take lamp", "Taken.", "Hall").hears("down", "It is pitch black.", "Cellar")
    assert [s.command for s in backward_chain("light", story.world)] == ["turn on lamp"]
    assert story.world.is_satisfied("have lamp")
    assert not story.world.is_satisfied("light")


def test_what_can_be_done_now() -> None:
    world = key_and_grate().world
    assert not world.can_do("unlock grate with key")
    story = jewelled_case()
    assert story.world.can_do("unlock case with key")
    assert not story.world.can_do("open unicorn")
    assert not story.world.can_do("open case")


@pytest.mark.parametrize("reply", ["It is locked.", "It's locked.", "That seems to be locked."])
def test_a_refusal_tells_what_is_locked(reply: str) -> None:
    story = Story().hears("", HALL + "There is a tin box here.\nThere is a key here.", "Hall")
    world = story.hears("open box", reply, "Hall").world
    box = world.resolve("box")
    assert box is not None
    assert (box.is_("locked"), box.is_("open")) == (True, False)
    assert [idea.subject for idea in about(world, "box")] == ["key"]


def test_what_is_stuck_asks_for_a_tool() -> None:
    story = Story().hears(
        "", HALL + "There is a pine crate here.\nThere is a crowbar here.", "Hall"
    )
    story.hears("open crate", "You need something to pry it open with.", "Hall")
    plan = backward_chain("open crate", story.world)
    assert [step.command for step in plan] == ["take crowbar", "open crate with crowbar"]


def test_without_a_key_what_is_closed_is_searched_for_one() -> None:
    story = Story().hears("", HALL + "There is a closed tin box here.", "Hall")
    story.hears("open door", "The oak door is locked.", "Hall")
    plan = backward_chain("open door", story.world)
    assert plan[0].command == "open box"
    assert plan[0].confidence < 0.2


def test_what_was_seen_long_ago_is_less_sure() -> None:
    story = key_and_grate()
    fresh = backward_chain("have key", story.world)
    for _ in range(80):
        story.hears("wait", "Time passes.", "Yard")
    stale = backward_chain("have key", story.world)
    assert [step.command for step in stale] == [step.command for step in fresh]
    assert stale[-1].confidence < fresh[-1].confidence


def test_what_was_refused_is_no_plan() -> None:
    story = Story().hears("", HALL + "There is a brass lamp here.", "Hall")
    assert backward_chain("have lamp", story.world) != ()
    story.hears("take brass lamp", "That's fixed in place.", "Hall")
    assert backward_chain("have lamp", story.world) == ()


def test_a_light_for_the_dark_is_fetched_and_lit() -> None:
    story = Story().hears("", HALL + "There is a brass lamp here.", "Hall")
    assert [step.command for step in backward_chain("burning light", story.world)] == [
        "take lamp",
        "turn on lamp",
    ]
    story.hears("take lamp", "Taken.", "Hall")
    story.hears("turn on lamp", "The brass lamp is now on.", "Hall")
    assert story.world.is_satisfied("burning light")


def test_hypotheses_about_what_is_over_are_forgotten() -> None:
    story = jewelled_case()
    story.hears("wait", "A steel key falls down.\n\nThere is a steel key here.", "Hall")
    assert len(about(story.world, "case")) == 2
    story.hears("unlock case with brass key", "You unlock the case.", "Hall")
    assert [(idea.subject, idea.tested) for idea in about(story.world, "case")] == [
        ("brass_key", True)
    ]


def test_significant_things_become_issues_and_ordinary_ones_do_not() -> None:
    story = Story().hears("", HALL + "There is a brass key here.\nThere is a pebble here.", "Hall")
    key, pebble = (story.world.get(id) for id in ("brass_key", "pebble"))
    assert key is not None
    assert pebble is not None
    issue = maybe_create_object_issue(key, 7)
    assert issue == Issue(
        content="brass key found at L1 - determine use",
        importance=600,
        turn_number=7,
        location="L1",
        about="brass_key",
    )
    assert maybe_create_object_issue(pebble, 7) is None


def test_a_bottle_is_worth_a_thought_and_a_trunk_is_not() -> None:
    story = Story().hears("", HALL + "There is a bottle here.\nThere is a trunk here.", "Hall")
    assert [one.about for one in world_issues(story.world, story.map)] == ["bottle"]


def test_troubles_become_issues() -> None:
    story = key_and_grate().hears("east", "A guard blocks your way.", "Yard")
    contents = [issue.content for issue in world_issues(story.world, story.map)]
    assert any("locked iron grate" in content for content in contents)
    assert any("the way east from L2 Yard is blocked" in content for content in contents)


def test_hypotheses_are_created_updated_and_removed() -> None:
    world = WorldModel.from_state(key_and_grate().world.data)
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


def test_the_puzzle_graph_shows_what_needed_what() -> None:
    story = Story().hears("", HALL + "There is a tin box here.", "Hall")
    story.hears("open box", "Opening the tin box reveals a key.", "Hall")
    story.hears("take key", "Taken.", "Hall")
    story.hears("unlock door with key", "You unlock the oak door.", "Hall")
    story.hears("open door", "You open the oak door.", "Hall").hears("north", YARD, "Yard")
    graph = puzzle_graph(story.world, story.map)
    assert graph.has_edge("key", "tin_box")
    assert graph.has_edge("oak_door", "key")
    assert graph.has_edge("L2", "oak_door")
    assert nx.has_path(graph, "L2", "tin_box")
    assert graph.nodes["L2"]["name"] == "Yard"
