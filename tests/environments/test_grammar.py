"""Dictionary and grammar: read from the tables of each kind of story."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from environments.catalog import find_story
from environments.valid_actions.grammar import GrammarLine, Slot, read_grammar
from environments.valid_actions.templates import Phrasing
from environments.vocabulary import Vocabulary

StoryPath = Callable[[str], Path]
HELD, NOUN = Slot(held=True), Slot()


def grammar(memory: bytes) -> list[GrammarLine]:
    return read_grammar(memory, Vocabulary(memory))


def phrases(memory: bytes) -> list[str]:
    """The commands of all templates with the same noun in every place."""
    known = Phrasing(Vocabulary(memory).letters).templates(grammar(memory))
    return [template.fill(*["it"] * len(template.slots)) for template in known]


def test_words_are_known_by_the_letters_that_count() -> None:
    vocabulary = Vocabulary(find_story("hollow").data)
    assert "lamp" in vocabulary
    assert "examine" in vocabulary
    assert "inventoryandmore" in vocabulary
    assert "frobnicate" not in vocabulary
    lamp = vocabulary.get("lamp")
    assert lamp is not None
    assert lamp.noun
    assert vocabulary.at(lamp.address) == lamp
    assert not getattr(vocabulary.get("examine"), "noun", True)


@pytest.mark.parametrize(
    ("name", "kind"), [("hollow", 2), ("detective.z5", 2), ("library.z5", 1), ("zork1.z5", 0)]
)
def test_the_grammar_of_inform_and_infocom_is_read(
    story_path: StoryPath, name: str, kind: int
) -> None:
    memory = story_path(name).read_bytes() if "." in name else find_story(name).data
    lines = grammar(memory)
    assert len({line.action for line in lines}) > 50
    puts = [line.parts for line in lines if "put" in line.verbs]
    assert any([part for part in parts if isinstance(part, str)] == ["in"] for parts in puts)
    unlocks = [line for line in lines if "unlock" in line.verbs and len(line.slots) == 2]
    assert unlocks
    assert unlocks[0].parts[1] == "with"
    assert all(len(line.slots) <= 2 or kind == 2 for line in lines)


def test_one_natural_phrase_stands_for_each_action(story_path: StoryPath) -> None:
    found = phrases(story_path("zork1.z5").read_bytes())
    wanted = [
        "take it",
        "drop it",
        "open it",
        "put it in it",
        "unlock it with it",
        "throw it at it",
    ]
    assert set(wanted) <= set(found)
    assert found.index("take it") < found.index("unlock it with it")
    assert "pick up it" not in found
    assert not [phrase for phrase in found if phrase.split()[0] in ("save", "quit", "verbos", "i")]


def test_a_session_verb_is_not_tried() -> None:
    verbs = {verb for line in grammar(find_story("hollow").data) for verb in line.verbs}
    assert "look" in verbs
    assert not verbs & {"quit", "save", "restore", "restart", "score", "script", "inventory"}


def test_unknown_tables_give_way_to_general_commands() -> None:
    memory = bytearray(find_story("hollow").data)
    static = int.from_bytes(memory[0x0E:0x10], "big")
    memory[static : static + 400] = bytes(400)
    lines = grammar(bytes(memory))
    assert GrammarLine(0, ("take",), (NOUN,), 0) in lines
    assert all(line.verbs[0] in Vocabulary(memory) for line in lines)
