"""Replies about the program describe nothing in the story."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.managers.told import Told
from tests.playing import states_of

PLACE = "Cell\nYou are in a bare cell. An exit leads north."


def test_the_modes_of_a_parser_are_no_things(tmp_path: Path) -> None:
    states = states_of("hollow", tmp_path, graph="words", steps=8, seed=1)
    assert "verbose" in [state["command"] for state in states]
    world = states[-1]["world"]
    found = {*world["objects"], *(name for row in world["scenery"].values() for name in row)}
    assert found.isdisjoint({"normal", "verbose", "long", "short", "no"})


@pytest.mark.parametrize(
    ("command", "reply"),
    [
        ("notify", "Score notification on. A lamp here would say so."),
        ("script", 'Start of a transcript of "The Brass Lamp". There is a printer here.'),
        (
            "long",
            'The Brass Lamp is now in its "verbose" mode, which always gives long descriptions.',
        ),
        ("about", "This story was written for a lamp. There is a menu here."),
    ],
)
def test_what_is_said_of_the_program_is_not_there(command: str, reply: str) -> None:
    known = Told(PLACE).say(command, reply).knowledge
    assert known.world["objects"] == {}
    assert all("lamp" not in name for row in known.world["scenery"].values() for name in row)
