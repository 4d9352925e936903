"""What later episodes make of fights, dangers and deaths of earlier ones."""

from __future__ import annotations

from managers.core.handover import Memory, distil, recall
from managers.core.scene import Scene
from managers.skills import all_skills
from managers.skills.fights import Danger
from managers.world.trail import GuideData
from tests.managers.earlier import (
    HALL,
    LOFT,
    YARD,
    remembered,
    with_guide,
)
from tests.managers.told import Told

RAT = HALL.replace("There is a coin here.", "A rat is here. The rat attacks you.")
BITTEN = "You miss the rat. The rat bites you.\n\n    *** You have died ***\n\n"


def test_what_killed_is_feared_and_avoided(first: Told) -> None:
    first.say("climb rafters", "The beam breaks.\n\n    *** You have died ***\n")
    memory = remembered(first)
    assert dangerous(memory) == [("Loft #" + _print(), "climb rafters")]
    assert all("climb rafters" not in str(node) for node in memory["archive"]["nodes"])
    second = Told(HALL, recalled=recall(memory))
    second.say("up", LOFT)
    assert second.situation().dangers["climb rafters"] >= 0.5


def dangerous(memory: Memory) -> list[tuple[str, str]]:
    """Room and command of what is remembered to have done harm."""
    tried = memory["lessons"]["tried"].items()
    return [(room, command) for room, rows in tried for command, row in rows.items() if row[2]]


def _print() -> str:
    told = Told(LOFT)
    key = next(iter(distil(told.knowledge, told.outlook, {}, "x")["atlas"]))
    return str(key.rpartition("#")[2])


def test_a_fight_is_fought_until_nobody_is_left(first: Told) -> None:
    first.say("down", HALL.replace("There is a coin here.", "A rat is here. The rat attacks you."))
    first.say("attack rat", "The rat dies.", score=9)
    second = Told(HALL, recalled=recall(remembered(first)))
    second.knowledge = with_guide(second, _at_the_rat(second))
    for _ in range(3):
        second.say("attack rat", "You miss the rat. The rat attacks you.")
        assert second.knowledge.memory["guide"]["path"][0][1] == "attack rat"
    second.say("attack rat", "The rat dies.", score=9)
    assert second.knowledge.memory["guide"]["path"] == []


def _at_the_rat(told: Told) -> GuideData:
    memory = told.knowledge.memory["guide"]
    return {**memory, "path": memory["path"][-1:]}


def test_of_a_fight_the_last_blow_is_remembered_and_of_what_was_put_down_nothing(
    first: Told,
) -> None:
    first.say("attack rat with lamp", "You miss the rat.", score=5)
    first.say("drop lamp", "Dropped.", score=5)
    first.say("turn on lantern", "The lantern is now on.", score=5)
    first.say("attack rat with sword", "The rat dies.", score=9)
    commands = [step[1] for step in first.knowledge.memory["trail"]]
    assert commands[-1] == "attack rat with sword"
    assert not {"attack rat with lamp", "drop lamp", "turn on lantern"} & set(commands)


def test_whoever_dies_in_a_fight_does_not_fear_the_blow(first: Told) -> None:
    first.say("down", RAT)
    first.say("attack rat with sword", BITTEN + YARD)
    assert dangerous(remembered(first)) == []


def test_a_room_where_somebody_barred_the_way_is_shunned_by_the_unarmed(first: Told) -> None:
    cave = "Cave\nA damp cave. The hall is north, a tunnel leads east.\n\nA nasty ogre is here.\n"
    first.say("down", HALL, score=5)
    first.say("east", cave, score=5)
    first.say("east", "The ogre blocks your way.", score=5)
    memory = remembered(first)
    ((foe, key, _),) = memory["lessons"]["told"]["barring"]
    assert (key.partition(" #")[0], foe) == ("Cave", "nasty ogre")
    second = Told(HALL, recalled=recall(memory))
    scene = Scene(second.knowledge, all_skills())
    assert {scene.map.title(id) for id in Danger(scene).shunned} == {"Cave"}
    assert max(scene.distances.values()) > 10
    second.say("take sword", "Taken.", score=5)
    assert second.say("east", cave, score=5).options()[0].kind == "fight"
