"""A game in its worker process: pure, exact, and alive after everything."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from environments.game import GameError
from environments.jericho_game import JerichoGame, open_game
from environments.story import read_story

StoryPath = Callable[[str], Path]


@pytest.fixture
def zork(story_path: StoryPath) -> Iterator[JerichoGame]:
    with open_game(read_story(story_path("zork1.z5"))) as game:
        yield game


def test_status_line_is_read_and_removed(zork: JerichoGame) -> None:
    opening = zork.start(12)
    north = zork.play(opening.snapshot, "north").observation
    assert (north.room, north.score, north.moves) == ("North of House", 0, 1)
    assert north.text.startswith("North of House\nYou are facing")
    assert not north.text.endswith(">")


def test_playing_is_a_function_of_snapshot_and_command(zork: JerichoGame) -> None:
    opening = zork.start(12)
    first = zork.play(opening.snapshot, "open mailbox")
    zork.play(first.snapshot, "take leaflet")
    assert zork.play(opening.snapshot, "open mailbox") == first


def test_a_killed_worker_is_not_noticed(zork: JerichoGame) -> None:
    opening = zork.start(12)
    expected = zork.play(opening.snapshot, "open mailbox")
    os.kill(zork.pid, signal.SIGKILL)
    assert zork.play(opening.snapshot, "open mailbox") == expected
    assert zork.faults == 0


def test_a_seed_is_explicit(zork: JerichoGame) -> None:
    with pytest.raises(GameError, match="seed 0"):
        zork.start(0)
