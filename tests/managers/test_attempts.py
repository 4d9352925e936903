"""One table of what was tried where: how often it worked, why it was refused, what harm it did."""

from __future__ import annotations

from dataclasses import replace

import ormsgpack

from managers.core.scene import Routes
from managers.planning.world_model import can_do
from managers.world.attempts import MOST_PER_PLACE, Attempts, FailedAction
from managers.world.map import Map
from managers.world.objects import INVENTORY
from tests.managers.replies import HALL, YARD, Story
from tests.managers.told import Told

BOX = f"{HALL}There is a box here.\nThere is a key here."
LOCKED = FailedAction(3, "open box", "It is locked.", "L1", "locked")


def test_tries_and_successes_are_counted_by_place_in_whatever_words() -> None:
    table = Attempts().recorded(["L1"], "get the lamp", 3, worked=False)
    table = table.recorded(["L1"], "take lamp", 5, worked=True)
    tried = table.of("L1", "get lamp")
    assert (tried.times, tried.worked, tried.turn) == (2, 1, 5)
    assert table.of("L2", "take lamp").times == 0


def test_what_is_done_with_something_carried_counts_wherever_one_is() -> None:
    told = Told(f"{HALL}There is a lamp here.").say("take lamp", "Taken.")
    told.say("rub lamp", "You have neither time nor wish.").say("north", YARD)
    table = told.knowledge.attempts_view
    assert table.of(INVENTORY, "rub lamp").times == 1
    assert table.of("L1", "rub lamp").times == 1


def test_the_table_is_plain_and_what_was_handed_out_stays_as_it_was() -> None:
    before = Attempts().recorded(["L1"], "open box", 1, worked=False)
    packed = ormsgpack.packb(before.data)
    after = before.refused(LOCKED).recorded(["L1"], "wait", 4, worked=True)
    assert ormsgpack.packb(before.data) == packed
    assert ormsgpack.unpackb(ormsgpack.packb(after.data)) == after.data


def test_a_refusal_keeps_its_reason_and_ends_when_the_command_works() -> None:
    table = Attempts().refused(LOCKED)
    failure = table.failure("L1", "open the box")
    assert failure is not None
    assert (failure.reason, failure.turn, failure.count) == ("locked", 3, 1)
    assert table.failure("L2", "open box") is None
    again = table.refused(replace(LOCKED, turn=7)).failure("L1", "open box")
    assert again is not None
    assert (again.count, again.turn) == (2, 7)
    assert table.recorded(["L1"], "open box", 9, worked=True).failure("L1", "open box") is None


def test_a_refusal_counts_until_relevant_state_changes() -> None:
    story = Story().hears("", BOX, "Hall").hears("open box", "The box is locked.", "Hall")
    story.hears("wait", "Time passes.", "Hall").hears("examine key", "It is of brass.", "Hall")
    assert story.world.failed("open box", "L1") is not None
    assert not can_do(story.world, "open box")
    story.hears("unlock box with key", "You unlock the box.", "Hall")
    assert story.world.failed("open box", "L1") is None
    assert can_do(story.world, "open box")


def test_what_failed_with_two_things_can_be_asked_for_by_one_of_them() -> None:
    story = Story().hears("", BOX, "Hall").hears("take key", "Taken.", "Hall")
    story.hears("unlock box with key", "That doesn't seem to fit the lock.", "Hall")
    box = story.world.resolve("box")
    assert box is not None
    (failure,) = story.world.failures_with(box, "unlock")
    assert failure.command == "unlock box with key"
    assert [one.command for one in story.world.get_failed_actions_matching("the box")] == [
        "unlock box with key"
    ]


def test_what_failed_for_a_reason_that_is_gone_is_tried_again_word_for_word() -> None:
    told = Told(BOX).say("take key", "Taken.").say("put key in box", "The box is closed.")
    told.say("open box", "You open the box.")
    retried = [one.command for one in told.options() if one.kind == "retry"]
    assert retried == ["put key in box"]


def test_what_the_game_does_not_understand_is_refused_for_good() -> None:
    story = Story().hears("", BOX, "Hall")
    story.hears("frob box", "That's not a verb I recognise.", "Hall")
    story.hears("open box", "You open the box.", "Hall")
    failure = story.world.failed("frob box", "L1")
    assert failure is not None
    assert failure.for_good


def test_what_is_only_supposed_to_be_a_refusal_is_forgotten_with_time() -> None:
    story = Story().hears("", BOX, "Hall").hears("push box", "The bell does not ring.", "Hall")
    for _ in range(39):
        story.hears("wait", "Time passes.", "Hall")
    assert story.world.failed("push box", "L1") is not None
    for _ in range(2):
        story.hears("wait", "Time passes.", "Hall")
    assert story.world.failed("push box", "L1") is None


def test_refused_ways_are_blocked_until_they_lead_somewhere() -> None:
    story = Story().hears("", HALL, "Hall").hears("east", "The door is closed.", "Hall")
    assert story.knowledge.attempts_view.blocked("L1")["east"].reason == "closed"
    story.hears("east", YARD, "Yard")
    assert not story.knowledge.attempts_view.blocked("L1")


def test_harm_makes_a_danger_that_fades_with_attempts_that_do_none() -> None:
    table = Attempts().recorded(["L1"], "jump", 1, worked=False, harm=1.0)
    once = table.danger("L1", "jump")
    assert once > 0
    assert table.danger("L2", "jump") == 0
    assert table.danger("L1", "wait") == 0
    assert 0 < table.recorded(["L1"], "jump", 2, worked=True).danger("L1", "jump") < once


def test_what_others_did_is_told_from_what_the_command_did() -> None:
    told = Told(f"{HALL}A rat is here.").say("wait", "The rat bites you. You are badly hurt.")
    told.say("jump", "You land badly and are hurt. You are bleeding.")
    rows = told.knowledge.attempts
    assert rows["L1"]["jump"]["dealt"] == rows["L1"]["jump"]["harm"] > 0


def test_what_somebody_was_kept_from_counts_as_tried() -> None:
    table = Attempts().objected("L1", ["east", "jump"], "east")
    assert table.of("L1", "jump").times == 1
    assert table.of("L1", "east").times == 0
    assert all(table.at("L1")[command]["objected"] for command in ("east", "jump"))
    assert table.failure("L1", "jump") is None


def test_a_way_that_is_objected_to_costs_more_each_time_until_it_is_free() -> None:
    told = Told(HALL).say("north", YARD).say("south", HALL)
    told.say("north", "The guard does not let you pass.")
    table, costs = told.knowledge.attempts_view, []
    for _ in range(3):
        map_ = Map(told.knowledge.map, table)
        costs.append(Routes(map_, "L1").costs["L2"])
        table = table.objected("L1", ["north"], "wait")
    assert 1 < costs[0] < costs[1] < costs[2]
    free = Map(told.knowledge.map, table.recorded(["L1"], "north", 9, worked=True))
    assert Routes(free, "L1").costs["L2"] == 1


def test_a_place_has_a_bounded_number_of_rows_and_the_oldest_give_way() -> None:
    table = Attempts()
    for turn in range(MOST_PER_PLACE + 5):
        table = table.recorded(["L1"], f"push button{turn}", turn, worked=True)
    assert len(table.at("L1")) == MOST_PER_PLACE
    assert table.of("L1", "push button0").times == 0
    assert table.of("L1", f"push button{MOST_PER_PLACE + 4}").times == 1
