"""What the text speaks of doing is tried, and so is what failed for a reason that has gone."""

from __future__ import annotations

import pytest

from managers.language.cues import Cue, cues_in
from tests.managers.told import Told, without

TOWER = """Bell Tower
A square room under the bells.

There is an iron winch here.
There is a long crank here.
There is an oak cupboard here.
"""


@pytest.mark.parametrize(
    ("text", "cues"),
    [
        ("A handle for winding a tall clock.", [Cue("wind", "tall clock")]),
        ("It would have to be wound first.", [Cue("wind", "it")]),
        ("A clock that is wound tells the time.", [Cue("wind", "clock")]),
        ("You have nothing to cut it with.", [Cue("cut", "it")]),
        ("Directions:\n  slice the carrot\n", [Cue("slice", "carrot")]),
        ("Then, put the coin in the slot.", [Cue("put", "coin", "in", "slot")]),
        ("The window is boarded, and the light is dim.", []),
        ("The water runs to the sea by night.", []),
    ],
)
def test_texts_are_searched_for_what_one_could_do(text: str, cues: list[Cue]) -> None:
    assert list(cues_in(text)) == cues


def test_a_description_tells_what_a_tool_is_for() -> None:
    tower = Told(TOWER).say("take crank", "Taken.")
    assert "turn winch with crank" not in tower.commands()
    tower.say("examine crank", "A crank for turning the winch.")
    assert {"turn winch", "turn winch with crank"} <= set(tower.commands())


def test_it_is_what_the_command_was_about_unless_cues_are_switched_off() -> None:
    for on in (True, False):
        tower = Told(TOWER, skills=without(*([] if on else ["orders"])))
        tower.say("examine winch", "It would have to be oiled first.")
        assert ("oil winch" in tower.commands()) == on


def test_the_thing_that_goes_by_the_full_name_is_meant_and_a_blade_cuts() -> None:
    tower = Told(TOWER + "There is a red rope here.\nThere is a grey rope here.\n")
    tower.say("take knife", "You take the knife.").say("wait", "Then cut the grey rope.")
    commands = tower.commands()
    assert {"cut grey rope", "cut grey rope with knife"} <= set(commands)
    assert "cut red rope" not in commands


def test_what_the_game_fights_with_by_itself_is_a_weapon() -> None:
    tower = Told(TOWER + "There is a gaff here.\n").say("take gaff", "Taken.")
    tower.say("look", TOWER + "A guard stands here.")
    tower.say("attack guard", "(with the gaff)\nYou hit the guard. The guard attacks you.")
    assert "attack guard with gaff" in tower.commands()


def test_a_command_is_tried_again_when_what_it_failed_for_is_gone() -> None:
    tower = Told(TOWER).say("open cupboard", "It seems to be locked.")
    assert "retry" not in kinds(tower, "open cupboard")
    tower.say("unlock cupboard with crank", "You unlock the cupboard.")
    assert "retry" in kinds(tower, "open cupboard")
    tower.say("open cupboard", "You open the cupboard.")
    assert "retry" not in kinds(tower, "open cupboard")


def kinds(told: Told, command: str) -> list[str]:
    return [one.kind for one in told.options() if one.command == command]
