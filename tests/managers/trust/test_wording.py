"""Which statements say the same, and what a command does about one."""

from __future__ import annotations

import pytest

from managers.belief.wording import addressing, opposed, same, sort_of
from managers.language.actions import same_action


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("opened the window", "the window is open"),
        ("The grate isn't locked", "unlocked the grate"),
        ("took the brass key", "you take a brass key"),
        ("find the treasure", "find treasures"),
        ("cross the moor", "crossed the moor"),
    ],
)
def test_statements_that_say_the_same(one: str, other: str) -> None:
    assert same(one, other)
    assert not opposed(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("the window is open", "the window is closed"), ("lamp is lit", "the lamp isn't lit")],
)
def test_statements_that_contradict_each_other(one: str, other: str) -> None:
    assert opposed(one, other)
    assert not same(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("opened the blue door with the key", "opened the red door with the key"),
        ("took the lamp", "lit the lamp"),
        ("", "it is"),
    ],
)
def test_statements_that_have_nothing_to_do_with_each_other(one: str, other: str) -> None:
    assert not same(one, other)
    assert not opposed(one, other)


@pytest.mark.parametrize(
    ("command", "condition", "least", "most"),
    [
        ("stand up", "you have to get up first", 0.7, 1.0),
        ("unlock grate with key", "the grate is locked", 0.9, 1.0),
        ("take grate", "the grate is locked", 0.4, 0.6),
        ("n", "north", 1.0, 1.0),
        ("north", "south", 0.0, 0.0),
        ("open window", "the grate is locked", 0.0, 0.0),
        ("north", "open the north gate", 0.0, 0.0),
        ("examine grate", "the grate is locked", 0.0, 0.0),
    ],
)
def test_what_a_command_does_about_a_condition(
    command: str, condition: str, least: float, most: float
) -> None:
    assert least <= addressing(command, condition) <= most


def test_recommendations_are_sorted_by_what_they_name() -> None:
    assert sort_of("wait", listed=True) == "listed"
    assert sort_of("take lamp", listed=False) == "specific"
    assert sort_of("go north", listed=False) == "specific"
    assert sort_of("pray", listed=False) == "vague"
    assert same_action("go north", "n")
    assert not same_action("n", "open door")
