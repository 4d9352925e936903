"""A model's reading beside the rules': nothing is lost that the rules have read."""

from __future__ import annotations

from typing import Any

from managers.language.joining import joined
from managers.language.reading import ActionResult, ObjectMention, Reading, RoomView
from tests.managers.replies import read

POST = (
    "Guard Post\nThis small room holds no more than the tiny table in the middle. To the west is a door, and "
    "stairs lead up.\n\nYou can see a cabinet (which is closed) here."
)


def claims(*objects: ObjectMention, result: Any = "unknown", **said: Any) -> Reading:
    return Reading(
        turn=1, objects_mentioned=objects, action_result=ActionResult(action="", result=result),
        **said,
    )  # fmt: skip


def test_no_way_is_lost_that_a_model_leaves_out() -> None:
    rules = read("west", POST, "Guard Post")
    room = joined(rules, claims(room=RoomView(title="Guard Post", exits=("up",))), POST).room
    assert room is not None
    assert set(room.exits) == {"west", "up"}


def test_an_end_is_seen_by_whoever_sees_it() -> None:
    text = "You fall into the pit.\n\n*** You have died ***"
    assert joined(read("down", text), claims(), text).died
    assert joined(read("down", "The end is near."), claims(died=True), "The end is near.").died
