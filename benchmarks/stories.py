"""The stories that benchmarks run over: the embedded ones and the real ones found."""

from __future__ import annotations

from pathlib import Path

from environments.folders import story_folders
from environments.story import is_story_file

_ROOT = Path(__file__).parents[1]


def found_stories() -> list[Path]:
    """Embedded stories, then those of `ZORK_STORIES` or, without it, of `../shared/games`."""
    folders = [_ROOT / "game_files", *(story_folders() or [_ROOT.parent / "shared" / "games"])]
    return [path for folder in folders for path in sorted(folder.glob("*")) if is_story_file(path)]
