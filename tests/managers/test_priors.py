"""What players of other stories did next is learned the same way every time, and of no story."""

from __future__ import annotations

from pathlib import Path

import pytest

from agents.shown.priors import LEAST_VALUE, Features, Offer, learned, phrase
from benchmarks.candidates import case, moments, share
from benchmarks.priors import learn_from, text
from managers.core.scene import Scene
from managers.language.actions import classes, parse, table
from managers.language.history import History, HistoryData
from managers.language.lexicon import word_list
from managers.skills import all_skills
from managers.world.knowledge import Knowledge

STORIES = ("hollow", "workshop")


@pytest.fixture(scope="module")
def written() -> str:
    return text(*learn_from(STORIES))


@pytest.mark.slow
def test_the_same_stories_teach_the_same_bit_for_bit(written: str) -> None:
    assert text(*learn_from(STORIES)) == written
    assert '[weights."class"]' in written


def test_what_was_learned_knows_standard_verbs_and_classes_of_nouns_alone() -> None:
    known = learned()
    assert "other" not in {phrase(parse(one.replace("{}", "thing"))) for one in known.commands}
    verbs = {*table().verbs, *(phrase(parse(one)) for one in table().words), "other"}
    for name in ("after", "fit", "second fit"):
        assert {row.split()[0] for row in known.weights[name]} <= verbs
    nouns = [
        *table().classes,
        *(noun for some in word_list("things.txt").values() for noun in some),
    ]
    kinds = {kind for noun in nouns for kind in classes(noun)}
    named = {one for row in known.weights["class"].values() for one in row}
    assert named <= kinds | {"unknown"}


def test_what_was_learned_finds_most_of_a_walkthrough_of_another_story() -> None:
    found = [case(moment) for moment in moments("morning")]
    assert share(found, 8) > 0.5


def test_the_file_is_small() -> None:
    path = Path(__file__).parents[2] / "agents" / "shown" / "priors.toml"
    assert path.stat().st_size <= 300_000


@pytest.mark.parametrize("value", [-1.0, 0.0])
def test_what_the_planner_advises_against_has_the_least_worth(value: float) -> None:
    features = Features(Scene(Knowledge.new(), all_skills()), History())
    worths = {row for name, _, row in features.of(Offer("take lamp", "take", value), 0)}
    assert str(LEAST_VALUE) in worths


def test_what_was_done_last_with_a_thing_tells_what_is_done_next() -> None:
    def last(*commands: str) -> str:
        rows: HistoryData = [[at, one, "Done.", 0, "L1"] for at, one in enumerate(commands)]
        features = Features(Scene(Knowledge.new(), all_skills()), History(rows))
        found = {name: column for name, _, column in features.of(Offer("open door", "", 1.0), 0)}
        return found["last"]

    assert last("unlock door with key") == "unlock with just"
    assert last("unlock door with key", "north") == "unlock with"
    assert last("unlock chest with key", "north") == "nothing"
    weights = learned().weights["last"]["open"]
    assert weights["unlock with just"] > weights["open"]
