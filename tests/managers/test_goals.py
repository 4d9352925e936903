"""Goals are read out of texts, and read back from what they are written as."""

from __future__ import annotations

import pytest

from managers.planning.goals import Goal, is_done, parse_goal, places


@pytest.mark.parametrize(
    ("text", "goal"),
    [
        ("take the brass lamp from L12", Goal(kind="have", thing="brass lamp", place="L12")),
        ("open the grate in L5 Cove", Goal(kind="open", thing="grate", place="L5")),
        ("unlock the chest", Goal(kind="unlocked", thing="chest")),
        ("defeat the thief", Goal(kind="gone", thing="thief")),
        ("explore L7 Hill", Goal(kind="explore", place="L7")),
        ("light L9 Cellar", Goal(kind="light", place="L9")),
        ("deposit the crown in L3", Goal(kind="deposit", thing="crown", place="L3")),
        ("put the coin in the box", Goal(kind="in", thing="coin", holder="box")),
        (
            "put brass lamp in trophy case",
            Goal(kind="in", thing="brass lamp", holder="trophy case"),
        ),
        ("get the coin into the box", Goal(kind="in", thing="coin", holder="box")),
        ("get the key in the box", Goal(kind="have", thing="key")),
        ("take the coin on the table", Goal(kind="have", thing="coin")),
        ("put on the hat", None),
        ("go to l4", Goal(kind="at", place="L4")),
        ("burning light", Goal(kind="burning light")),
        ("win", None),
        ("take", None),
    ],
)
def test_a_goal_is_read_out_of_a_text(text: str, goal: Goal | None) -> None:
    assert parse_goal(text) == goal


@pytest.mark.parametrize(
    "goal",
    [
        Goal(kind="have", thing="brass lamp"),
        Goal(kind="unlocked", thing="chest"),
        Goal(kind="in", thing="coin", holder="box"),
        Goal(kind="at", place="L4"),
        Goal(kind="explore", place="L7"),
        Goal(kind="light", place="L9"),
        Goal(kind="light"),
        Goal(kind="standing"),
    ],
)
def test_what_a_goal_is_written_as_reads_back_as_the_same_goal(goal: Goal) -> None:
    assert parse_goal(str(goal)) == goal


def test_locations_are_found_in_any_case() -> None:
    assert places("from l12 to L124, not to level 3") == ("L12", "L124")


def test_a_command_is_done_in_its_place_in_whatever_words() -> None:
    goal = Goal(kind="do", thing="take the lamp", place="L2")
    assert is_done(goal, "get lamp", "L2")
    assert not is_done(goal, "get lamp", "L3")
    assert not is_done(goal, "drop lamp", "L2")
