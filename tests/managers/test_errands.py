"""What is in one place and of use in another, and what a fight asks for."""

from managers.leads import Leads
from managers.policy.scene import Scene
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


def routes(told: Told) -> list[tuple[str, ...]]:
    return [one.route for one in told.options()]


def test_a_rope_seen_elsewhere_is_fetched_for_a_drop():
    told = Told(LOFT).say("east", EDGE)
    assert ("west", "take rope") in routes(told)


def test_a_rope_that_is_carried_is_tied_above_a_drop_and_leads_down():
    told = Told(LOFT).say("take rope", "Taken.").say("east", EDGE)
    best = next(one for one in told.options() if one.kind == "descend")
    assert best.command == "tie rope to railing"
    told.say("tie rope to railing", "The rope drops over the side and comes near the ground.")
    leads = Leads(told.knowledge.dynamics["leads"])
    assert "down" in leads.opened["L2"]
    assert "rope" in leads.placed
    assert ("down",) in routes(told)


def test_a_weapon_seen_elsewhere_is_fetched_against_who_bars_the_way():
    told = Told(HALL).say("east", GUARDED)
    fetched = next(one for one in told.options() if one.kind == "fetch")
    assert fetched.route == ("west", "take sword")


def test_who_is_wounded_leaves_a_fight():
    told = Told(HALL).say("take sword", "Taken.").say("east", GUARDED)
    assert told.options()[0].kind == "fight"
    told.say("attack ogre with sword", "You miss. The ogre's club gets you in the side. Ouch!")
    assert told.options()[0].kind == "escape"


def test_a_question_which_thing_is_answered_with_a_whole_command():
    told = Told(HALL).say("open bag", "Which bag do you mean, the large bag or the paper bag?")
    replies = Leads(told.knowledge.dynamics["leads"]).replies
    assert replies == ["open large bag", "open paper bag"]


def test_things_told_apart_in_one_breath_are_several():
    told = Told("Control Room\nOn the wall is a row of buttons colored blue, yellow, and green.\n")
    commands = {one.command for one in told.options()}
    assert {"push blue button", "push yellow button", "push green button"} <= commands


def test_what_the_game_does_not_understand_is_not_tried_again():
    told = Told("Hall\nA door leads out.\n").say("enter door", "You should supply a direction!")
    told.say("open door", "You open the door.")
    before = told.options()[:6]
    assert "enter door" not in [one.command for one in before]


def test_a_treasure_left_on_display_in_vain_is_taken_back():
    told = Told("Shrine\nA pedestal stands here. A way leads east.\n\nThere is a gold cup here.\n")
    told.say("take cup", "Taken.", score=5)
    assert not any(one.command.startswith("put cup") for one in told.options())
    told.say("put cup on pedestal", "Done.", score=5)
    told.say(
        "look", "Shrine\nA pedestal stands here. A way leads east.\n\nThere is a gold cup here.\n"
    )
    assert told.options()[0].command == "take cup"


def test_unmentioned_ways_are_told_from_ways_where_none_are_mentioned():
    kinds = {(one.command, one.kind) for one in Told(LOFT).options()}
    assert {("east", "exit"), ("west", "probe")} <= kinds
    silent = {(one.command, one.kind) for one in Told("Wood\nTrees and ferns.\n").options()}
    assert ("west", "wander") in silent


def test_what_hits_in_vain_gives_way_to_another_thing_in_the_hand():
    told = Told(HALL.replace("a sword", "a mop")).say("take mop", "Taken.")
    told.say("wait", "Hall\nBare walls.\n\nThere is a hammer here.").say("take hammer", "Taken.")
    told.say("east", GUARDED)
    first = told.options()[0].command
    told.say(first, "You might as well hit him with a feather.")
    second = told.options()[0].command
    assert {first, second} == {"attack ogre with mop", "attack ogre with hammer"}


def test_a_light_that_is_dying_is_not_trusted_in_the_dark():
    told = Told("Porch\nA door leads north.\n\nThere is a lamp here.\n").say("take lamp", "Taken.")
    told.say("turn on lamp", "The lamp is now on.")
    told.say("turn off lamp", "You turn the lamp down until it goes out.")
    told.say("turn on lamp", "The lamp is now on.").say("north", "Cave\nA passage leads south.")
    assert not Scene.of(told.knowledge).unlit
    told.say("wait", "Time passes. The lamp is nearly out.")
    assert "L2" in Scene.of(told.knowledge).unlit
    assert told.options()[0].command == "south"


def test_who_strikes_is_met_as_such_from_the_first_blow_on():
    told = Told(HALL).say("take sword", "Taken.").say("east", "Lair\nA low cave. The hall is west.")
    told.say("wait", "The bandit stabs nonchalantly with his dirk and misses.")
    assert [foe.noun for foe in Scene.of(told.knowledge).foes] == ["bandit"]
    told.say("wait", "The bandit draws blood, raking his dirk across your arm.")
    assert Leads(told.knowledge.dynamics["leads"]).wounds
    assert told.options()[0].kind == "escape"


def test_a_room_that_fills_is_left_and_not_gone_back_to():
    told = Told(HALL).say("east", "Pit\nA pit with a lever and a bolt. The hall is west.\n")
    told.say("pull lever", "Water gushes in.")
    assert told.options()[0].kind != "escape"
    told.say("pull bolt", "Nothing happens. The water here is now up to your knees.")
    assert told.options()[0].route == ("west",)
    told.say("west", "Hall")
    assert not [one for one in told.options()[:5] if one.room == "L2"]


def test_what_was_moved_out_of_the_way_was_moved():
    told = Told("Den\nA bare den with a rug on the floor.\n")
    told.say("look under rug", "Underneath the rug is a closed hatch.")
    told.say("move rug", "With a great effort, the rug is moved to one side, revealing a hatch.")
    assert told.knowledge.dynamics["tried"]["L1"]["move rug"][1] == 1
