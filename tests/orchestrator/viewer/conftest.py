"""Charts of played stories, turn by turn."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from orchestrator import play
from orchestrator.events import Event, TurnPlayed
from orchestrator.viewer.chart import Chart
from orchestrator.viewer.drawings import chart_of
from tests.conftest import real_story

TURNS, STEP = 300, 20
OURS = ("hollow", "workshop", "morning")
LARGE = ("hollow", "zork1.z5", "lostpig.z8", "advent.z5", "detective.z5")
STORIES = ("workshop", "morning", *(pytest.param(one, marks=pytest.mark.slow) for one in LARGE))


class PlayedStory(NamedTuple):
    """What a story's map was while it was played, and where the player went."""

    charts: list[tuple[Chart, str]]
    """The map and the room in the status line after every 20th turn."""
    moves: set[tuple[str, str]]
    """From room to room, in one turn."""


Charts = Callable[[str], PlayedStory]


@pytest.fixture(scope="session")
def charts_of(tmp_path_factory: pytest.TempPathFactory) -> Charts:
    """A story played for 300 turns.

    A story that is missing skips the test.
    """

    @cache
    def played(story: str) -> PlayedStory:
        found = PlayedStory([], set())

        def watch(event: Event) -> None:
            if not isinstance(event, TurnPlayed):
                return
            found.moves.add((event.before["map"]["here"], event.after["map"]["here"]))
            if event.after["turn"] % STEP == 0:
                found.charts.append((chart_of(event.after), event.after["observation"].room))

        path: str | Path = story if story in OURS else real_story(story)
        out = tmp_path_factory.mktemp("runs")
        options = {"checkpoints": False, "trace": False, "fresh": True}
        play(path, seed=7, steps=TURNS, out=out, watchers=(watch,), **options)
        return found

    return played
