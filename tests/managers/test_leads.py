import pytest

from managers.leads import Leads
from tests.managers.told import Told

ROOM = """Store
Shelves and dust. A passage leads north.

You can see a tin here.
"""


@pytest.fixture
def store() -> Told:
    return Told(ROOM)


def leads(told: Told) -> Leads:
    return Leads(told.knowledge.dynamics["leads"])


def test_a_refusal_that_says_what_comes_first_is_a_request(store):
    store.say("north", "You'll have to take off your coat first.")
    (request,) = leads(store).requests
    assert (request.command, request.done) == ("take off coat", False)
    assert request.blocked == [["L1", "north"]]


def test_a_request_ends_when_what_it_blocked_was_done(store):
    store.say("north", "You'll have to take off your coat first.")
    store.say("take off coat", "You take off your coat.")
    assert leads(store).requests[0].done
    store.say("north", "Attic\nRafters and wasps. The store is south.")
    assert leads(store).requests == []


def test_a_request_is_given_up_after_some_attempts(store):
    store.say("north", "You'll have to sing first.")
    for _ in range(5):
        store.say("sing", "That's not a verb I recognise.")
    assert leads(store).requests == []


def test_what_is_not_there_is_known_until_it_is_seen(store):
    store.say("open box", "You can't see any such thing.")
    assert leads(store).is_absent("L1", "box")
    store.say("look", ROOM + "\nThere is a box here.")
    assert not leads(store).is_absent("L1", "box")


def test_spoken_and_written_nouns_are_hints(store):
    store.say("read label", 'It reads: "The ladder stands behind the barrel."')
    assert {"ladder", "barrel"} <= leads(store).hints


def test_revealed_things_and_opened_ways_are_kept(store):
    store.say("move shelf", "You move the shelf, revealing a rusty hook. Steps lead down.")
    assert "down" in leads(store).opened["L1"]
    assert "rusty hook" in leads(store).revealed("L1")


def test_full_hands_make_overload_until_something_is_dropped(store):
    store.say("take tin", "You're carrying too many things already.")
    assert leads(store).overloaded
    store.say("drop coat", "Dropped.")
    assert not leads(store).overloaded
    assert "coat" in leads(store).discarded


def test_an_eye_on_something_carried_is_an_offer(store):
    store.say("take tin", "Taken.").say("wait", "The goat has seen your tin. It comes closer.")
    assert leads(store).offers == (("tin", "goat"),)


def test_a_foe_calms_down(store):
    store.say("look", ROOM + "\nA goat is here.").say("wait", "The goat charges at you.")
    assert leads(store).hostile
    for _ in range(15):
        store.say("wait", "Time passes.")
    assert not leads(store).hostile


def test_a_lamp_that_was_only_called_a_light_burns() -> None:
    told = Told("Cave\nA low cave. A passage leads east.\n")
    told.say("inventory", "You are carrying:\n  a storm lamp")
    told.say("turn on light", "The wick catches, and the storm lamp burns with a steady flame.")
    (lamp,) = told.knowledge.world_view.inventory()
    assert lamp.is_("lit")
