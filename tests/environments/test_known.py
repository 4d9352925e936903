"""What Jericho knows of a story is known by the very file, and of no other."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from environments.catalog import find_story
from environments.known import commands_of, maximum_of
from environments.story import read_story


@pytest.mark.parametrize(("name", "most"), [("905.z5", 1), ("lostpig.z8", 7), ("advent.z5", 350)])
def test_the_maximum_of_a_story_that_jericho_knows(
    story_path: Callable[[str], Path], name: str, most: int
) -> None:
    story = read_story(story_path(name))
    assert maximum_of(story) == most
    assert commands_of(story)


def test_nothing_is_known_of_our_own_stories() -> None:
    assert maximum_of(find_story("hollow")) is None
    assert commands_of(find_story("hollow")) == []
