"""The action table is sound, and every command has one form under which it is remembered."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from managers.language.actions import (
    DIRECTIONS,
    WORDS,
    as_understood,
    canonical,
    classes,
    direction_of,
    opposite,
    parse,
    same_action,
    table,
)
from managers.language.lexicon import word_list

NOUNS = ("lamp", "brass key", "old oak chest", "rope")
BETWEEN = ("in", "on", "with", "to", "under", "from")
BEGINNINGS = sorted({*table().words, *(" ".join(both) for both in table().phrases)})
COMMANDS = st.one_of(
    st.sampled_from(BEGINNINGS),
    st.sampled_from(sorted(WORDS)),
    st.builds("{} {}".format, st.sampled_from(BEGINNINGS), st.sampled_from(NOUNS)),
    st.builds(
        "{} the {} {} a {}".format,
        st.sampled_from(BEGINNINGS),
        st.sampled_from(NOUNS),
        st.sampled_from(BETWEEN),
        st.sampled_from(NOUNS),
    ),
    st.lists(st.sampled_from([*BETWEEN, *NOUNS, *BEGINNINGS, "the", "up", "off", ","])).map(
        " ".join
    ),
)


def test_every_word_of_the_table_means_its_verb() -> None:
    assert {word: parse(f"{word} lamp").verb for word in table().words} == table().words


def test_every_phrase_of_the_table_means_its_verb() -> None:
    read = {phrase: parse(f"{' '.join(phrase)} the lamp") for phrase in table().phrases}
    assert {phrase: action.verb for phrase, action in read.items()} == table().phrases
    assert {action.object for action in read.values()} == {"lamp"}


def test_the_table_names_only_kinds_and_classes_that_there_are() -> None:
    known = {
        "any",
        *word_list("things.txt"),
        *(name for names in table().classes.values() for name in names),
    }
    rows = (*table().verbs.values(), *table().singles, *table().pairs)
    assert {row.kind for row in rows} <= table().kinds.keys()
    assert {name for row in table().singles for name in row.classes} <= known


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("get the lamp", "take lamp"),
        ("x my lamp", "examine lamp"),
        ("l under the rug", "look under rug"),
        ("turn the lamp on", "turn on lamp"),
        ("take coat off", "take off the coat"),
        ("Go North", "n"),
        ("enter", "in"),
        ("z", "wait"),
        ("put the coin in the box", "put coin in box"),
        ("look in box", "l in the box"),
    ],
)
def test_what_every_parser_takes_for_the_same_has_one_form(one: str, other: str) -> None:
    assert canonical(one) == canonical(other)
    assert same_action(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("turn lamp", "turn lamp on"),
        ("turn on lamp", "turn off lamp"),
        ("look", "look under"),
        ("look under rug", "look behind rug"),
        ("look under rug", "examine rug"),
        ("read sign", "examine sign"),
        ("put coin in box", "put coin on box"),
        ("put coin in box", "put coin under box"),
        ("unlock chest with key", "unlock key with chest"),
        ("climb up tree", "climb down tree"),
        ("get out", "take out"),
        ("up", "get up"),
        ("attack rat", "attack rat with sword"),
        ("give coin to troll", "give troll to coin"),
    ],
)
def test_different_commands_stay_apart(one: str, other: str) -> None:
    assert canonical(one) != canonical(other)
    assert not same_action(one, other)


@settings(deadline=None)
@given(COMMANDS)
def test_the_form_of_a_command_is_a_command_with_the_same_form(command: str) -> None:
    assert canonical(canonical(command)) == canonical(command)
    assert parse(canonical(command)) == parse(command)


@settings(deadline=None)
@given(COMMANDS)
def test_case_and_spaces_mean_nothing(command: str) -> None:
    assert parse(f"  {command.upper().replace(' ', '  ')} ") == parse(command)


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_a_direction_is_its_own_form_and_has_an_opposite(direction: str) -> None:
    assert canonical(f"go {direction}") == canonical(direction) == direction_of(direction)
    assert opposite(opposite(direction) or "") == direction


@pytest.mark.parametrize(
    ("command", "kind"),
    [
        ("look", "look"),
        ("look under rug", "search"),
        ("read note", "read"),
        ("examine note", "examine"),
        ("attack troll", "fight"),
        ("n", "travel"),
        ("frobnicate lamp", "use"),
    ],
)
def test_a_command_is_of_a_kind(command: str, kind: str) -> None:
    assert parse(command).kind == kind


def test_flags_say_what_a_verb_does_in_general() -> None:
    assert parse("examine lamp").has("tells")
    assert parse("throw lamp").has("carried")
    assert not parse("take lamp").has("carried")
    assert not parse("frobnicate lamp").has("tells")


def test_a_noun_is_of_the_classes_of_its_head_and_of_what_was_seen_of_it() -> None:
    assert "rope-like" in classes("long rope")
    assert "openable" in classes("gizmo", ("openable",))
    assert not classes("gizmo")


@pytest.mark.parametrize(
    ("command", "reply", "understood"),
    [
        ("open box", "(the red box)\nYou open it.", "open red box"),
        ("unlock door", "(with the iron key)\nUnlocked.", "unlock door with iron key"),
        ("unlock it", "(with the iron key)\nUnlocked.", "unlock it with iron key"),
        ("wear it", "(Taken)\nYou are now wearing the hat.", "wear it"),
        ("take lamp", "(first opening the case)\nTaken.", "take lamp"),
        ("take lamp", "Taken.", "take lamp"),
        (
            "give card to guard",
            "(the ID card to the night guard)\nHe nods.",
            "give id card to night guard",
        ),
    ],
)
def test_what_the_game_says_in_brackets_was_meant(
    command: str, reply: str, understood: str
) -> None:
    assert as_understood(command, reply) == understood
