"""What an episode that was told by hand leaves to the next one."""

from __future__ import annotations

import pytest

from managers.memory.distilling import distil, merge
from managers.memory.guide import Guide
from managers.memory.recalling import recall
from tests.managers.told import Told

YARD = "Yard\nA bare yard with a pump in the middle. A gate leads north.\n"
HALL = "Hall\nA cold hall. The yard is south, and stairs lead up.\n\nThere is a coin here.\n"
LOFT = "Loft\nDust and cobwebs under the rafters. The stairs lead down.\n"


@pytest.fixture
def first() -> Told:
    told = Told(YARD)
    told.say("open gate", "Opened.")
    told.say("north", HALL)
    told.say("take coin", "Taken.", score=5)
    told.say("up", LOFT, score=5)
    return told


def remembered(told: Told, run: str = "one"):
    return distil(told.knowledge, told.outlook, {}, run)


def next_command(told: Told) -> str:
    return told.candidates()[0].command


def test_the_best_trajectory_is_followed_and_then_left(first: Told) -> None:
    second = Told(YARD, recalled=recall(remembered(first)))
    for reply in ("Opened.", HALL):
        assert next_command(second) in ("open gate", "north")
        second.say(next_command(second), reply)
    assert next_command(second) == "take coin"
    second.say("take coin", "Taken.", score=5)
    assert second.knowledge.dynamics["memory"]["path"] == []


def test_a_step_that_is_refused_is_left_out(first: Told) -> None:
    second = Told(YARD, recalled=recall(remembered(first)))
    second.say("open gate", "It is already open.")
    assert next_command(second) == "north"


def test_a_trajectory_goes_on_wherever_one_comes_upon_it(first: Told) -> None:
    second = Told(HALL, recalled=recall(remembered(first)))
    path = second.knowledge.dynamics["memory"]
    assert Guide(path).next_step(second.knowledge.map["here"], {}) is None
    second.say("south", YARD)
    second.say("open gate", "Opened.")
    second.say("north", HALL)
    assert next_command(second) == "take coin"


def test_rooms_are_known_by_description_and_their_ways_are_supposed(first: Told) -> None:
    recalled = recall(remembered(first))
    assert {room["visits"] for room in recalled.knowledge.map["rooms"].values()} == {0}
    second = Told(HALL, recalled=recalled)
    assert len(second.knowledge.map["rooms"]) == 3
    loft = next(id for id, room in second.knowledge.map["rooms"].items() if room["title"] == "Loft")
    here = second.knowledge.map["here"]
    assert second.knowledge.map["edges"][here]["up"][:2] == [loft, 0]


def test_what_killed_is_feared_and_avoided(first: Told) -> None:
    first.say("climb rafters", "The beam breaks.\n\n    *** You have died ***\n")
    memory = remembered(first)
    assert [entry[:2] for entry in memory["deadly"]] == [["Loft #" + _print(), "climb rafters"]]
    assert all("climb rafters" not in str(node) for node in memory["archive"]["nodes"])
    second = Told(HALL, recalled=recall(memory))
    second.say("up", LOFT)
    assert second.situation().dangers["climb rafters"] >= 0.5


def _print() -> str:
    told = Told(LOFT)
    key = next(iter(distil(told.knowledge, told.outlook, {}, "x")["rooms"]))
    return str(key.rpartition("#")[2])


def test_a_fight_is_fought_until_nobody_is_left(first: Told) -> None:
    first.say("down", HALL.replace("There is a coin here.", "A rat is here. The rat attacks you."))
    first.say("attack rat", "The rat dies.", score=9)
    second = Told(HALL, recalled=recall(remembered(first)))
    second.knowledge = second.knowledge.with_dynamics(
        {**second.knowledge.dynamics, "memory": _at_the_rat(second)}
    )
    for _ in range(3):
        second.say("attack rat", "You miss the rat. The rat attacks you.")
        assert second.knowledge.dynamics["memory"]["path"][0][1] == "attack rat"
    second.say("attack rat", "The rat dies.", score=9)
    assert second.knowledge.dynamics["memory"]["path"] == []


def _at_the_rat(told: Told):
    memory = told.knowledge.dynamics["memory"]
    return {**memory, "path": memory["path"][-1:]}


def test_goal_and_reliability_outlive_the_episode(first: Told) -> None:
    goal = {"overall_goal": "find the crown", "goals": {"find the crown": 0.8}}
    beliefs = first.outlook.beliefs.model_copy(update=goal)
    track = {"recommendation": [10, 9, 8.0, 1.0, 40]}
    first.outlook = first.outlook._replace(beliefs=beliefs, reliability=track)
    outlook = recall(remembered(first)).outlook
    assert outlook.beliefs.overall_goal == "find the crown"
    assert outlook.reliability == {"recommendation": [10, 9, 8.0, 1.0, 0]}


def test_the_dynamics_outlive_the_episode_under_the_rooms_of_the_next_one(first: Told) -> None:
    recalled = recall(remembered(first))
    ids = {room["title"]: id for id, room in recalled.knowledge.map["rooms"].items()}
    seen = recalled.outlook.transitions["contexts"][f"{ids['Yard']}|north"]["seen"]
    assert list(seen[""]) == [f"to {ids['Hall']}"]


def test_merging_is_done_once(first: Told) -> None:
    one, two = remembered(first), remembered(first, "two")
    both = merge(one, two)
    assert both["runs"] == ["one", "two"]
    assert merge(both, two) == both
    assert merge({}, one) == one


def test_a_question_is_kept_with_its_answer_and_forgotten_with_it(first: Told) -> None:
    first.say("down", HALL, score=5)
    first.say("enter door", "Which do you mean, the oak door or the iron door?", score=5)
    first.say("oak door", "Store\nShelves and sacks. The hall is east.\n", score=5)
    commands = [step[1] for step in first.knowledge.dynamics["trail"]]
    assert commands[-2:] == ["enter door", "oak door"]
    first.say("east", HALL, score=5)
    assert [step[1] for step in first.knowledge.dynamics["trail"]] == commands[:-2]
