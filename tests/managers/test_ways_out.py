"""Getting in and out: what one wears, the dark, screens, places with no way out."""

import pytest

from tests.managers.told import Told

HALL = """Hall
You are in a long stone hall. Doors lead north and east.

You can see a sword here.
You can see a lamp here.
"""
YARD = "Yard\nA yard behind the hall. The way back is west."
SHOWER = "Carrying your possessions into the shower is a bad idea."


@pytest.fixture
def hall() -> Told:
    return Told(HALL).say("verbose", "Maximum verbosity.")


def test_what_one_wears_and_is_in_the_way_is_taken_off(hall):
    hall.say("enter shower", "You don't think the watch you're wearing is waterproof.")
    off = next(one for one in hall.options() if one.command == "take off watch")
    assert (off.kind, off.purpose.endswith("before `enter shower`")) == ("prepare", True)
    hall.say("take off watch", "You take off the gold watch.")
    assert any(one.kind == "retry" and one.command == "enter shower" for one in hall.options())


def test_what_was_dark_is_looked_at_in_the_light(hall):
    hall.say("north", "Darkness\nIt is pitch dark, and you can't see a thing.")
    hall.say("south", "Hall\nYou are in a long stone hall.").say("take lamp", "Taken.")
    assert ("north", "look") not in [one.route for one in hall.options()]
    hall.say("turn on lamp", "The lamp is now on.")
    assert ("north", "look") in [one.route for one in hall.options()]


def test_a_screen_that_waits_for_a_key_is_left_and_is_no_place(hall):
    menu = "Help\n\nN = next subject      Q = resume game\n\n  About this game"
    hall.say("read page", menu, awaiting="key")
    assert hall.knowledge.board.subjects("reply") == {"space", "q", "enter"}
    assert hall.options()[0].kind == "reply"
    assert hall.knowledge.here == "L1"
    hall.say("q", "Hall\nYou are in a long stone hall.")
    assert not hall.knowledge.board.of("reply")


def test_where_no_way_leads_out_one_does_what_one_can():
    bog = Told("Bog\nYou are up to your neck in a bog.\n")
    for way in ("north", "south", "east", "west"):
        bog.say(way, "You can't go that way.")
    assert "swim" in bog.commands()


def test_where_a_way_leads_out_nobody_swims(hall):
    hall.say("east", YARD)
    for way in ("north", "south", "east", "up"):
        hall.say(way, "You can't go that way.")
    assert "swim" not in hall.commands()


def test_the_last_untried_ways_are_tried_before_all_else_is_tinkered_with():
    yard = Told("Yard\nA yard with a wall. Paths lead north and south.\n")
    for way in ("north", "south"):
        yard.say(way, "The dog does not let you pass.")
    for way in ("east", "west", "northwest", "southwest", "up", "down"):
        yard.say(way, "You can't go that way.")
    ways = [one for one in yard.options() if one.command in ("northeast", "southeast")]
    assert min(one.probability for one in ways) > 0.1
