"""What makes a phrase the name of a thing, and what was taken."""

from __future__ import annotations

import pytest

from tests.managers.told import Told

PLACE = "Old Road\nYou are on a road through fields that nobody has tended for years."


def names(reply: str) -> set[str]:
    """All that a reply makes known, as a thing or as part of the room."""
    known = Told(PLACE).say("look", reply).knowledge
    things = {thing.name for thing in known.world_view.objects()}
    return things.union(*known.world["scenery"].values())


@pytest.mark.parametrize(
    ("told", "no_thing"),
    [
        ("Strangely enough, nothing of value is hanging here.", "enough"),
        ("Curiously, a lamp is hanging here.", "curiously"),
        ("An old, thatched building stands near the road, and nobody is in it.", "stands"),
        ("To the east, stretching from north to south, stands a monumental aqueduct.", "stands"),
        ("There is a brook here that winds out of sight. Another leads to the mill.", "winds"),
        ("There is a brook here that winds out of sight. Another leads to the mill.", "leads"),
        ("To the east are hills, and quicksand prevents movement to the south.", "prevents"),
        ("Merely explore, enjoy yourself, and bring back news of what you see here.", "yourself"),
        ("At the top, a heavy, solid door stands firmly closed.", "stands"),
    ],
)
def test_verbs_and_words_for_how_something_is_done_are_no_things(told: str, no_thing: str) -> None:
    found = names(f"{PLACE} {told}\n\n{told}")
    assert not [one for one in found if no_thing in one.split()]


@pytest.mark.parametrize(
    ("told", "thing"),
    [
        ("There are twigs and leaves here.", "leaves"),
        ("You can see three bears here.", "bears"),
        ("There are the remains of a camp here.", "remains"),
        ("There is a lamp here, and the souvenir stand is to the north.", "souvenir stand"),
    ],
)
def test_nouns_that_could_be_verbs_stay_things(told: str, thing: str) -> None:
    assert [one for one in names(f"{PLACE}\n\n{told}") if thing in one]


@pytest.mark.parametrize(
    ("command", "reply", "said"),
    [
        ("take leaflet", "Taken.", {"took the leaflet"}),
        ("read leaflet", '(Taken)\n"WELCOME to the fair, traveller!"', {"got the leaflet"}),
        ("read leaflet", '"WELCOME to the fair, traveller! A fine day it is."', set()),
        ("inventory", "You are carrying:\n  a leaflet\n  a purse", set()),
    ],
)
def test_only_what_was_taken_is_said_to_be_taken(command: str, reply: str, said: set[str]) -> None:
    story = Told(f"{PLACE}\n\nThere is a leaflet here.").say(command, reply)
    done = {one for one in story.outlook.beliefs.accomplished if "leaflet" in one}
    assert done == said
