"""Nothing but plain first lines and single keys reaches a story."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from environments.sanitiser import MetaCommands, plain_line, single_key
from environments.splitting import split_commands

VERBS = frozenset("take get go drop open light turn look put read tell kill".split())


@given(st.text(max_size=400), st.one_of(st.none(), st.integers(0, 255)))
def test_lines_are_plain_short_and_safe(text: str, room: int | None) -> None:
    line = plain_line(text, room)
    assert len(line) <= min(58 if room is None else room, 190)
    assert all(" " <= letter <= "~" for letter in line)
    assert not set(line) & set("\\/")
    assert plain_line(line, room) == line


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("north\nquit", "north"),
        ("\n  look  ", "look"),
        ("take café", "take cafe"),
        ("say “hello”", 'say "hello"'),
        ("\\north", "north"),
        ("C:\\Users\\X", "C: Users X"),
        ("../../etc/passwd", ".. .. etc passwd"),
        ("\x0e\x15", ""),
        ("look\x00around", "look around"),
        ("put the very long wooden ladder", "put the very long wooden"),
    ],
)
def test_what_becomes_of_a_text(text: str, line: str) -> None:
    assert plain_line(text, 26) == line


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("", ""), ("q", "q"), ("Q", "Q"), ("\n", ""), ("Enter", ""), ("look around", " "),
        ("yes", "y"), ("No.", "n"), ("nein", "n"), ("up", "\x81"), ("press DOWN", "\x82"),
        ("<left>", "\x83"), ("right arrow", "\x84"), ("Esc", "\x1b"), ("space bar", " "),
        ("delete", "\x08"), ("f12", "\x90"), ("press the Q key", "Q"), ("5", "5"), ("?", "?"),
        ("press any key", " "), ("yes please", " "),
    ],
)  # fmt: skip
def test_keys(text: str, key: str) -> None:
    assert single_key(text) == key


@pytest.mark.parametrize(
    "line",
    ["quit", "Q", "save", "restore.", "look. quit", "take all then restart", "undo", "#record",
     "$ve", "script on", "transcript off", "recording on", "quit the game", "tw-print player",
     "print_state", "oops restart", "O quit", "look. oops save"],
)  # fmt: skip
def test_meta_commands_are_found(line: str) -> None:
    assert MetaCommands(9, debugging=False).find(line)


@pytest.mark.parametrize(
    "line",
    ["save the princess", "restore painting", "undo the knot", "y", "north", "tree", "goto market",
     "record the message", "say please", "random", "print the page", "oops", "oops lamp", "o"],
)  # fmt: skip
def test_what_may_belong_to_the_story_passes(line: str) -> None:
    assert not MetaCommands(9, debugging=False).find(line)


def test_words_are_cut_as_the_dictionary_cuts_them() -> None:
    assert MetaCommands(6, debugging=False).find("restarting")
    assert not MetaCommands(9, debugging=False).find("restarted")


def test_debugging_verbs_count_in_stories_that_know_them() -> None:
    assert MetaCommands(9, debugging=True).find("showverb eight")
    assert MetaCommands(9, debugging=True).find("purloin lamp")
    assert MetaCommands(9, debugging=True).find("test me")


@pytest.mark.parametrize(
    ("text", "commands"),
    [
        ("take lamp. north", ["take lamp", "north"]),
        ("take lamp, then go north", ["take lamp", "go north"]),
        ("take lamp; open door", ["take lamp", "open door"]),
        ("n. e. open window", ["n", "e", "open window"]),
        ("north, east, look", ["north", "east", "look"]),
        ("take lamp and go north", ["take lamp", "go north"]),
        ("take lamp, rope and sword", ["take lamp, rope and sword"]),
        ("take rope and light", ["take rope and light"]),
        ("robot, go north", ["robot, go north"]),
        ("tell robot to go. north", ["tell robot to go. north"]),
        ('say "go. north"', ['say "go. north"']),
        ("turn dial to 3.5", ["turn dial to 3.5"]),
        ("read mr. smith", ["read mr. smith"]),
        ("look.", ["look"]),
        ("", [""]),
    ],
)
def test_splitting(text: str, commands: list[str]) -> None:
    assert split_commands(text, VERBS) == commands
