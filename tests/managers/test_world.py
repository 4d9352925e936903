"""Things, places and states in the world model; names, reconciliation, failures."""

from __future__ import annotations

import ormsgpack
import pytest

from environments.game import Observation
from managers.core.learner import learn
from managers.language.reading import ActionResult, ObjectMention, RoomView, TurnExtraction
from managers.skills import all_skills
from managers.world.knowledge import Knowledge
from managers.world.objects import STALE_AFTER, GameObject
from managers.world.view import World
from tests.managers.replies import HALL, YARD, Story


def hall(*lines: str) -> Story:
    return Story().hears("", HALL + "\n".join(lines), "Hall")


def thing(world: World, name: str) -> GameObject:
    found = world.resolve(name)
    assert found is not None, name
    return found


def place(world: World, name: str) -> str:
    return world.location_of(thing(world, name).id)


def test_things_are_taken_carried_and_dropped() -> None:
    story = hall("There is a brass key here.").hears("take key", "Taken.", "Hall")
    assert [one.name for one in story.world.inventory()] == ["brass key"]
    story.hears("north", YARD, "Yard").hears("drop key", "Dropped.", "Yard")
    assert place(story.world, "key") == "L2"
    assert story.world.inventory() == []


def test_what_one_is_told_to_wear_is_carried() -> None:
    story = hall("It is cold. You are still wearing your pyjamas, and it is late.")
    assert [one.name for one in story.world.inventory()] == ["pyjamas"]
    assert thing(story.world, "pyjamas").is_("worn")


def test_what_has_to_be_taken_off_first_is_not_the_name_of_a_thing() -> None:
    story = hall("There is a gold ring here.", "There is a box here.")
    story.hears("wear ring", "(first taking the gold ring)\nYou put on the gold ring.", "Hall")
    story.hears("put ring in box", "(first taking the gold ring off)\nDone.", "Hall")
    ring = thing(story.world, "gold ring")
    assert (ring.is_("worn"), ring.aliases) == (False, ())
    assert [one.name for one in story.world.holders_of(ring.id)] == ["box"]


def test_candles_left_burning_long_ago_are_taken_to_be_out() -> None:
    story = hall("There is a candle here (lit).", "There is a lamp here (lit).")
    story.hears("north", YARD, "Yard")
    for _ in range(STALE_AFTER - 1):
        story.hears("wait", "Time passes.", "Yard")
    assert thing(story.world, "candle").is_("lit")
    story.hears("wait", "Time passes.", "Yard")
    assert thing(story.world, "candle").is_("lit") is False
    assert thing(story.world, "lamp").is_("lit")


def test_no_light_burns_where_one_sees_nothing() -> None:
    story = hall("There is a lamp here.")
    story.hears("take lamp", "Taken.", "Hall").hears("turn on lamp", "The lamp is on.", "Hall")
    assert thing(story.world, "lamp").is_("lit")
    story.hears("north", "Darkness\nIt is pitch dark.", "Darkness")
    assert thing(story.world, "lamp").is_("lit") is False


def test_names_resolve_without_merging_different_things() -> None:
    story = hall("There is a brass key here.", "There is a rusty key here.")
    assert thing(story.world, "brass key").id != thing(story.world, "rusty key").id
    assert thing(story.world, "small brass key").name == "brass key"
    story.hears("take brass key", "Taken.", "Hall")
    assert place(story.world, "brass key") == "inventory"
    assert place(story.world, "rusty key") == "L1"


def test_a_noun_means_what_is_here_before_what_was_met_first() -> None:
    story = hall("There is a door here.").hears("north", YARD + "There is a door here.", "Yard")
    story.hears("open door", "You need something to pry it open with.", "Yard")
    here, there = (thing(story.world, id) for id in ("door_2", "door"))
    assert story.world.meant("door") == here
    assert (story.world.needs_tool(here), story.world.needs_tool(there)) == (True, False)


def test_what_one_box_does_not_hold_is_still_in_the_other() -> None:
    story = hall("There is a velvet box here.", "There is a ring here.")
    story.hears("put ring in velvet box", "Done.", "Hall")
    story.hears("take velvet box", "Taken.", "Hall")
    story.hears("north", YARD + "There is a box here.", "Yard")
    story.hears("open box", "The box is empty.", "Yard")
    assert place(story.world, "ring") == "inventory"


def test_numbers_are_no_things() -> None:
    story = hall("There is a dial here.").hears("turn dial to 5", "Click.", "Hall")
    story.hears("talk to guard", "What do you say?\n1) Hello\n2) Goodbye", "Hall")
    assert not {"1", "2", "5"} & {one.name for one in story.world.objects()}


def test_a_thing_without_a_name_is_moved_nowhere() -> None:
    story = hall("There is a dial here.")
    story.world.move(" ", "inventory")
    assert story.world.inventory() == []


def test_what_was_just_read_of_a_thing_stays_when_its_new_name_is_understood() -> None:
    story = hall("There is an old lamp here.")
    story.hears("look", HALL + "There is a shiny lamp here (providing light).", "Hall")
    assert [(one.id, one.is_("lit")) for one in story.world.at("L1")] == [("old_lamp", True)]


def test_a_thing_keeps_its_identity_under_another_name() -> None:
    story = hall("There is a large egg here.").hears("take egg", "Taken.", "Hall")
    story.hears("inventory", "You are carrying:\n  a jewelled egg", "Hall")
    assert thing(story.world, "jewelled egg").id == "large_egg"
    assert len(story.world.inventory()) == 1


def test_a_lamp_is_the_lantern_if_there_is_no_other() -> None:
    story = hall("There is a brass lantern here.").hears("take lamp", "Taken.", "Hall")
    assert [one.name for one in story.world.inventory()] == ["brass lantern"]


def test_containers_hold_hide_and_show() -> None:
    story = hall("There is a wooden box here.", "The wooden box contains:", "  A coin")
    assert place(story.world, "coin") == "L1"
    assert [one.name for one in story.world.holders_of("coin")] == ["wooden box"]
    story.hears("close box", "You close the wooden box.", "Hall")
    assert "coin" not in [one.name for one in story.world.at("L1")]
    assert story.world.children("wooden_box") == ["coin"]
    story.hears("take box", "Taken.", "Hall").hears("north", YARD, "Yard")
    assert place(story.world, "coin") == "inventory"


@pytest.mark.parametrize(
    ("command", "reply", "state", "value"),
    [
        ("open box", "You open the box.", "open", True),
        ("open box", "The box is locked.", "locked", True),
        ("unlock box with key", "You unlock the box.", "locked", False),
        ("examine box", "The box is closed.", "open", False),
    ],
)
def test_states(command: str, reply: str, state: str, value: bool) -> None:
    story = hall("There is a box here.", "There is a key here.").hears(command, reply, "Hall")
    assert thing(story.world, "box").is_(state) is value


def test_what_is_not_there_any_more_is_not_known_to_be_anywhere() -> None:
    story = hall("There is a brass key here.").hears("north", YARD, "Yard")
    story.hears("south", HALL, "Hall")
    assert place(story.world, "key") == ""


def test_what_one_does_not_have_is_not_carried() -> None:
    story = Story().hears("", HALL, "Hall").hears("take lamp", "Taken.", "Hall")
    story.hears("put lamp in chest", "You don't have that!", "Hall")
    assert "lamp" not in {thing.noun for thing in story.knowledge.held}


def test_what_one_has_taken_and_the_game_does_not_see_is_not_carried() -> None:
    story = Story().hears("", HALL, "Hall").hears("take painting", "Taken.", "Hall")
    story.hears("examine frame", "You can't see any frame here!", "Hall")
    assert [thing.noun for thing in story.knowledge.held] == ["painting"]
    story.hears("examine painting", "You can't see any painting here!", "Hall")
    assert story.knowledge.held == ()


def test_a_complete_inventory_corrects_the_model() -> None:
    story = hall("There is a key here.", "There is a hat here.")
    story.hears("take all", "key: Taken.\nhat: Taken.", "Hall")
    story.hears("inventory", "You are carrying:\n  a hat\n  a coin", "Hall")
    assert {one.name for one in story.world.inventory()} == {"hat", "coin"}


def test_darkness_hides_but_removes_nothing() -> None:
    story = hall("There is a brass key here.").hears("north", YARD, "Yard")
    story.hears("south", "It is pitch black.", "Hall")
    assert story.world.dark
    assert place(story.world, "key") == "L1"


def test_what_is_described_once_is_still_there_when_it_is_not_repeated() -> None:
    story = Story().hears("", HALL.strip() + " On the wall hangs a rusty sword.\n", "Hall")
    story.hears("north", YARD, "Yard").hears("south", "Hall", "Hall")
    assert place(story.world, "sword") == "L1"


def test_creatures_walk_about() -> None:
    story = hall("A grey cat is sitting here.").hears("north", YARD, "Yard")
    story.hears("wait", "Time passes.\n\nA grey cat walks in.", "Yard")
    assert place(story.world, "cat") == "L2"
    assert len([one for one in story.world.objects() if one.noun == "cat"]) == 1


def test_the_vehicle_comes_along() -> None:
    story = hall("There is a small boat here.")
    river = "Yard, in the boat\nYou are on a wide river between two banks of reeds.\n"
    story.hears("launch", river, "Yard")
    assert story.world.inside == "boat"
    assert place(story.world, "boat") == "L2"
    story.hears("get out", "You are on your own feet again.", "Yard")
    assert story.world.inside == ""


def test_properties_come_from_names_and_from_play() -> None:
    story = hall("There is a brass key here.", "There is a marble bust here.")
    assert thing(story.world, "key").has("key-like")
    assert thing(story.world, "key").portable
    story.hears("take bust", "Taken.", "Hall", scored=5)
    assert story.knowledge.is_precious(thing(story.world, "bust"))
    assert [one.name for one in story.world.get_objects_with_property("key-like")] == ["brass key"]


def test_a_thing_says_what_it_may_solve() -> None:
    story = hall("There is a brass key here.")
    assert "locked*" in thing(story.world, "key").might_solve


def test_a_failed_action_is_not_repeated_in_the_same_state_but_after_it_changed() -> None:
    story = hall("There is a box here.", "There is a key here.")
    story.hears("open box", "The box is locked.", "Hall")
    story.hears("wait", "Time passes.", "Hall")
    failure = story.world.failed("open box", "L1")
    assert failure is not None
    assert (failure.reason, failure.turn) == ("locked", 1)
    assert story.world.failed("open box", "L2") is None
    story.hears("unlock box with key", "You unlock the box.", "Hall")
    assert story.world.failed("open box", "L1") is None
    assert [one.command for one in story.world.attempts.failures_at("L1")] == ["open box"]


def test_a_way_that_failed_is_tried_again_after_the_door_was_opened() -> None:
    story = hall().hears("east", "The oak door is closed.", "Hall")
    assert story.world.failed("east", "L1") is not None
    story.hears("open door", "You open the oak door.", "Hall")
    assert story.world.failed("east", "L1") is None


def test_unknown_words_and_notes_are_kept_and_bounded() -> None:
    story = hall().hears("take flurp", 'I don\'t know the word "flurp".', "Hall")
    assert story.world.is_unknown("FLURP")
    for turn in range(40):
        story.hears("wait", f"Time passes.\n\nBell number {turn} rings far away.", "Hall")
    notes = story.world.notes()
    assert notes[-1][2] == "Bell number 39 rings far away."
    assert len(notes) < 20


def test_old_sightings_elsewhere_are_stale() -> None:
    story = hall("There is a brass key here.").hears("north", YARD, "Yard")
    assert not story.world.is_stale(thing(story.world, "key"))
    for _ in range(70):
        story.hears("wait", "Time passes.", "Yard")
    assert story.world.is_stale(thing(story.world, "key"))


def test_the_state_is_plain_and_what_was_handed_out_stays_as_it_was() -> None:
    story = hall("There is a box here.", "There is a key here.")
    before, packed = story.world.data, ormsgpack.packb(story.world.data)
    story.hears("take key", "Taken.", "Hall").hears("open box", "The box is locked.", "Hall")
    story.hears("north", YARD, "Yard").hears("drop key", "Dropped.", "Yard")
    assert ormsgpack.packb(before) == packed
    assert ormsgpack.unpackb(ormsgpack.packb(story.world.data)) == story.world.data


def test_what_is_described_goes_before_what_is_said_in_passing() -> None:
    told = [
        ObjectMention(name=name, location="here", confidence=0.4)
        for name in ("blorb", "frobnitz", "gnusto", "rezrov", "yomin", "zemdor")
    ]
    gizmo = ObjectMention(name="gizmo", location="here", confidence=0.5)
    room = RoomView(title="Hall", description="A bare hall with a gizmo in it.")
    result = ActionResult(action="", result="unknown")
    reading = TurnExtraction(
        turn=0, room=room, objects_mentioned=(*told, gizmo), action_result=result
    )
    observation = Observation(text=f"Hall\n{room.description}", room="Hall")
    known = learn(Knowledge.new(), 0, "", observation, reading, all_skills()).after
    assert "gizmo" in known.world_view.scenery(known.here)


def test_what_was_told_of_last_is_noticed_in_a_room_that_is_full() -> None:
    names = ("lamp", "vase", "sofa", "rug", "clock", "bench", "stove", "shelf", "broom", "kettle")
    story = Story().hears("look", HALL, "Hall")
    for name in (*names, "bucket", "barrel", "mirror"):
        story.hears("wait", f"You think of a {name}.", "Hall")
    story.hears("examine mirror", "It has three symbols on it.", "Hall")
    story.hears("examine wall", "Which do you mean, the north wall or the east wall?", "Hall")
    noticed = story.world.scenery("L1")
    assert "symbols" in noticed
    assert not any("wall" in name for name in noticed)
