"""Hypotheses, plans by backward chaining, issues with what bears on them, the puzzle graph."""

from __future__ import annotations

import networkx as nx
import pytest

from managers.world import (
    Issue,
    WorldModel,
    backward_chain,
    enrich_issue_context,
    maybe_create_object_issue,
    puzzle_graph,
    world_issues,
)
from managers.world.queries import (
    get_failed_actions_at,
    get_hypotheses_about,
    get_object_state,
    get_objects_at_location,
    get_objects_with_property,
    record_hypothesis,
    update_hypothesis,
    where_is_object,
)
from tests.managers.replies import Story

HALL = "Hall\nYou are in a long hall with a marble floor. Doors lead north and east.\n"
YARD = "Yard\nThis is a cobbled yard behind the house, open to the sky. The hall is south.\n"
NO_FIT = "That doesn't seem to fit the lock."


def key_and_grate() -> Story:
    """A brass key in the hall; a locked grate in the yard."""
    story = Story().hears("", HALL + "There is a brass key here.", "Hall")
    story.hears("north", YARD + "An iron grate is set in the ground here.", "Yard")
    return story.hears("open grate", "The iron grate is locked.", "Yard")


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
    ideas = get_hypotheses_about(world, "grate")
    assert [(idea.subject, idea.predicate, idea.object) for idea in ideas] == [
        ("brass_key", "unlocks", "iron_grate")
    ]
    assert "brass key" in enrich_issue_context("locked grate in the yard", world)
    assert "iron_grate" in enrich_issue_context("brass key found - determine use", world)


def test_a_shared_material_makes_a_key_more_likely() -> None:
    story = key_and_grate()
    story.hears("wait", "Time passes.\n\nAn iron key falls to the ground.", "Yard")
    ideas = get_hypotheses_about(story.world, "grate")
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
    (idea,) = get_hypotheses_about(story.world, "grate")
    assert idea.tested
    assert idea.disproven
    assert backward_chain("open grate", story.world) == ()
    story.hears("open grate", "The iron grate is locked.", "Yard")
    assert len(get_hypotheses_about(story.world, "grate")) == 1


def test_success_confirms_a_hypothesis() -> None:
    story = jewelled_case().hears("unlock case with key", "You unlock the case.", "Hall")
    (idea,) = get_hypotheses_about(story.world, "case")
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
    )
    assert maybe_create_object_issue(pebble, 7) is None


def test_troubles_become_issues() -> None:
    story = key_and_grate().hears("east", "A guard blocks your way.", "Yard")
    contents = [issue.content for issue in world_issues(story.world, story.map)]
    assert any("locked iron grate" in content for content in contents)
    assert any("the way east from L2 Yard is blocked" in content for content in contents)


def test_queries() -> None:
    world = key_and_grate().world
    assert get_objects_at_location(world, "L1") == ["brass key"]
    assert where_is_object(world, "brass key") == "L1"
    assert where_is_object(world, "unicorn") == "unknown"
    assert get_object_state(world, "grate")["locked"] is True
    assert get_object_state(world, "unicorn") == {}
    assert get_objects_with_property(world, "key-like") == ["brass key"]
    assert [one.command for one in get_failed_actions_at(world, "L2")] == ["open grate"]


def test_hypotheses_are_created_updated_and_removed() -> None:
    world = WorldModel.from_state(key_and_grate().world.data)
    idea = record_hypothesis(world, "brass key", "opens", "grate", 0.4, "it looks alike")
    assert (idea.subject, idea.object, idea.evidence) == (
        "brass_key",
        "iron_grate",
        ("it looks alike",),
    )
    again = record_hypothesis(world, "key", "opens", "grate", 0.6, "a note says so")
    assert again.id == idea.id
    assert again.confidence == 0.6
    assert update_hypothesis(world, idea.id, True, True, 0.9).confidence == 0.0
    world.remove_hypothesis(idea.id)
    assert idea.id not in {one.id for one in world.hypotheses()}
    with pytest.raises(KeyError):
        update_hypothesis(world, "H99", True, False, 0.5)


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
