"""What a text tells to do is read in its order, followed step by step, and done once."""

from __future__ import annotations

from managers.language.cues import orders_in
from tests.managers.told import Told

SAID = {
    "First of all, try to travel east. Then, make an effort to go to the north. After that, take "
    "a trip south and pick up the coin from the floor.": [
        "go east",
        "go north",
        "go south",
        "take coin",
    ],
    "There is no reason to be in here. Go south.": [],
    "Ensure that the trunk in the attic is wide open.": ["open trunk"],
    "Make it so that the oak door is unlocked with the old key.": ["unlock oak door with old key"],
    "With the old key, unlock the oak door.": ["unlock oak door with old key"],
    "And then, rest the apple on the stove within the kitchen.": ["put apple on stove"],
    "Check the almanac in the study for the tide. Once done, enjoy your tea!": [
        "check almanac",
        "enjoy tea",
    ],
    "Directions:\n  slice the carrot\n  roast the carrot\n  prepare meal\n": [
        "slice carrot",
        "roast carrot",
        "prepare meal",
    ],
    "You'll have to open the door first.": [],
    "Why not try going east?": [],
    "Up there you could get back down. Look tasty, watch out, take care!": [],
    "After opening the box, the guard laughs at you.": [],
    "Take out the eggs. Look under the rug. Look at the sign.": [
        "take eggs",
        "look under rug",
        "examine sign",
    ],
    "Make sure that the | bar is open.": [],
}
KITCHEN = """Kitchen
A square room.

There is a closed fridge here. There is an oven here. There is a stove here.
There is a knife here. There is a carrot here. There is a leaflet here.
"""
RECIPE = "Directions:\n  slice the carrot\n  fry the carrot\n  dice the onion\n  prepare meal\n"


def test_orders_are_read_in_what_texts_say() -> None:
    read = {text: [" ".join(filter(None, one)) for one in orders_in(text)] for text in SAID}
    assert read == SAID


def best(told: Told) -> str:
    """The last command of the best option."""
    return told.commands()[0]


def test_a_recipe_is_followed_with_what_serves_each_verb() -> None:
    kitchen = Told(KITCHEN).say("read leaflet", RECIPE)
    done = []
    for reply in (
        "Taken.",
        "Taken.",
        "You slice the carrot.",
        "That's not a verb I recognise.",
        "You fry the carrot.",
        "You open the fridge, revealing an onion.",
        "You take the onion.",
        "You dice the onion.",
        "The meal is ready.",
    ):
        done.append(best(kitchen))
        kitchen.say(done[-1], reply)
    assert done == [
        "take carrot",
        "take knife",
        "slice carrot with knife",
        "fry carrot with stove",
        "cook carrot with stove",
        "open fridge",
        "take onion",
        "dice onion with knife",
        "prepare meal",
    ]


def test_what_is_read_again_is_not_done_again() -> None:
    kitchen = Told(KITCHEN).say("read leaflet", "Then open the fridge.")
    assert best(kitchen) == "open fridge"
    kitchen.say("open fridge", "You open the fridge.").say("read leaflet", "Then open the fridge.")
    assert "open fridge" not in kitchen.commands()


def test_directions_lead_on_from_where_the_last_one_led() -> None:
    hall = Told(
        "Go east. Then go north and wear the hat.\n\nHall\nA hall. Exits lead east and up.\n"
    )
    assert best(hall) == "east"
    hall.say("up", "Loft\nA loft. An exit leads down.\n").say("down", "Hall\nA hall.\n")
    assert best(hall) == "east"
    hall.say("east", "Yard\nA yard. Exits lead north and west.\n")
    assert best(hall) == "north"


def test_what_is_not_where_the_directions_lead_is_given_up() -> None:
    hall = Told("Go east, go north, take the orb, and open the box.\n\nHall\nA hall.\n")
    hall.say("east", "Yard\nA yard.\n").say("north", "Den\nA den. There is a closed box here.\n")
    assert {"take orb", "open box"} == set(hall.commands()[:2])
    hall.say("take orb", "You can't see any such thing.")
    assert best(hall) == "open box"
    assert "take orb" not in hall.commands()


def test_what_one_carries_is_asked_for_once_whatever_the_answer_looks_like() -> None:
    kitchen = Told(KITCHEN).say("read leaflet", RECIPE.replace("carrot", "turnip"))
    assert "inventory" in kitchen.commands()
    kitchen.say("inventory", "Held carefully between your teeth is a duck.")
    assert [
        one for one in kitchen.options() if one.kind == "order" and one.goal == "inventory"
    ] == []


def test_what_is_told_outlives_a_command_that_is_taken_back() -> None:
    kitchen = Told(KITCHEN).say("read leaflet", "Then open the fridge.")
    kitchen.say("", "[`wait` is taken back.]")
    assert best(kitchen) == "open fridge"
