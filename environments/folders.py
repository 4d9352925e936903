"""The folders outside the project that the game layer reads and writes."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

_APPLICATION = "zork-orchestrator"


def data_folder() -> Path:
    """What must be kept: `ZORK_HOME`, by default the platform's user data directory."""
    home = os.environ.get("ZORK_HOME")
    return Path(home).expanduser() if home else platformdirs.user_data_path(_APPLICATION)


def cache_folder() -> Path:
    """What can be made again: `cache` in `ZORK_HOME`, by default the user cache directory."""
    if os.environ.get("ZORK_HOME"):
        return data_folder() / "cache"
    return platformdirs.user_cache_path(_APPLICATION)


def make_private(folder: Path) -> None:
    """Make a folder, where it is not there, that nobody else may look into.

    Raises:
        OSError: it cannot be made.
    """
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)


def added_stories() -> Path:
    """The stories that the user added or downloaded."""
    return data_folder() / "stories"


def story_folders() -> list[Path]:
    """The folders of `ZORK_STORIES`, a path list, in their order."""
    listed = os.environ.get("ZORK_STORIES", "").split(os.pathsep)
    return [Path(folder).expanduser() for folder in listed if folder]
