"""The agent's words are those of English and of interactive fiction, not of one story."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from environments.vocabulary import Vocabulary
from managers.language.lexicon import known_noun
from managers.language.nouns import noun_phrases
from tests.managers.lexicon_words import ROOT, words

EMBEDDED = ("hollow", "morning", "workshop")
REAL = ("zork1", "detective", "905", "advent", "library", "pentari", "temple")
_ENDINGS = ("", "s", "es", "ed", "ing")


def known_words() -> dict[str, set[str]]:
    """The sections of known_words.txt."""
    sections: dict[str, set[str]] = {}
    for line in Path(__file__).with_name("known_words.txt").read_text("utf-8").splitlines():
        if not line.startswith("#"):
            name, _, listed = line.partition(":")
            sections.setdefault(name, set()).update(listed.split())
    return sections


def vocabularies(paths: Sequence[Path]) -> dict[str, Vocabulary]:
    return {path.stem: Vocabulary(path.read_bytes()) for path in paths}


def of_one_story(stories: Mapping[str, Vocabulary], allowed: set[str]) -> dict[str, str]:
    """The agent's words that only one of the stories knows, and which one.

    An inflection or the opposite of a word that is none of them is none either.
    """
    suspects = {}
    for word in words():
        knowing = [name for name, known in stories.items() if word in known]
        if len(knowing) == 1 and word not in allowed:
            suspects[word] = knowing[0]
    fine = allowed | (words().keys() - suspects.keys())
    return {word: story for word, story in suspects.items() if not _stems(word) & fine}


def _stems(word: str) -> set[str]:
    base = word.removeprefix("un")
    stems = {
        whole.removesuffix(ending)
        for whole in (word, base)
        for ending in _ENDINGS
        if whole.endswith(ending)
    }
    return stems - {word}


def embedded() -> list[Path]:
    return [ROOT / "game_files" / f"{name}.z5" for name in EMBEDDED]


def test_no_word_is_known_from_one_embedded_story_alone() -> None:
    known = known_words()
    allowed = known["everyday"] | known["elsewhere"]
    assert of_one_story(vocabularies(embedded()), allowed) == {}


@pytest.mark.slow
def test_no_word_is_known_from_one_story_alone(story_path: Callable[[str], Path]) -> None:
    paths = [*embedded(), *(story_path(f"{name}.z5") for name in REAL)]
    known = known_words()
    assert of_one_story(vocabularies(paths), known["everyday"] | known["playing"]) == {}


def test_a_word_of_one_story_is_found() -> None:
    assert of_one_story(vocabularies(embedded()), set())["wardrobe"] == "morning"


@pytest.mark.parametrize(
    ("noun", "told"),
    [
        ("box", "box"),
        ("boxes", "box"),
        ("mailbox", "box"),
        ("strongbox", "box"),
        ("turkey", ""),
        ("box office", ""),
        ("string", ""),
        ("staring", ""),
        ("signet-ring", "ring"),
    ],
)
def test_a_noun_is_known_by_its_singular_or_its_last_part(noun: str, told: str) -> None:
    assert known_noun(noun, {"box", "key", "ring"}) == told


def test_what_somebody_or_something_does_is_no_part_of_its_name() -> None:
    told = "A sign on the wall indicates that the door is locked. The painting resembles the vase."
    names = [phrase.name for phrase in noun_phrases(told)]
    assert names == ["sign", "wall", "door", "painting", "vase"]
    told = (
        "A police car drives by. There is a lightning rod sticking up, and a window overlooking it."
    )
    assert [phrase.name for phrase in noun_phrases(told)] == [
        *("police car", "lightning rod", "window"),
    ]
