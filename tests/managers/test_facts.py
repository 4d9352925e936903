"""What replies tell is noted as facts, and taken back when it no longer holds."""

from __future__ import annotations

import pytest

from environments.game import Observation, Words
from managers.core.learner import learn
from managers.core.ranking import rank
from managers.core.scene import Scene
from managers.skills import all_skills
from managers.skills.requests import Asked, Request
from managers.world.facts import MOST, Blackboard, Fact
from managers.world.knowledge import Knowledge
from tests.managers.replies import read
from tests.managers.told import Told

ROOM = """Store
Shelves and dust. A passage leads north.

You can see a tin here.
"""


@pytest.fixture
def store() -> Told:
    return Told(ROOM)


def board(told: Told) -> Blackboard:
    return told.knowledge.board


def requests(told: Told) -> tuple[Request, ...]:
    return Asked(Scene(told.knowledge, all_skills())).requests


def test_a_refusal_that_says_what_comes_first_is_a_request(store: Told) -> None:
    store.say("north", "You'll have to take off your coat first.")
    (request,) = requests(store)
    assert (request.command, request.done) == ("take off coat", False)
    assert request.blocked == (("L1", "north"),)


@pytest.mark.parametrize(
    ("here", "asked"), [("a trap door", "door"), ("a trap door and a wooden door", "trap door")]
)
def test_what_is_asked_for_is_called_by_its_noun_if_that_is_clear(here: str, asked: str) -> None:
    store = Told(f"Store\nShelves and dust.\n\nYou can see {here} here.")
    store.say("down", "The trap door is closed.")
    assert [one.command for one in requests(store)] == [f"open {asked}"]


def test_a_request_ends_when_what_it_blocked_was_done(store: Told) -> None:
    store.say("north", "You'll have to take off your coat first.")
    store.say("take off coat", "You take off your coat.")
    assert requests(store)[0].done
    store.say("north", "Attic\nRafters and wasps. The store is south.")
    assert requests(store) == ()


BED = "You'll have to get out of the crate first."


def test_who_is_in_nothing_has_got_out(store: Told) -> None:
    store.say("north", BED).say("get out of crate", "But you aren't in the crate.")
    assert requests(store)[0].done


def test_who_has_stood_up_has_got_out(store: Told) -> None:
    store.say("north", BED).say("get out of crate", "You can't see any such thing.")
    assert not requests(store)[0].done
    store.say("stand up", "You stand up.")
    assert requests(store)[0].done


def test_what_is_no_longer_blocked_needs_nothing_first(store: Told) -> None:
    store.say("north", BED).say("get out of crate", "You can't see any such thing.")
    store.say("north", "Attic\nRafters and wasps. The store is south.")
    assert requests(store) == ()


def test_what_was_done_in_vain_is_not_asked_for_again(store: Told) -> None:
    store.say("north", BED).say("get out of crate", "But you aren't in the crate.")
    store.say("north", BED)
    assert requests(store) == ()


def test_a_door_is_not_opened_at_another_door() -> None:
    store = Told("Store\nShelves and dust.\n\nYou can see a front door and a cellar door here.")
    store.say("north", "The front door is closed.").say("open front door", "It won't budge.")
    store.say("south", "Shed\nAn empty shed. A way leads north.\n\nThere is a door here.")
    here = [one for one in store.options() if one.room == "L2"]
    assert "open front door" not in {one.command for one in here}


def test_a_request_is_given_up_after_some_attempts(store: Told) -> None:
    store.say("north", "You'll have to sing first.")
    for _ in range(5):
        store.say("sing", "That's not a verb I recognise.")
    assert requests(store) == ()


def test_attempts_in_other_rooms_count_when_a_request_is_given_up(store: Told) -> None:
    store.say("north", "You'll have to sing first.")
    for number in range(5):
        store.say("sing", "Nobody would want to hear that.")
        store.say("south", f"Shed {number}\nAn empty shed. A way leads south.")
    assert requests(store) == ()


def test_a_look_that_tells_that_something_is_closed_asks_for_nothing(store: Told) -> None:
    store.say("examine tin", "The tin is closed.")
    assert requests(store) == ()
    store.say("look in tin", "The tin is closed.")
    assert [one.command for one in requests(store)] == ["open tin"]


def test_what_is_asked_for_is_not_done_where_the_thing_is_not(store: Told) -> None:
    store.say("look in tin", "The tin is closed.")
    assert [one.command for one in requests(store)] == ["open tin"]
    store.say("open tin", "It takes more than fingers to do that.")
    store.say("south", "Shed\nAn empty shed. A way leads north.")
    here = [one for one in store.options() if one.room == "L2"]
    assert "open tin" not in {one.command for one in here}


def test_a_question_for_the_rest_of_a_command_tells_nothing_of_things(store: Told) -> None:
    store.say("take rope", "Taken.").say("tie rope", "What do you want to tie the rope to?")
    assert [thing.noun for thing in store.knowledge.held] == ["rope"]
    assert not board(store).of("cue")
    assert not board(store).of("absent")


def test_what_is_not_there_is_known_until_it_is_seen(store: Told) -> None:
    store.say("open box", "You can't see any such thing.")
    assert "box" in board(store).subjects("absent", "L1")
    store.say("look", ROOM + "\nThere is a box here.")
    assert "box" not in board(store).subjects("absent", "L1")


def test_spoken_and_written_nouns_are_hints(store: Told) -> None:
    store.say("read label", 'It reads: "The ladder stands behind the barrel."')
    assert {"ladder", "barrel"} <= board(store).subjects("hint")


def test_revealed_things_and_opened_ways_are_kept(store: Told) -> None:
    store.say("move shelf", "You move the shelf, revealing a rusty hook. Steps lead down.")
    assert "down" in board(store).subjects("opened", "L1")
    assert "rusty hook" in board(store).subjects("revealed", "L1")


def test_what_was_taken_is_revealed_no_longer(store: Told) -> None:
    store.say("move shelf", "You move the shelf, revealing a rusty hook.")
    store.say("take hook", "Taken.")
    assert board(store).subjects("revealed", "L1") == set()


def test_all_the_time_is_no_thing(store: Told) -> None:
    store.say("examine crowd", "Normal people, the kind you see all the time.")
    assert not board(store).subjects("revealed", "L1")


def test_what_is_no_name_was_not_revealed(store: Told) -> None:
    store.say("search shelf", "Digging, you discover and confiscate a metal file.")
    assert "and" not in board(store).subjects("revealed", "L1")


def test_a_way_that_does_not_lead_anywhere_was_not_opened(store: Told) -> None:
    store.say("move shelf", "You move the shelf, revealing a rusty hook. Steps lead down.")
    store.say("down", "You can't go that way.")
    assert "down" not in board(store).subjects("opened", "L1")


def test_a_rope_that_was_tied_is_left_and_leads_down(store: Told) -> None:
    store.say("take rope", "Taken.").say("tie rope to shelf", "The rope hangs over the edge.")
    assert "rope" in board(store).subjects("discarded")
    assert "down" in board(store).subjects("opened", "L1")


def test_what_was_dropped_is_discarded(store: Told) -> None:
    store.say("drop coat", "Dropped.")
    assert "coat" in board(store).subjects("discarded")


def test_what_was_dropped_is_discarded_under_its_other_names(store: Told) -> None:
    store.say("take clove", "Taken.")
    store.say("inventory", "You are carrying:\n  a clove of garlic")
    store.say("drop garlic", "Dropped.")
    assert {"clove", "garlic"} <= board(store).subjects("discarded")


def test_what_was_dropped_with_all_the_rest_is_not_discarded(store: Told) -> None:
    store.say("drop all", "coat: Dropped.\nlamp: Dropped.")
    assert {"coat", "lamp"}.isdisjoint(board(store).subjects("discarded"))


def test_a_foe_calms_down(store: Told) -> None:
    store.say("look", ROOM + "\nA goat is here.").say("wait", "The goat charges at you.")
    assert board(store).subjects("hostile") == {"goat"}
    for _ in range(12):
        store.say("wait", "Time passes.")
    assert not board(store).subjects("hostile")


def test_a_question_which_thing_is_answered_with_a_whole_command(store: Told) -> None:
    store.say("open bag", "Which bag do you mean, the large bag or the paper bag?")
    assert [fact.subject for fact in board(store).of("reply")] == [
        "open large bag",
        "open paper bag",
    ]
    store.say("wait", "Time passes.")
    assert not board(store).of("reply")


@pytest.mark.parametrize(
    ("command", "reply", "answers"),
    [
        ("rub can", "What do you want to rub: the can or the tin?", ["rub can", "rub tin"]),
        ("skip", "Are you sure you want to skip the introduction? (y/n)", ["yes"]),
        ("eat pie", "Do you like pies?", ["yes", "no"]),
        (
            "attack dog with lamp",
            "I only understood you as far as wanting to attack the guard dog.",
            ["attack guard dog"],
        ),
        ("look bag", "I only understood you as far as wanting to look.", []),
    ],
)
def test_what_a_game_asks_of_a_command_is_answered_as_it_was_meant(
    store: Told, command: str, reply: str, answers: list[str]
) -> None:
    store.say(command, reply)
    assert [fact.subject for fact in board(store).of("reply")] == answers


def test_what_was_tried_is_not_tried_again_because_it_alone_was_understood(store: Told) -> None:
    reply = "I only understood you as far as wanting to attack the dog."
    store.say("attack dog", "Nothing happens.").say("attack dog with lamp", reply)
    assert not board(store).of("reply")


def test_a_lamp_that_was_only_called_a_light_burns() -> None:
    told = Told("Cave\nA low cave. A passage leads east.\n")
    told.say("inventory", "You are carrying:\n  a storm lamp")
    told.say("turn on light", "The wick catches, and the storm lamp burns with a steady flame.")
    (lamp,) = told.knowledge.world_view.inventory()
    assert lamp.is_("lit")


# -- the blackboard itself ------------------------------------------------------


def test_what_is_said_again_is_kept_once_and_comes_first() -> None:
    told = Blackboard().with_("hint", [Fact("barrel", turn=1), Fact("ladder", turn=1)])
    again = told.with_("hint", [Fact("ladder", turn=5)])
    assert [(fact.subject, fact.turn) for fact in again.of("hint")] == [
        ("ladder", 5),
        ("barrel", 1),
    ]
    assert [fact.subject for fact in told.of("hint")] == ["barrel", "ladder"]


def test_a_fact_holds_where_it_was_seen_and_anywhere_if_it_has_no_room() -> None:
    told = Blackboard().with_("absent", [Fact("box", "L1"), Fact("jar", "L2")])
    assert told.subjects("absent", "L1") == {"box"}
    assert told.subjects("absent") == {"box", "jar"}


def test_some_facts_expire_and_every_kind_is_bounded() -> None:
    told = Blackboard().with_("wound", [Fact("oneself", turn=3, until=33)])
    assert Blackboard(told.data, 32).of("wound")
    assert not Blackboard(told.data, 33).of("wound")
    guards = [Fact(f"guard {number}") for number in range(50)]
    assert len(Blackboard().with_("barring", guards, 6).of("barring")) == 6
    assert len(Blackboard().with_("barring", guards).of("barring")) == MOST


def test_a_fact_keeps_the_words_that_told_it(store: Told) -> None:
    store.say("look", ROOM + "\nA goat is here.")
    store.say("wait", "A bell rings.\nThe goat charges at you.")
    (fact,) = board(store).of("hostile")
    assert "charges" in fact.source


def test_who_has_an_eye_on_something_carried_is_given_it(store: Told) -> None:
    store.say("take tin", "Taken.")
    store.say(
        "wait",
        "A goat trots in.\n\nThere is a goat here.\nThe goat has seen your tin. It comes closer.",
    )
    assert [(fact.subject, fact.value) for fact in board(store).of("wanted")] == [("tin", "goat")]


def test_names_that_tell_the_same_when_examined_are_one_thing(store: Told) -> None:
    store.say("look", ROOM.replace("dust", "a cupboard of oak"))
    told = "It is made of heavy boards and stands against the wall."
    store.say("examine shelves", f"{told} It is empty.").say("examine cupboard", f"{told}\nA bee!")
    assert [one.noun for one in store.knowledge.around if one.noun in ("shelves", "cupboard")] == [
        "shelves"
    ]
    store.say("examine tin", "A tin.").say("examine shelves", "They lie broken on the floor now.")
    assert {"tin", "cupboard", "shelves"} <= {one.noun for one in store.knowledge.around}


def test_what_lies_in_carried_things_is_within_reach(store: Told) -> None:
    store.say("take tin", "Taken.").say("open tin", "Opening the tin reveals a ruby.")
    assert "ruby" in {thing.noun for thing in store.knowledge.around}
    assert "take ruby" in store.commands()
    store.say("take ruby", "Taken.").say("put ruby in tin", "You put the ruby into the tin.")
    assert "take ruby" not in store.commands()


def test_what_was_tried_with_what_lies_in_a_carried_thing_counts_everywhere(store: Told) -> None:
    store.say("take tin", "Taken.").say("open tin", "Opening the tin reveals a ruby.")
    assert "take ruby" in store.commands()
    store.say("take ruby", "The ruby is stuck to the tin.")
    store.say("north", "Cellar\nA bare cellar.")
    again = next(one for one in store.options() if one.goal == "take ruby")
    assert again.terms["repetition"] < 1.0


def test_what_circles_something_else_attacks_nobody(store: Told) -> None:
    store.say("look", "Dome\nSaving you from a nasty drop is a fence which circles the dome.")
    assert not board(store).subjects("hostile")
    store.say("look", ROOM + "\nA whatsit is here.")
    store.say("wait", "The whatsit snarls.")
    assert not board(store).subjects("hostile")
    store.say("wait", "The whatsit swings its tail at you.")
    assert board(store).subjects("hostile") == {"whatsit"}


def test_where_an_answer_leads_is_no_passage(store: Told) -> None:
    store.say("enter cart", "Are you sure that you want to leave?")
    store.say("yes", "Mill\nA big old mill, with a door to the north.")
    assert store.knowledge.map_view.title(store.knowledge.here) == "Mill"
    edges = store.knowledge.map_view.data["edges"]
    assert not any("yes" in ways for ways in edges.values())


def test_whom_the_prose_names_is_a_foe_only_where_he_was_one(store: Told) -> None:
    store.say("look", ROOM + "\nA dragon is here.")
    store.say("wait", "The dragon blocks your way.")
    assert [one.noun for one in store.knowledge.foes] == ["dragon"]
    store.say("north", "Garden\nThe hedges are cut in the shape of a dragon.")
    assert not store.knowledge.foes


def test_a_verb_for_persons_is_tried_on_persons() -> None:
    text = f"{ROOM}\nThere is a man here."
    words = Words(commands=("greet {somebody}", "spray {}"), nouns=("tin", "man"))
    seen = Observation(text=text, room="Store", words=words)
    known = learn(Knowledge.new(), 0, "", seen, read("", text, "Store"), all_skills()).after
    offered = {
        one.command
        for one in rank(Scene(known, all_skills()), limit=99).options
        if one.kind == "unusual"
    }
    assert offered == {"greet man", "spray man", "spray tin"}


def test_a_verb_of_the_storys_own_is_spoken_of_by_the_story_alone() -> None:
    words = Words(commands=("release {}", "spray {}", "hum"))
    knowledge = Knowledge.new()
    for turn, (command, text) in enumerate(
        [("", "Release 2 / Serial number 961207"), ("spray tin", "You have nothing to spray with."),
         ("wait", "Somewhere people hum.")]
    ):  # fmt: skip
        seen = Observation(text=text, room="Store", words=words if not turn else Words())
        knowledge = learn(
            knowledge, turn, command, seen, read(command, text, "Store"), all_skills()
        ).after
    spoken = {one.subject for one in knowledge.board.of("command") if one.value}
    assert spoken == {"hum"}


def test_a_thing_keeps_the_adjectives_that_the_dictionary_knows() -> None:
    text = f"{ROOM}\nThere is a trophy case here. The old case stands in a corner."
    words = Words(nouns=("case", "corner"), adjectives=("trophy", "old"))
    seen = Observation(text=text, room="Store", words=words)
    reading = read("", text, "Store", words=words)
    known = learn(Knowledge.new(), 0, "", seen, reading, all_skills()).after
    assert "trophy case" in {thing.name for thing in known.around}
