"""What readers of real stories found wrong in the notes, on those stories."""

from __future__ import annotations

from jericho import FrotzEnv

from agents.shown.offers import offers
from managers.core.scene import Scene
from managers.language.history import History
from managers.skills import all_skills
from tests.conftest import real_story
from tests.managers.told import Told

TO_THE_HALL = ("push mountain", "southwest", "southwest")


def played(story: str, *commands: str) -> tuple[Told, list[str]]:
    """What is known after some commands, and what a model is shown as guesses then."""
    game = FrotzEnv(str(real_story(story)), seed=12)
    text = game.reset()[0]
    told, said = Told(text), [[0, "", text, None, ""]]
    for turn, command in enumerate(commands, 1):
        here, reply = told.knowledge.here, game.step(command)[0]
        told.say(command, reply)
        said.append([turn, command, reply, None, here])
    game.close()
    return told, list(offers(told.options(), Scene(told.knowledge, all_skills()), History(said)))


def test_who_is_paralyzed_by_fear_has_met_no_wall() -> None:
    told, _ = played("deephome.z5", *TO_THE_HALL, "south")
    assert "paralyzed" in told.transition.text
    assert "south (tried in turn 4)" in told.situation().untried


def test_a_wheel_that_sticks_out_is_a_wheel() -> None:
    way = (*TO_THE_HALL, *["wait"] * 4, *["south"] * 4, "southwest")
    told, shown = played("deephome.z5", *way)
    assert "sticks out" in told.transition.text
    assert shown[0] == "turn wheel"
    assert not any("sticks" in one for one in shown)


def test_a_dismal_spring_and_a_job_are_no_things() -> None:
    told, shown = played("reverb.z5")
    assert "dismal spring" in told.transition.text
    words = {word for one in shown for word in one.split()}
    assert words.isdisjoint({"spring", "job", "guy", "money", "i", "they", "verbose"})


def test_what_lies_on_a_counter_that_was_looked_at_is_offered() -> None:
    _, shown = played("reverb.z5", "examine counter")
    assert {"examine note", "read note", "take note"} & set(shown)
