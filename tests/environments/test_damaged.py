"""Stories whose bytes make no sense: refused or played, in one line, and never for ever."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from benchmarks.damaged import Outcome, damaged, one
from environments.catalog import find_story
from environments.jericho_game import JerichoGame
from environments.story import read_story
from tests.command_line import zork
from tests.environments.tiny_story import tiny_story

_GLOBALS, _OBJECTS, _DICTIONARY, _ALPHABET = 0x0C, 0x0A, 0x08, 0x34


def repaired(data: bytearray) -> bytes:
    """The story with its checksum made right again."""
    length = int.from_bytes(data[0x1A:0x1C], "big") * 4
    data[0x1C:0x1E] = (sum(data[0x40:length]) & 0xFFFF).to_bytes(2, "big")
    return bytes(data)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("field", "value"),
    [
        (_OBJECTS, None),
        (_DICTIONARY, None),
        (_ALPHABET, 0x0100),
        (0x36, 0xFFF0),
        (0x18, 0xFFFE),
    ],
)
def test_an_address_that_points_elsewhere_is_no_traceback(
    tmp_path: Path, field: int, value: int | None
) -> None:
    data = bytearray(find_story("workshop").data)
    static = int.from_bytes(data[0x0E:0x10], "big")
    where = (static - 40 if field == _OBJECTS else 0xFF00) if value is None else value
    data[field : field + 2] = where.to_bytes(2, "big")
    path = tmp_path / "damaged.z5"
    path.write_bytes(repaired(data))
    for graph in ("offline", "words", "jericho"):
        done = zork(
            *("play", "--game", str(path), "--graph", graph, "--steps", "2", "--fresh"),
            *("--out", str(tmp_path / "runs")),
        )
        assert done.returncode in (0, 2), done.stderr
        assert "Traceback" not in done.stdout + done.stderr
        assert done.stderr.count("\n") <= 1, done.stderr


def test_a_story_that_never_comes_to_rest_ends(tmp_path: Path) -> None:
    path = tmp_path / "tiny.z3"
    path.write_bytes(tiny_story())
    with JerichoGame(read_story(path), cpu_seconds=0.1) as game:
        start = game.start(1)
        steps = [game.play(start.snapshot, f"hang {number}") for number in range(6)]
        assert [step.observation.ended for step in steps] == [False] * 4 + [True] * 2
        assert "did not survive 5 commands in a row" in steps[4].observation.text
        assert steps[4].tally.ended
        assert not game.start(1).observation.ended


def test_what_answers_in_between_keeps_a_story_alive(tmp_path: Path) -> None:
    path = tmp_path / "tiny.z3"
    path.write_bytes(tiny_story())
    with JerichoGame(read_story(path), cpu_seconds=0.1) as game:
        start = game.start(1)
        for number in range(6):
            assert not game.play(start.snapshot, f"hang {number}").observation.ended
            assert game.play(start.snapshot, "wait").observation.text == "ok"


@pytest.mark.slow
def test_stories_with_bytes_changed_at_random(tmp_path: Path) -> None:
    outcome = Outcome()
    options = argparse.Namespace(steps=2, seconds=0.2)
    for number in range(1, 25):
        path = tmp_path / f"{number}.z5"
        path.write_bytes(damaged(number))
        outcome.ends[one(path, number, options, outcome)] += 1
    assert not outcome.errors
