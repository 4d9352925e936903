"""Status lines, quotation boxes and replies are told apart."""

from __future__ import annotations

import pytest

from environments.numbers import number_of
from environments.scoring import (
    NOTHING_TOLD,
    Told,
    asks_what_next,
    read_score,
    tells_of_death,
    tells_of_victory,
)
from environments.screen import Screen, Status, clean, read_status, strip_status

WIDE = " " * 60


@pytest.mark.parametrize(
    ("line", "status"),
    [
        (f"Cliff Path{WIDE}Score: 5     Moves: 12", Status("Cliff Path", 5, 12)),
        (
            f"  Attic, in the trunk{WIDE}Score: -10   Turns: 3",
            Status("Attic, in the trunk", -10, 3),
        ),
        (f"Lobby{WIDE}Time:  3:00 pm", Status("Lobby", None, None)),
        (f"Deck{WIDE}10/47", Status("Deck", 10, 47)),
        (f"Deck{WIDE}Score: 10/350    Moves: 47", Status("Deck", 10, 47)),
        (f"Deck{WIDE}Score 10   Moves 47", Status("Deck", 10, 47)),
        ("Deck", Status("Deck", None, None)),
        ("Score: 3      Moves: 4", Status(None, 3, 4)),
        ("", Status()),
    ],
)
def test_status_lines(line: str, status: Status) -> None:
    assert read_status(line) == status


@pytest.mark.parametrize(
    "counters", ["Score: 0       Moves: 7", "Time: 10:05 am", "Score: -5  Moves: 1"]
)
def test_the_interpreters_status_line_is_removed(counters: str) -> None:
    line = f" West Wing{WIDE}{WIDE}{counters}      \n"
    assert strip_status(f"{line}You see a lamp.\n") == "You see a lamp.\n"


def test_a_score_told_in_a_reply_stays() -> None:
    assert strip_status("Score: 5 Moves: 3\nGo on.") == "Score: 5 Moves: 3\nGo on."


def test_windows_are_told_apart() -> None:
    screen = Screen()
    raw = "You look.\n\n>" + " " * 128 + "Lobby" + "Score: 5" + "More."
    offset = raw.index("Lobby")
    screen.marks += [(12, 1, 1), (offset, 1, 2), (offset + 5, 1, 102), (offset + 13, 0, 1)]
    lower, upper = screen.divide(raw)
    assert lower == "You look.\n\n>More."
    assert upper == {1: " Lobby" + " " * 95 + "Score: 5" + " " * 19}
    assert read_status(upper[1]) == Status("Lobby", 5, None)
    assert not screen.marks


def test_a_quotation_box_is_part_of_the_reply() -> None:
    screen = Screen()
    screen.marks += [(0, 4, 41), (9, 5, 41), (17, 0, 1)]
    lower, upper = screen.divide("All good.  things\nYou wake.\n\n>")
    assert clean(lower, upper) == "All good.\nthings\nYou wake."


def test_further_rows_of_a_status_are_no_part_of_the_reply() -> None:
    rows = {1: " Forest          N", 2: " Score: 4     W * E   Moves: 12 ", 3: "         S"}
    assert clean("You walk.\n\n>", rows) == "You walk."


@pytest.mark.parametrize(
    ("lower", "text"),
    [
        ("\n\nTaken.\n\n>", "Taken."),
        (">", ""),
        ("Who goes there?\n> ", "Who goes there?"),
        ("Taken.\n\nWhat now?", "Taken."),
        ("Hall\nA hall.\n\nWhat do you want to do now? ", "Hall\nA hall."),
        ("It is dark.\n \nWhat shall I do? >", "It is dark."),
        ("What now?", "What now?"),
        ("He looks at you.\n\nWhat do you want to ask him?", None),
    ],
)
def test_prompts_are_removed(lower: str, text: str | None) -> None:
    assert clean(lower, {}) == (lower if text is None else text)


INFORM_END = (
    "    *** You have died ***\n\nIn that game you scored 5 out of a possible 100, in 9 turns.\n\n"
    "Would you like to RESTART, RESTORE a saved game or QUIT?"
)
INFOCOM_END = (
    "Your score is 35 (total of 350 points), in 120 moves.\n\nWould you like to restart the game "
    "from the beginning, restore a saved game position, or end this session of the game?\n"
    "(Type RESTART, RESTORE, or QUIT):"
)


def test_ends() -> None:
    assert asks_what_next(INFORM_END)
    assert asks_what_next(INFOCOM_END)
    assert not asks_what_next("You restore the painting. The rest of it is in a quiet corner.")


def test_deaths_and_victories() -> None:
    assert tells_of_death(INFORM_END)
    assert tells_of_death("   ****  You have died  ****\n\nNow let's see...")
    assert tells_of_death("The bridge gives way.\n\nYou have died.\n\nYou wake in a wood.")
    assert not tells_of_death("You have died of boredom, says the clerk.")
    assert not tells_of_death("A sign reads: You are dead wrong.")
    assert tells_of_victory("*** You have won ***")
    assert tells_of_victory("***Du hast gewonnen***")
    assert tells_of_victory("*** Vous avez gagné ***")
    assert not tells_of_victory(INFORM_END)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Your score is 35 (total of 350 points), in 12 moves.", Told(35, 350, 12)),
        ("You have so far scored 0 out of a possible 30, in 1 turn.", Told(0, 30, 1)),
        ("Your score is -5 of a possible 100.", Told(-5, 100, None)),
        ("You have earned 7 points.", Told(7, 0, None)),
        ("You have 0 out of 100 points", Told(0, 100, None)),
        ("You have earned 25 of 100 points, in 3 turns.", Told(25, 100, 3)),
        ("So far you have 12 points out of a possible 40.", Told(12, 40, None)),
        ("Points: 3/50", Told(3, 50, None)),
        ("You scored forty-seven out of fifty, in one hundred and two turns.", Told(47, 50, 102)),
        ("[3/50 points]", Told(3, 50, None)),
        ("You have -10 points out of a maximum of 60 points.", Told(-10, 60, None)),
        (INFORM_END, Told(5, 100, 9)),
        ("There is no score in this story.", NOTHING_TOLD),
        ('I don\'t know the word "score".', NOTHING_TOLD),
    ],
)
def test_told_scores(text: str, told: Told) -> None:
    assert read_score(text) == told


@pytest.mark.parametrize(
    ("line", "status"),
    [
        (" 10:15 am          Kitchen", Status("Kitchen", None, None)),
        (" Time: 9:05 pm     Score: 5", Status(None, 5, None)),
        (" Monday, 8:30 a.m.      Hall       Moves: 3", Status("Hall", None, 3)),
        ("      N", Status()),
        (" NW  N  NE    Garden", Status("Garden", None, None)),
        (" Garden      N   E   SW", Status("Garden", None, None)),
        ("  - W - + - E -  ", Status()),
        (" Exits: north, west", Status()),
        (" West of House     Score: 0   Moves: 1", Status("West of House", 0, 1)),
        (" Attic", Status("Attic", None, None)),
        (f"{' ' * 60}2", Status()),
    ],
)
def test_clocks_and_compass_roses_are_no_rooms(line: str, status: Status) -> None:
    assert read_status(line) == status


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("W * E  In   Moves: 19", ""),
        ("  S   Down", ""),
        ("Down by the river", "Down by the river"),
        (" (in the hall)    8 June", ""),
    ],
)
def test_what_goes_on_with_a_compass_rose_is_no_part_of_the_reply(row: str, told: str) -> None:
    reply = clean("It seems to be locked.\n\n>", {1: " Yard  N", 2: row})
    assert reply == "\n".join(filter(None, [told, "It seems to be locked."]))


@pytest.mark.parametrize(
    ("words", "number"),
    [("twenty-five", 25), ("one hundred and two", 102), ("12", 12), ("zero", 0), ("and", None)],
)
def test_numbers_in_words(words: str, number: int | None) -> None:
    assert number_of(words) == number
