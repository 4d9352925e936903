"""An episode that was told by hand, and the one that comes after it."""

from __future__ import annotations

from managers.core.handover import Memory, distil, recall
from managers.world.knowledge import Knowledge
from managers.world.trail import GuideData
from tests.managers.told import Told

YARD = "Yard\nA bare yard with a pump in the middle. A gate leads north.\n"
HALL = "Hall\nA cold hall. The yard is south, and stairs lead up.\n\nThere is a coin here.\n"
LOFT = "Loft\nDust and cobwebs under the rafters. The stairs lead down.\n"


def with_coin(told: Told) -> Told:
    """In the hall, after the coin has scored."""
    told.say("open gate", "Opened.").say("north", HALL)
    return told.say("take coin", "Taken.", score=5)


def remembered(told: Told, run: str = "one") -> Memory:
    """What the episode leaves."""
    return distil(told.knowledge, told.outlook, {}, run)


def again(told: Told, opening: str = YARD) -> Told:
    """The next episode, with a memory of this one."""
    return Told(opening, recalled=recall(remembered(told)))


def with_guide(told: Told, guide: GuideData) -> Knowledge:
    """What is known, with other progress on what earlier episodes left."""
    known = told.knowledge
    return known.with_(memory={**known.memory, "guide": guide})


def path_of(told: Told) -> list[str]:
    """What is left of the trajectory that is followed."""
    return [step[1] for step in told.knowledge.memory["guide"]["path"]]


def next_command(told: Told) -> str:
    """What comes first now."""
    return told.options()[0].command
