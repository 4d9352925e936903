"""What a story's file tells."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from environments.anatomy import Anatomy, dissect
from environments.story import read_story

STORIES = Path(__file__).parents[2] / "game_files"


def test_an_infocom_story(story_path: Callable[[str], Path]) -> None:
    anatomy = dissect(read_story(story_path("zork1.z5")))
    assert anatomy == Anatomy(
        words=697, objects=250, compiler="unknown", status_line="score and moves", debugging=False
    )


def test_an_inform_story() -> None:
    anatomy = dissect(read_story(STORIES / "hollow.z5"))
    assert anatomy.compiler == "Inform 6.41"
    assert anatomy.status_line == "drawn by the story"
    assert anatomy.words > 300
    assert not anatomy.debugging
