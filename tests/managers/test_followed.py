"""What a later episode makes of an earlier one while it plays."""

from __future__ import annotations

from tests.managers.earlier import HALL, LOFT, YARD, again, remembered
from tests.managers.told import Told


def test_a_room_of_an_earlier_episode_is_known_by_what_is_said_on_the_first_visit() -> None:
    """Though the game has turned out to describe each room once, and short texts make no twins."""

    def walked(told: Told) -> Told:
        for way, reply in (("north", "Hall"), ("south", "Yard")) * 3:
            told.say(way, reply)
        return told

    first = Told(YARD).say("north", HALL).say("up", LOFT).say("down", "Hall").say("south", "Yard")
    second = again(walked(first))
    walked(second.say("north", HALL).say("south", "Yard")).say("north", "Hall").say("up", LOFT)
    assert second.knowledge.map["style"][0] > 2
    assert len(second.knowledge.map["rooms"]) == 3


def test_what_was_taken_for_points_is_taken_again_once_less_is_carried(first: Told) -> None:
    first.say("take gribble", "Taken.", score=9)
    second = again(first, f"{LOFT}\nThere is a gribble here.\n").say("take sword", "Taken.")
    for _ in range(5):
        second.say("take gribble", "Your load is too heavy.")
    assert second.commands()[0] != "take gribble"
    second.say("drop sword", "Dropped.")
    assert second.commands()[0] == "take gribble"


def kinds_of(told: Told, command: str) -> set[str]:
    return {one.kind for one in told.options() if one.route[-1] == command}


def test_what_was_put_down_for_something_better_is_left(first: Told) -> None:
    first.say("take gribble", "Taken.", score=9)
    second = again(first, f"{LOFT}\nThere is a gribble here.\n").say("take sword", "Taken.")
    second.say("take gribble", "Your load is too heavy.").say("drop sword", "Dropped.")
    assert "take gribble" in second.commands()
    assert "take sword" not in second.commands()


def test_a_way_that_earlier_episodes_lost_in_a_maze_is_worth_less() -> None:
    maze = "Maze\nTwisty passages.\n"
    first = Told(YARD).say("open gate", "Opened.").say("north", maze).say("north", maze)
    second = again(first)
    fresh = next(one for one in Told(YARD).options() if one.command == "north")
    known = next(one for one in second.options() if one.command == "north")
    assert known.value < fresh.value / 2


def test_what_a_lid_stood_in_the_way_of_was_not_tried_in_vain(first: Told) -> None:
    first.say("put coin in case", "The case isn't open.", score=5)
    first.say("push crate", "Nothing happens.", score=5)
    tried = {
        command: counts
        for rows in remembered(first)["lessons"]["tried"].values()
        for command, counts in rows.items()
    }
    assert tried["push crate"][0] == 1
    assert "put coin in case" not in tried
