"""Plans by backward chaining, issues with what bears on them, the puzzle graph."""

from __future__ import annotations

import networkx as nx
import pytest

from managers.planning.goals import is_satisfied
from managers.planning.issues import Issue, maybe_create_object_issue, world_issues
from managers.planning.world_model import backward_chain, can_do
from managers.world.puzzles import puzzle_graph
from tests.managers.replies import HALL, YARD, Story, jewelled_case, key_and_grate


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
    story.world.change("steel_key", at="steel_box")
    assert backward_chain("have key", story.world) == ()


def test_getting_up_and_light_come_first() -> None:
    bed = "Bedroom (in bed)\nYou are in a bedroom with a wide window.\nThere is a key here."
    story = Story().hears("", bed, "Bedroom")
    assert [s.command for s in backward_chain("have key", story.world)] == ["get up", "take key"]
    story = Story().hears("", HALL + "There is a lamp here.", "Hall")
    story.hears("take lamp", "Taken.", "Hall").hears("down", "It is pitch black.", "Cellar")
    assert [s.command for s in backward_chain("light", story.world)] == ["turn on lamp"]
    assert is_satisfied(story.world, "have lamp")
    assert not is_satisfied(story.world, "light")


def test_what_can_be_done_now() -> None:
    world = key_and_grate().world
    assert not can_do(world, "unlock grate with key")
    story = jewelled_case()
    assert can_do(story.world, "unlock case with key")
    assert not can_do(story.world, "open unicorn")
    assert not can_do(story.world, "open case")


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


def test_what_was_refused_is_no_plan_with_what_is_carried_either() -> None:
    listed = "There is a closed steel box here.\nThere is a ruby here."
    story = Story().hears("", HALL + listed, "Hall").hears("take box", "Taken.", "Hall")
    story.hears("take ruby", "Taken.", "Hall")
    plan = backward_chain("put ruby in box", story.world)
    assert [step.command for step in plan] == ["open box", "put ruby in box"]
    story.hears("open box", "You can't get it open.", "Hall")
    assert backward_chain("put ruby in box", story.world) == ()


def test_a_light_for_the_dark_is_fetched_and_lit() -> None:
    story = Story().hears("", HALL + "There is a brass lamp here.", "Hall")
    assert [step.command for step in backward_chain("burning light", story.world)] == [
        "take lamp",
        "turn on lamp",
    ]
    story.hears("take lamp", "Taken.", "Hall")
    story.hears("turn on lamp", "The brass lamp is now on.", "Hall")
    assert is_satisfied(story.world, "burning light")


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


def test_what_lies_on_something_is_found_in_its_room() -> None:
    story = Story().hears("", HALL + "There is a table here.\nThere is a brass lamp here.", "Hall")
    story.world.change("brass_lamp", at="table")
    assert [one.location for one in world_issues(story.world, story.map)] == ["L1"]


def test_troubles_become_issues() -> None:
    story = key_and_grate().hears("east", "A guard blocks your way.", "Yard")
    contents = [issue.content for issue in world_issues(story.world, story.map)]
    assert any("locked iron grate" in content for content in contents)
    assert any("the way east from L2 Yard is blocked" in content for content in contents)


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
