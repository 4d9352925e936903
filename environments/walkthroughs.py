"""Walkthroughs: the commands that win a story, where somebody has written them down."""

from __future__ import annotations

from pathlib import Path

from environments.catalog import describe
from environments.folders import cache_folder
from environments.game import GameError
from environments.known import commands_of
from environments.plain_files import write_whole
from environments.story import Story


def find_walkthrough(story: Story) -> Path:
    """A file of commands, one a line: the catalog's, the one beside the story, or Jericho's.

    Raises:
        GameError: none of them has one.
    """
    entry = describe(story)
    beside = story.path.with_suffix(".walkthrough.txt")
    for path in (entry.walkthrough if entry else None, beside):
        if path is not None and path.is_file():
            return path
    commands = commands_of(story)
    if not commands:
        raise GameError(
            f"no walkthrough of {story.path.name} is known; put one beside it as {beside.name}, "
            "one command a line"
        )
    path = cache_folder() / "walkthroughs" / f"{story.sha256[:16]}.txt"
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, "".join(f"{command}\n" for command in commands).encode())
    return path
