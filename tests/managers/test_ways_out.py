"""Getting in and out: what one wears, the dark, screens, places with no way out."""

import pytest

from managers.core.scene import Mind
from managers.world.transition import Intention
from tests.managers.told import Told

HALL = """Hall
You are in a long stone hall. Doors lead north and east.

You can see a sword here.
You can see a lamp here.
"""
YARD = "Yard\nA yard behind the hall. The way back is west."


@pytest.fixture
def hall() -> Told:
    return Told(HALL).say("verbose", "Maximum verbosity.")


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


def test_where_no_way_leads_out_the_others_come_before_what_is_done_for_nothing():
    bog = Told("Bog\nYou are up to your neck in a bog.\n")
    for way in ("north", "south", "east", "west"):
        bog.say(way, "You claw helplessly at the mud.")
    kinds = [one.kind for one in bog.options()]
    assert "tinker" in kinds
    assert "up" in bog.commands()[: kinds.index("tinker")]


def test_what_refuses_all_ways_alike_is_a_wall_whatever_has_changed():
    den = Told("Den\nA low den.\n\nYou can see a coin here.")
    for way in ("north", "south", "east"):
        den.say(way, "You grope along the damp rock and come back.")
    den.say("up", "The trapdoor is held down by something heavy.")
    den.say("push rock", "The rock moves aside.").say("take coin", "Taken.")
    tried = {one.command for one in den.options() if one.kind == "exit"}
    assert "up" in tried
    assert tried.isdisjoint({"north", "south", "east"})


def test_where_a_way_leads_out_nobody_swims(hall):
    hall.say("east", YARD)
    for way in ("north", "south", "east", "up"):
        hall.say(way, "You can't go that way.")
    assert "swim" not in hall.commands()


ESCAPE = Intention("travel", escape=True)
PLAN = ("north", "take coin")


def value_of_plan(told: Told) -> float:
    return next(one.value for one in told.options() if one.route == PLAN)


def test_what_one_turns_back_from_again_and_again_is_worth_less_for_a_while(hall):
    den = "Den\nA low den.\n\nYou can see a coin here.\nA dog is here."
    hall.say("north", den).say("wait", "The dog growls at you.")
    hall.options()
    back = "Hall\nYou are in a long stone hall. Doors lead north and east."
    values = []
    for _ in range(3):
        hall.say("south", back, intention=ESCAPE)
        values.append(value_of_plan(hall))
        hall.say("north", den).say("wait", "The dog growls at you.").options()
    assert values[0] > 1.5 * values[1] > 2 * values[2]
    hall.say("south", back)
    for _ in range(40):
        hall.say("wait", "Time passes.")
    assert value_of_plan(hall) > values[2]


@pytest.mark.parametrize("routes", [True, False])
def test_where_no_room_is_known_one_does_what_one_can(routes):
    told = Told("Something stirs.\n[Press any key]", Mind(routes=routes))
    told.say("", "Something stirs.\n[Press any key]", awaiting="key")
    assert told.options()[0].kind == "reply"
    told.say("north", "You can't go that way.")
    assert "south" in told.commands()


def test_a_way_in_reach_is_not_pushed_out_by_those_out_of_reach():
    hall = Told("Hall 0\nA hall. A door leads north.")
    for number in range(1, 35):
        hall.say("north", f"Hall {number}\nA hall. Doors lead north and west. South is a way back.")
    hall.say("jump", "    **** You have died ****\n\nPit\nA deep pit. Its walls are smooth.")
    assert hall.knowledge.here == "L36"
    assert "wander" in {one.kind for one in hall.options()}


def test_what_is_out_of_reach_is_not_done_here():
    hall = Told(HALL, Mind(without=("distance",)))
    hall.options()
    hall.say("jump", "    **** You have died ****\n\nPit\nA deep pit. Its walls are smooth.")
    assert {one.room for one in hall.options()} == {hall.knowledge.here}
