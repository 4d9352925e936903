"""What an agent is told depends on the access that its graph declares."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest

from orchestrator.state import State
from tests.playing import states_of


def states(graph: str, out: Path) -> list[State]:
    return states_of("workshop", out, graph=graph, seed=2, steps=4)


def test_text_shows_no_facts_and_no_actions(tmp_path: Path) -> None:
    for state in states("offline", tmp_path):
        assert state["observation"].words is None
        assert state["observation"].facts is None
        assert state["observation"].actions is None
        assert state["score"].tried == 0


@pytest.mark.slow
def test_the_help_that_is_declared_reaches_the_candidates(tmp_path: Path) -> None:
    played = states("jericho", tmp_path)
    for state in played:
        facts = state["observation"].facts
        assert facts is not None
        assert facts.room is not None
        assert state["observation"].actions
        assert state["score"].last.tried > len(state["observation"].actions)
    assert played[-1]["score"].tried == sum(state["score"].last.tried for state in played)
    (record,) = tmp_path.glob("*/episode.json")
    assert json.loads(record.read_bytes())["tried"] == played[-1]["score"].tried
    for before, after in pairwise(played):
        offered = {action.command for action in before["observation"].actions or ()}
        kinds = {c.command: c.kind for c in after["options"]}
        assert offered & kinds.keys()
    assert any(c.kind == "offered" for state in played[1:] for c in state["options"])


def test_the_dictionary_tells_which_words_the_parser_knows(tmp_path: Path) -> None:
    opening, *later = states("words", tmp_path)
    told = opening["observation"].words
    assert told is not None
    assert {"unlock", "wind", "north"} <= set(told.known)
    assert "grail" not in told.known
    assert {"workbench", "stove", "clock"} <= set(told.nouns)
    assert "the" not in told.nouns
    assert all(state["observation"].words.known == () for state in later)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_with_the_dictionary_no_unknown_word_is_sent(tmp_path: Path, seed: int) -> None:
    opening, *said = states_of("hollow", tmp_path, graph="words", seed=seed, steps=60)
    words = opening["observation"].words
    assert words is not None
    for state in said:
        for word in state["command"].split():
            assert word[: words.letters] in words.known or word in ("the", "to"), state["command"]


def test_verbs_of_the_storys_own_are_options(tmp_path: Path) -> None:
    told = states("words", tmp_path)[0]["observation"].words
    assert told is not None
    assert "use {}" in told.commands
    assert not {"take {}", "north", "sing", "verbose"} & set(told.commands)
