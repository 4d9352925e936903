"""A model's claims are weighed by what the game shows, and by how its claims came out so far."""

from __future__ import annotations

from typing import Any

import pytest

from environments.game import Observation
from managers.belief.outlook import Outlook
from managers.belief.reliability import OracleReliability, ReadingKind
from managers.core.learner import learn
from managers.core.readings import is_heard, relied, weighed
from managers.core.reflection import Choice, claims_judged, reflect
from managers.language.joining import joined
from managers.language.reading import (
    ActionResult,
    ObjectMention,
    Reading,
    RoomView,
    StateChange,
)
from managers.skills import all_skills
from managers.world.knowledge import Knowledge
from tests.managers.replies import HALL, Story, read

LISTED = HALL + "There is a brass key here."


def claims(
    command: str,
    *,
    objects: tuple[tuple[str, str], ...] = (),
    moved: tuple[tuple[str, str], ...] = (),
    result: Any = "unknown",
    exits: tuple[str, ...] = (),
) -> Reading:
    return Reading(
        turn=1,
        room=RoomView(title="Hall", exits=exits),
        objects_mentioned=tuple(ObjectMention(name=n, location=at) for n, at in objects),
        state_changes=tuple(
            StateChange(object=n, property="location", new_value=at) for n, at in moved
        ),
        action_result=ActionResult(action=command, result=result),
    )


def after(story: Story, command: str, text: str, model: Reading) -> Reading:
    rules = read(command, text, "Hall")
    return weighed(model, rules, text, story.world)


def known(kind: ReadingKind, right: int, wrong: int) -> OracleReliability:
    reliability = OracleReliability()
    for at in range(max(right, wrong)):
        if at < right:
            reliability.update(kind, True)
        if at < wrong:
            reliability.update(kind, False)
    return reliability


def taken_on_its_word() -> Knowledge:
    """A key taken and a way up, both on a reader's word alone."""
    hall = joined(read("", LISTED, "Hall"), claims("", exits=("up",)), LISTED)
    seen = Observation(text=LISTED, room="Hall")
    story = learn(Knowledge.new(), 0, "", seen, hall, all_skills()).after
    taken = claims("take key", moved=(("brass key", "inventory"),), result="success")
    said = "The key comes off."
    taken = joined(read("take key", said, "Hall"), taken, said, ("brass key",))
    return learn(
        story, 1, "take key", Observation(text=said, room="Hall"), taken, all_skills()
    ).after


def test_a_list_of_the_game_outweighs_a_reader_and_judges_it() -> None:
    model = claims("look", objects=(("brass key", "inventory"), ("hall", "here")))
    read_ = after(Story(), "look", LISTED, model)
    assert {one.name: one.location for one in read_.objects_mentioned}["brass key"] == "here"
    assert ("place", False) in read_.judged


def test_nothing_comes_into_the_hands_by_itself_on_a_readers_word() -> None:
    model = claims("examine wall", moved=(("key", "inventory"),))
    text = "A bare wall with a key on a nail."
    assert after(Story(), "examine wall", text, model).state_changes == ()
    assert after(Story(), "take key", "It comes off.", model).state_changes


def test_nobody_dies_on_a_readers_word_where_the_story_goes_on_as_before() -> None:
    dead = claims("examine wall").model_copy(update={"died": True})
    read_ = after(Story(), "examine wall", "A bare wall.", dead)
    assert not read_.died
    assert ("outcome", False) in read_.judged
    elsewhere = f"It falls on you. All is over.\n\n{HALL}"
    for text in (elsewhere, "It falls on you. Would you like to RESTART or QUIT?"):
        assert after(Story(), "examine wall", text, dead).died
    rules = read("examine wall", "A bare wall.", "Hall")
    assert weighed(dead, rules, "A bare wall.", Story().world, ended=True).died
    assert not relied(dead, rules, known("outcome", 0, 8)).died


def test_what_a_reader_says_twice_in_one_answer_is_in_the_hands() -> None:
    said, held = "The fruit of your efforts is a key.", (("key", "inventory"),)
    model = claims("climb ladder", objects=held, moved=held)
    assert after(Story(), "climb ladder", said, model).state_changes


def test_a_reader_corrects_what_the_notes_say_of_what_the_reply_does_not_name() -> None:
    model = claims("north", moved=(("brass key", "inventory"), ("lamp", "gone")))
    moved = after(Story(), "north", "A bare hall.", model).state_changes
    assert [(one.object, one.new_value) for one in moved] == [
        ("brass key", "inventory"),
        ("lamp", "gone"),
    ]


def test_what_is_only_looked_at_does_not_go_away() -> None:
    gone, text = (("grate", "gone"),), "The grate looks ordinary."
    assert (
        after(Story(), "examine grate", text, claims("examine grate", moved=gone)).state_changes
        == ()
    )
    assert after(Story(), "burn grate", text, claims("burn grate", moved=gone)).state_changes


def test_what_was_surely_taken_is_still_carried() -> None:
    story = Story().hears("", LISTED, "Hall").hears("take key", "Taken.", "Hall")
    model = claims("wait", objects=(("brass key", "here"),))
    read_ = after(story, "wait", "You think of the brass key.", model)
    assert [(one.name, one.location) for one in read_.objects_mentioned] == [
        ("brass key", "inventory")
    ]
    assert read_.judged == (("place", False),)


def test_a_stock_reply_judges_how_the_command_went() -> None:
    model = claims("take wall", result="success")
    read_ = after(Story(), "take wall", "That's fixed in place.", model)
    assert read_.action_result.result == "unknown"
    assert ("outcome", False) in read_.judged


def test_ways_that_the_text_does_not_name_are_not_noted() -> None:
    model = claims("look", exits=("north", "up"))
    room = after(Story(), "look", HALL, model).room
    assert room is not None
    assert room.exits == ("north",)


def test_a_reader_that_is_often_wrong_is_not_listened_to() -> None:
    bad = known("place", 4, 6)
    assert (is_heard(OracleReliability(), "place"), is_heard(bad, "place")) == (True, False)
    rules = read("look", LISTED, "Hall")
    reading = joined(rules, claims("look", objects=(("hall", "here"),)), LISTED)
    assert relied(reading, rules, bad).objects_mentioned == rules.objects_mentioned
    assert relied(reading, rules, OracleReliability()) == reading


@pytest.mark.parametrize(
    ("command", "reply", "judged"),
    [
        ("inventory", "You are carrying:\n  a brass key", [("place", True)]),
        ("inventory", "You are carrying nothing.", [("place", False)]),
        ("read key", "You can't see any such thing.", [("place", False)]),
        ("up", "You can't go that way.", [("way", False)]),
        ("up", "Yard\nA yard, open to the sky. The hall is south.", [("way", True)]),
    ],
)
def test_what_the_game_shows_later_judges_a_reader(
    command: str, reply: str, judged: list[tuple[str, bool]]
) -> None:
    before = taken_on_its_word()
    room = "Yard" if reply.startswith("Yard") else "Hall"
    rules = read(command, reply, room, 2)
    observation = Observation(text=reply, room=room)
    reading = Reading(**dict(rules))
    transition = learn(before, 2, command, observation, reading, all_skills())
    assert list(claims_judged(transition, transition.reading)) == judged
    outlook, _ = reflect(Outlook.new(), transition, Choice())
    for kind, right in judged:
        record = outlook.reliability.records[kind]
        assert (record.judged, record.right) == (1, int(right))


@pytest.mark.parametrize(
    ("command", "reply"),
    [
        ("inventory", "You are carrying nothing."),
        ("read key", "You can't see any such thing."),
        ("north", "You can't go that way."),
    ],
)
def test_what_the_rules_have_read_is_not_the_readers_fault(command: str, reply: str) -> None:
    told = (
        HALL.replace("marble", "very long and very wide and very cold " * 5)
        + "There is a brass key here."
    )
    story = Story().hears("", told, "Hall").hears("take key", "Taken.", "Hall")
    reading = Reading(**dict(read(command, reply, "Hall", 2)))
    now = learn(
        story.knowledge, 2, command, Observation(text=reply, room="Hall"), reading, all_skills()
    )
    assert list(claims_judged(now, reading)) == []


def test_one_mistake_does_not_silence_a_reader() -> None:
    assert is_heard(known("way", 0, 1), "place")
    assert not is_heard(known("place", 0, 2), "place")


def test_what_only_such_a_reader_said_to_be_carried_is_doubted() -> None:
    now = taken_on_its_word()
    assert [one.name for one in now.held] == ["brass key"]
    unheard = Reading(
        turn=2, action_result=ActionResult(action="wait", result="unknown"), unheard=True
    )
    later: Knowledge = learn(
        now, 2, "wait", Observation(text="Time passes."), unheard, all_skills()
    ).after
    assert later.held == ()


def test_a_name_that_rules_do_not_know_costs_a_reader_nothing() -> None:
    """Whether a word may name a thing is our guess; the game has shown nothing."""
    text = HALL + "A statue of a little man stands here, up on a big stone block."
    heard = after(Story(), "look", text, claims("look", objects=(("block", "here"),)))
    assert heard.judged == ()


def test_what_a_tool_brings_into_ones_hands_is_believed() -> None:
    text = "The red thing sticks to the pole! You pull it back and take the key."
    command = "get red thing with pole"
    claimed = claims(command, moved=(("key", "inventory"),), result="success")
    assert after(Story(), command, text, claimed).state_changes == claimed.state_changes


def test_a_pronoun_names_nothing() -> None:
    said = "You open the chest. It is full of dust."
    model = claims("open chest", objects=(("it", "inventory"), ("dust", "here")))
    reading = joined(claims("open chest"), model, said)
    assert [one.name for one in reading.objects_mentioned] == ["dust"]


def test_what_the_rules_are_sure_of_stands_beside_what_a_model_says_of_another_thing() -> None:
    rules = read("take key", "Taken. The chest is open.", "Hall", 2)
    model = claims("take key", objects=(("key", "inventory"),), moved=(("chest", "here"),))
    moved = [one.object for one in joined(rules, model, "Taken. The chest is open.").state_changes]
    assert moved[:2] == ["chest", "key"]
