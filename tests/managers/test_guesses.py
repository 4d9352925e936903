"""What a model is shown: guesses that deserve to be read, notes that say what is so."""

from __future__ import annotations

import pytest

from agents.shown.offers import offers
from agents.shown.situation import Situation
from managers.core.scene import Scene
from managers.language.history import History
from managers.skills import all_skills
from tests.managers.replies import Story
from tests.managers.told import Told

HALL = """Hall
You are in a long stone hall. Doors lead north and east.

You can see a sword here.
You can see a lamp here.
"""


def shown(story: Story) -> Situation:
    return Situation(Scene(story.knowledge, all_skills()))


def guessed(*told: tuple[str, str]) -> list[str]:
    """What a model is shown behind turns of the hall, by command and reply."""
    story, said = Told(told[0][1]), [[0, "", told[0][1], None, ""]]
    for turn, (command, reply) in enumerate(told[1:], 1):
        story.say(command, reply)
        said.append([turn, command, reply, None, "L1"])
    return list(offers(story.options(), Scene(story.knowledge, all_skills()), History(said)))


@pytest.mark.parametrize(
    ("here", "reply", "name"),
    [
        ("A shopkeeper is here.", "You don't have any money.", "money"),
        ("A guy is here.", '"I need a job," he says.', "guy"),
        ("A guy is here.", '"I need a job," he says.', "job"),
    ],
)
def test_what_is_denied_or_a_person_is_not_to_be_taken(here: str, reply: str, name: str) -> None:
    text = f"Hall\nA bare hall. A door leads east.\n\n{here}\n"
    assert f"take {name}" not in guessed(("", text), ("wait", reply))


def test_a_verb_is_no_thing() -> None:
    shown = guessed(("", "Hall\nA large wheel sticks out of the wall."))
    assert shown[0] == "turn wheel"
    assert not any("sticks" in one for one in shown)


def test_what_can_be_read_is_offered_to_be_read() -> None:
    cell = "Cell\nA bare cell. A way leads south.\n\nThere is a crumpled note here.\n"
    assert "read note" in guessed(("", cell))


def test_an_objective_that_says_a_command_is_offered_first() -> None:
    pit = "Pit\nA damp pit. A way leads south.\n\nA large rock is here. A pickaxe is here.\n"
    story = Told(pit).say("take pickaxe", "Taken.")
    wish = "Dig rock with pickaxe."
    shown = offers(
        story.options(), Scene(story.knowledge, all_skills()), History(), [wish, "find the queen"]
    )
    assert shown[0] == "dig rock with pickaxe"


@pytest.mark.parametrize("command", ["wait", "drop match"])
def test_what_has_floated_away_is_not_offered(command: str) -> None:
    told = (("", HALL + "There is a match here.\n"), ("take match", "Taken."))
    shown = guessed(*told, (command, "The match floats away."))
    assert not any("match" in one for one in shown)


@pytest.mark.parametrize(
    ("command", "reply", "name"),
    [
        ("take lamp", "You take it.", "lamp"),
        ("ask gnome for rod", "The gnome sighs and hands it to you.", "rod"),
    ],
)
def test_what_is_in_the_hands_is_not_offered_to_be_taken(
    command: str, reply: str, name: str
) -> None:
    assert Told(HALL).say(command, reply).situation().carried == (name,)
    assert f"take {name}" not in guessed(("", HALL), (command, reply))


def test_a_refusal_about_a_wall_takes_no_way() -> None:
    cell = "Cell\nA bare cell. A door leads west.\n"
    refused = "(first taking the west wall)\nThat isn't available."
    story = Story().hears("", cell, "Cell").hears("push west wall", refused, "Cell")
    assert (shown(story).untried, shown(story).inventory) == (("west",), ())
    assert "take west wall" not in guessed(("", cell), ("push west wall", refused))


def test_what_ended_the_story_here_is_told_again() -> None:
    said = [[0, "", HALL, None, ""], [1, "jump", "You fall.\n\n*** You have died ***", None, "L1"]]
    said.append([2, "undo", "[`jump` is taken back.]", None, "L1"])
    ends = shown(Story().hears("", HALL, "Hall")).ends(History(said))
    assert [one.command for one in ends] == ["jump"]


def test_a_condition_of_which_the_world_tells_is_watched_no_more() -> None:
    story = Story().hears("", HALL, "Hall")
    assert shown(story).untold(["lit lamp"]) == ["lit lamp"]
    story.hears("turn on lamp", "The lamp is now on.", "Hall")
    assert shown(story).untold(["lit lamp"]) == []
