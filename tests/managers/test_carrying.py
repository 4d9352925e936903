"""What is carried: room for what is better, and narrow ways."""

import pytest

from agents.critic import RuleCritic
from tests.managers.told import Told

HALL = """Hall
You are in a long stone hall. Doors lead north and east.

You can see a sword here.
You can see a lamp here.
"""
NARROW = "You can't get through there with what you're carrying."
TOO_HEAVY = "Your load is too heavy."


@pytest.fixture
def hall() -> Told:
    return Told(HALL).say("verbose", "Maximum verbosity.")


def squeezing(told: Told) -> list[str]:
    return [one.command for one in told.options() if one.kind == "squeeze"]


def test_a_narrow_way_is_tried_again_without_the_rest(hall):
    hall.say("take sword", "Taken.").say("take lamp", "Taken.")
    hall.say("north", "You can't get through there with what you're carrying.")
    assert hall.knowledge.board.subjects("narrow", "L1") == {"north"}
    assert squeezing(hall) == ["drop sword"]
    hall.say("drop sword", "Dropped.")
    assert squeezing(hall) == []
    assert "north" in hall.commands()[:3], "it was refused for what is put down now"


def test_the_more_has_to_be_put_down_the_less_a_narrow_way_is_worth():
    def worth(*carried: str) -> float:
        hall = Told(HALL + "You can see a rope here.\n")
        for thing in (*carried, "lamp"):
            hall.say(f"take {thing}", "Taken.")
        hall.say("north", NARROW)
        return next(one.value for one in hall.options() if one.kind == "squeeze")

    assert worth("sword", "rope") < 0.8 * worth("sword")


def test_what_is_carried_is_looked_at_where_a_narrow_way_stays_shut(hall):
    hall.say("take lamp", "Taken.")
    hall.say("north", "You can't get through there with what you're carrying.")
    assert sorted(squeezing(hall)) == ["inventory", "north"]
    hall.say("inventory", "You are carrying:\n  a lamp\n  a feather")
    assert squeezing(hall) == ["drop feather"]


def test_a_treasure_too_is_put_down_where_it_alone_is_too_much():
    hall = Told(HALL + "You can see a golden crown here.\n").say("take crown", "Taken.")
    hall.say("take sword", "Taken.").say("north", NARROW)
    assert squeezing(hall) == ["drop sword"]
    hall.say("drop sword", "Dropped.")
    assert squeezing(hall) == ["north"]
    hall.say("north", NARROW).say("inventory", "You are carrying:\n  a golden crown")
    assert squeezing(hall) == ["drop crown"]


def test_what_one_wears_stays_on(hall):
    hall.say("inventory", "You are carrying:\n  a letter\n  a hat (being worn)")
    hall.say("north", NARROW)
    assert squeezing(hall) == ["drop letter"]


def test_room_is_made_for_what_is_too_much_to_carry():
    hall = Told(HALL + "You can see a golden crown here.\nYou can see a letter here.\n")
    hall.say("take lamp", "Taken.").say("take letter", "Taken.").say("take sword", "Taken.")
    hall.say("take crown", TOO_HEAVY)
    dropping = [one for one in hall.options() if one.command.startswith("drop ")]
    assert [one.command for one in dropping] == ["drop letter"]
    assert "be able to take the golden crown" in dropping[0].purpose
    hall.say("drop letter", "Dropped.")
    assert hall.commands()[0] == "take crown"
    assert "take letter" not in hall.commands()


def test_for_something_precious_all_is_put_down_but_lights_and_treasures():
    hall = Told(HALL + "You can see a golden crown here.\nYou can see a letter here.\n")
    hall.say("take lamp", "Taken.").say("take letter", "Taken.").say("take sword", "Taken.")
    for thing in ("letter", "sword"):
        hall.say("take crown", TOO_HEAVY)
        assert hall.commands()[0] == f"drop {thing}"
        hall.say(f"drop {thing}", "Dropped.")
        assert hall.commands()[0] == "take crown"
    hall.say("take crown", TOO_HEAVY)
    assert "drop lamp" not in hall.commands()


def test_what_is_useful_is_not_put_down_for_what_is_not_precious():
    hall = Told(HALL + "You can see a sack here.\n").say("take sword", "Taken.")
    hall.say("take sack", TOO_HEAVY)
    assert "drop sword" not in hall.commands()


def test_what_was_too_heavy_is_as_good_as_new_each_time_something_was_put_down():
    hall = Told(HALL + "You can see a golden crown here.\nYou can see a letter here.\n")
    hall.say("take letter", "Taken.").say("take sword", "Taken.")
    for thing in ("letter", "sword"):
        hall.say("take crown", TOO_HEAVY).say(f"drop {thing}", "Dropped.")
        again = next(one for one in hall.options() if one.kind == "retry")
        assert "repetition" not in again.terms


def test_nobody_objects_to_what_was_refused_before_something_was_put_down(hall):
    hall.say("take sword", "Taken.").say("north", NARROW).say("look", HALL)
    assert not RuleCritic().judge(hall.proposing("north")).accept
    hall.say("drop sword", "Dropped.")
    assert RuleCritic().judge(hall.proposing("north")).accept


def test_what_was_put_down_for_a_narrow_way_is_left_until_one_is_through(hall):
    hall.say("take sword", "Taken.").say("north", NARROW).say("drop sword", "Dropped.")
    assert "take sword" not in hall.commands()
    hall.say("north", "Cave\nYou are in a small cave. The hall is south.").say("south", HALL)
    assert "take sword" in hall.commands()


def test_what_was_put_down_for_another_reason_is_left():
    told = HALL + "You can see a letter here.\n"
    hall = Told(told).say("take letter", "Taken.").say("drop letter", "Dropped.")
    hall.say("east", "Yard\nA yard behind the hall. The way back is west.").say("west", told)
    assert "take letter" not in hall.commands()


def test_nobody_is_asked_to_take_what_is_where_it_belongs():
    hall = Told(
        HALL + "There is a chest here. There is a golden crown here.\n",
    )
    hall.say("take crown", "Taken.", score=5).say("put crown in chest", "Done.", score=10)
    hall.say("lean on crown", "You don't have the crown.", score=10)
    assert "take crown" not in hall.commands()


def test_a_way_that_led_to_a_death_is_gone_again(hall):
    hall.say("north", "A troll kills you. *** You have died ***\n\nForest\nThis is a forest.")
    hall.say("east", HALL)
    again = next(one for one in hall.options() if one.route == ("north",))
    assert again.terms["repetition"] > 0.3
    assert again.terms["safety"] == 0.5


def test_what_could_not_be_put_down_is_wanted_as_before():
    hall = Told(HALL + "You can see a letter here.\n")
    hall.say("drop letter", "You are not holding that.")
    assert "take letter" in hall.commands()


def test_what_is_where_it_belongs_is_wanted_elsewhere():
    hall = Told(HALL + "There is a chest here. There is a golden crown here.\n")
    hall.say("open chest", "You open the chest.").say("take crown", "Taken.", score=5)
    hall.say("put crown in chest", "You put the crown into the chest.", score=10)
    assert "take crown" not in hall.commands()
    hall.say("east", "Yard\nA yard. West is the hall.\n\nThere is an iron crown here.")
    assert "take crown" in hall.commands()
