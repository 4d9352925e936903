"""A model's reading beside the rules': what is sure stays, agreement makes it no less sure."""

from __future__ import annotations

from typing import Any

import pytest

from managers.language.joining import joined, silent
from managers.language.reading import (
    SURE,
    ActionResult,
    ObjectMention,
    Reading,
    RoomView,
    StateChange,
)
from managers.world.objects import SHOWN
from tests.managers.replies import HALL, Story, read

POST = (
    "Guard Post\nThis small room holds no more than the tiny table in the middle. To the west is a "
    "door, and stairs lead up.\n\nYou can see a cabinet (which is closed) here."
)


def claims(*objects: ObjectMention, result: Any = "unknown", **said: Any) -> Reading:
    return Reading(
        turn=1, objects_mentioned=objects, action_result=ActionResult(action="", result=result),
        **said,
    )  # fmt: skip


def test_what_the_game_lists_is_there_though_a_model_does_not_name_it() -> None:
    rules = read("west", POST, "Guard Post")
    things = joined(rules, claims(ObjectMention(name="table")), POST).objects_mentioned
    assert {"cabinet", "table"} <= {one.name for one in things}
    cabinet = next(one for one in things if one.name == "cabinet")
    assert (cabinet.confidence, cabinet.state) == (0.95, {"open": "false"})
    assert "cabinet" in {one.name for one in silent(rules, ()).objects_mentioned}


@pytest.mark.parametrize(
    ("model", "sure"),
    [
        (ObjectMention(name="tiny table"), 0.6),
        (ObjectMention(name="tiny table", properties=("takeable",)), 0.8),
        (ObjectMention(name="tiny table", location="inventory"), 0.8),
    ],
)
def test_that_a_thing_is_there_makes_it_no_thing_to_take(model: ObjectMention, sure: float) -> None:
    things = joined(read("west", POST, "Guard Post"), claims(model), POST).objects_mentioned
    assert [one.confidence for one in things if one.name == "tiny table"] == [sure]


def test_a_room_without_a_name_is_no_room() -> None:
    rules = read("wait", "The troll grunts at the gate.", "Guard Post")
    assert (
        joined(rules, claims(room=RoomView(title="")), "The troll grunts at the gate.").room is None
    )


def test_no_way_is_lost_that_a_model_leaves_out() -> None:
    rules = read("west", POST, "Guard Post")
    room = joined(rules, claims(room=RoomView(title="Guard Post", exits=("up",))), POST).room
    assert room is not None
    assert set(room.exits) == {"west", "up"}


def test_an_end_is_seen_by_whoever_sees_it() -> None:
    text = "You fall into the pit.\n\n*** You have died ***"
    assert joined(read("down", text), claims(), text).died
    assert joined(read("down", "The end is near."), claims(died=True), "The end is near.").died


def test_who_agrees_with_the_rules_makes_nothing_less_sure() -> None:
    refused = read("take wall", "That's fixed in place.")
    result = joined(refused, claims(result="failure"), "That's fixed in place.").action_result
    assert result == refused.action_result
    story = Story().hears("", HALL + "There is a brass key here.", "Hall")
    rules = read("take key", "Taken.", "Hall")
    moved = StateChange(object="key", property="location", new_value="inventory")
    changes = joined(rules, claims(state_changes=(moved,)), "Taken.", ("key",)).state_changes
    assert [one.confidence >= SURE for one in changes] == [True]
    story.hears("take key", "Taken.", "Hall")
    assert [thing.guess for thing in story.world.inventory()] == [SHOWN]


def test_one_of_several_things_is_taken_and_the_others_stay() -> None:
    text = "Randomly you pick one of the vials."
    story = Story().hears("", f"{HALL}\n\nYou can see some vials here.", "Hall")
    story.hears("take vial", text, "Hall")
    taken = StateChange(object="vial", property="location", new_value="inventory")
    told = joined(read("take vial", text), claims(result="success", state_changes=(taken,)), text)
    assert "vial" in {one.object for one in told.state_changes}
    assert {"vial"} == {one.name for one in story.knowledge.held}
    assert "vials" in {one.name for one in story.knowledge.around}
