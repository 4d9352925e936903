"""What the things, ways and dangers around one call for."""

from __future__ import annotations

from managers.core.scene import Scene
from managers.planning.goals import Goal
from managers.planning.objectives import Objective
from managers.skills import all_skills
from managers.skills.fights import Danger
from managers.skills.light import Visibility
from tests.managers.told import Told

LOFT = """Loft
Hay and dust. A passage leads east.

There is a rope here.
"""
EDGE = """Well Head
A paved yard above a deep shaft. A stout railing runs round the drop. The loft is west.
"""
HALL = """Hall
Bare walls. Doors lead east and south.

There is a sword here.
"""
GUARDED = """Guard Room
A vaulted room with a way north.

An angry ogre blocks the way north.
"""


def test_a_rope_is_tied_above_a_drop_and_leads_down() -> None:
    told = Told(LOFT).say("take rope", "Taken.").say("east", EDGE)
    assert "tie rope to railing" in told.commands()
    told.say("tie rope to railing", "The rope drops over the side and comes near the ground.")
    assert ("down",) in [one.route for one in told.options()]


def test_a_rope_is_rather_tied_where_the_room_speaks_of_a_drop() -> None:
    def chance(room: str) -> float:
        told = Told(LOFT).say("take rope", "Taken.").say("east", room)
        return next(one.probability for one in told.options() if one.goal == "tie rope to railing")

    assert chance("Porch\nA porch with a stout railing. The loft is west.\n") < chance(EDGE) / 2


def test_a_weapon_seen_elsewhere_is_fetched_against_who_bars_the_way() -> None:
    told = Told(HALL).say("east", GUARDED).say("north", "The ogre blocks your way.")
    goal = Goal(kind="gone", thing="angry ogre", place="L2")
    defeat = Objective(id="O1", text="defeat the ogre", source="issue", goal=goal)
    fetched = next(one for one in told.options((defeat,)) if one.kind == "fetch")
    assert (fetched.route, fetched.objective) == (("west", "take sword"), "O1")


def test_who_is_wounded_does_not_go_back_to_somebody_whom_only_the_prose_names() -> None:
    told = Told("Hall\nA hall. A way leads north.\n\nThere is a sword here.")
    told.say("take sword", "Taken.")
    told.say("north", "Shadow\nA land of shadow, where a hooded warrior waits. The hall is south.")
    told.say("wait", "The warrior swings at you. You are badly hurt.")
    there = told.knowledge.here
    told.say("south", "Hall\nA hall. A way leads north.")
    assert told.knowledge.board.of("wound")
    assert there in Danger(Scene(told.knowledge, all_skills())).shunned


def test_who_is_wounded_leaves_a_fight() -> None:
    told = Told(HALL).say("take sword", "Taken.").say("east", GUARDED)
    assert told.options()[0].kind == "fight"
    told.say("attack ogre with sword", "You miss. The ogre's club gets you in the side. Ouch!")
    assert told.options()[0].kind == "escape"


def test_things_told_apart_in_one_breath_are_several() -> None:
    told = Told("Control Room\nOn the wall is a row of buttons colored blue, yellow, and green.\n")
    commands = {one.command for one in told.options()}
    assert {"push blue button", "push yellow button", "push green button"} <= commands


def test_what_the_game_does_not_understand_is_not_tried_again() -> None:
    told = Told("Hall\nA door leads out.\n").say("enter door", "You should supply a direction!")
    told.say("open door", "You open the door.")
    before = told.options()[:6]
    assert "enter door" not in [one.command for one in before]


def test_a_treasure_left_on_display_in_vain_is_taken_back() -> None:
    told = Told("Shrine\nA pedestal stands here. A way leads east.\n\nThere is a gold cup here.\n")
    told.say("take cup", "Taken.", score=5)
    assert "deposit" not in {one.kind for one in told.options()}
    told.say("put cup on pedestal", "Done.", score=5)
    told.say(
        "look", "Shrine\nA pedestal stands here. A way leads east.\n\nThere is a gold cup here.\n"
    )
    assert told.options()[0].command == "take cup"


def test_unmentioned_ways_are_told_from_ways_where_none_are_mentioned() -> None:
    kinds = {(one.command, one.kind) for one in Told(LOFT).options()}
    assert {("east", "exit"), ("west", "probe")} <= kinds
    silent = {(one.command, one.kind) for one in Told("Wood\nTrees and ferns.\n").options()}
    assert ("west", "wander") in silent


def test_a_light_that_is_dying_is_not_trusted_in_the_dark() -> None:
    told = Told("Porch\nA door leads north.\n\nThere is a lamp here.\n").say("take lamp", "Taken.")
    told.say("turn on lamp", "The lamp is now on.")
    told.say("turn off lamp", "You turn the lamp down until it goes out.")
    told.say("turn on lamp", "The lamp is now on.").say("north", "Cave\nA passage leads south.")
    assert not Visibility(Scene(told.knowledge, all_skills())).unlit
    told.say("wait", "Time passes. The lamp is nearly out.")
    assert "L2" in Visibility(Scene(told.knowledge, all_skills())).unlit
    assert told.options()[0].command == "south"


def test_who_strikes_is_met_as_such_from_the_first_blow_on() -> None:
    told = Told(HALL).say("take sword", "Taken.").say("east", "Lair\nA low cave. The hall is west.")
    told.say("wait", "The bandit stabs nonchalantly with his dirk and misses.")
    assert [foe.noun for foe in told.knowledge.foes] == ["bandit"]
    told.say("wait", "The bandit draws blood, raking his dirk across your arm.")
    assert told.knowledge.board.of("wound")
    assert told.options()[0].kind == "escape"


def test_a_word_of_the_prose_that_nobody_knows_is_looked_at_and_then_handled() -> None:
    told = Told("Quay\nA gribble lies keel up on the stones. The yard is east.\n")
    commands = told.commands()
    assert "examine gribble" in commands
    assert "push gribble" not in commands
    told.say("examine gribble", "It is a small boat.")
    assert "push gribble" in told.commands()


def test_what_the_story_refuses_in_a_voice_of_its_own_is_not_there() -> None:
    told = Told("Quay\nA gribble lies on the stones. The yard is east.\n")
    told.say("examine gribble", "Bob cannot see any gribbles round here at all.")
    assert not any("gribble" in command for command in told.commands())


def test_a_verb_that_the_game_does_not_know_is_given_up_everywhere() -> None:
    told = Told("Hall\nA rug lies here. A doorway leads east.\n\nThere is a mat here.\n")
    assert any(one.startswith("push ") for one in told.commands())
    told.say("push mat", "That's not a verb I recognise.")
    assert not any(one.startswith("push ") for one in told.commands())
    told.say("look under mat", "I only understood you as far as wanting to look.")
    assert not any(one.startswith("look under") for one in told.commands())
    assert "examine mat" in told.commands()


def test_one_gets_out_of_what_keeps_one_from_going() -> None:
    told = Told("Shed\nA cart stands here. The yard is east.\n")
    told.say("enter cart", "You get into the cart.")
    told.say("east", "You'll have to get out of the cart first.")
    assert "get out of cart" in told.commands()[:2]
    told.say("get out of cart", "What do you want to get out of?")
    assert "out" in told.commands()[:4]


def test_what_hits_in_vain_gives_way_to_another_thing_in_the_hand() -> None:
    told = Told(HALL.replace("a sword", "a mop")).say("take mop", "Taken.")
    told.say("wait", "Hall\nBare walls.\n\nThere is a hammer here.").say("take hammer", "Taken.")
    told.say("east", GUARDED)
    first = told.options()[0].command
    told.say(first, "You might as well hit him with a feather.")
    second = told.options()[0].command
    assert {first, second} == {"attack ogre with mop", "attack ogre with hammer"}


def test_a_way_that_was_refused_in_the_storys_own_words_is_tried_again_later() -> None:
    told = Told("Hall\nA bare hall. Doors lead south and west.\n")
    told.say("south", "You are paralysed by fear.").say("west", "You can't go that way.")
    at_once = _exits(told)
    for _ in range(40):
        told.say("wait", "Time passes.")
    later = _exits(told)
    assert [*at_once] == [*later] == ["south"]
    assert later["south"] > 10 * at_once["south"]


def test_a_refusal_that_is_heard_in_several_rooms_is_a_wall() -> None:
    hall, cave = "Hall\nA bare hall. A door leads west.\n", "Cave\nA damp cave. The hall is east.\n"
    told = Told(hall).say("north", "Solid rock is all you find.").say("west", cave)
    told.say("north", "Solid rock is all you find.")
    for _ in range(40):
        told.say("wait", "Time passes.")
    assert "north" not in _exits(told)


def _exits(told: Told) -> dict[str, float]:
    """Ways that the agent means to go for their own sake, and their value."""
    return {one.command: one.value for one in told.options() if one.kind == "exit"}
