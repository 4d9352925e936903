"""An exploring episode plays an earlier one once more, as long as the game answers alike."""

from __future__ import annotations

from managers.memory import archive
from managers.memory.archive import Quest
from managers.memory.distilling import distil
from managers.memory.recalling import Recalled, recall
from managers.policy.option import RETRACED
from tests.managers.told import Told

YARD = "Yard\nA bare yard with a pump in the middle. A gate leads north.\n"
HALL = "Hall\nA cold hall. The yard is south, and stairs lead up.\n\nThere is a coin here.\n"
TOLD = (
    ("pump pump", "Nothing happens."),
    ("open gate", "Opened."),
    ("north", HALL),
    ("take coin", "Taken."),
)
QUEST = Quest(turns=30, bonus=10)


def explored() -> dict:
    """The memory of an exploring episode that found a coin."""
    told = Told(YARD, recalled=recall({}, QUEST))
    for command, reply in TOLD:
        told.say(command, reply, score=5 if command == "take coin" else 0)
    return distil(told.knowledge, told.outlook, {}, "one")


def sent() -> Recalled:
    return recall(explored(), QUEST, seed=3)


def test_every_command_is_played_again_also_those_that_brought_nothing() -> None:
    again = Told(YARD, recalled=sent())
    for command, reply in TOLD:
        (only,) = again.options()
        assert (only.command, only.kind) == (command, RETRACED)
        again.say(command, reply, score=5 if command == "take coin" else 0)
    assert again.knowledge.memory["guide"]["arrived"] == len(TOLD)
    assert all(one.kind != RETRACED for one in again.options())


def test_where_the_game_answers_otherwise_only_what_had_an_effect_is_followed() -> None:
    again = Told(YARD, recalled=sent())
    again.say("pump pump", "A little water runs out.", score=0)
    best = again.options()[0]
    assert (best.command, best.kind) == ("open gate", "remembered")
    again.say("open gate", "Opened, at last.", score=0)
    assert again.options()[0].command == "north"
    assert again.knowledge.memory["guide"]["arrived"] is None


def test_only_following_the_path_tells_how_far_it_holds() -> None:
    memory = explored()
    exact, loose = Told(YARD, recalled=sent()), Told(YARD, recalled=sent())
    for command, reply in TOLD:
        exact.say(command, reply, score=5 if command == "take coin" else 0)
    loose.say("pump pump", "A little water runs out.", score=0)
    counts = []
    for told in (exact, loose):
        left = distil(told.knowledge, told.outlook, memory, "two")
        (cell,) = [one for one in archive.unpacked(left["archive"]) if one.visits]
        counts.append((cell.visits, cell.times, cell.total))
    assert counts == [(1, 0, 0), (1, 1, 0)]
