"""What Jericho knows of a story by itself: for baselines and evaluation, never for an agent."""

from __future__ import annotations

import functools
import hashlib
import tempfile
from typing import Any

from environments.story import Story


def commands_of(story: Story) -> list[str]:
    """Jericho's walkthrough; empty where it has none."""
    found = _bindings(story).get("walkthrough")
    return str(found).split("/") if found else []


def seed_of(story: Story) -> int | None:
    """The emulator's seed for Jericho's walkthrough; None where it names none."""
    return _bindings(story).get("seed") or None


def maximum_of(story: Story) -> int | None:
    """The highest score by Jericho's emulator; None where it does not know the story."""
    return _maximum(story.data) if _bindings(story) else None


@functools.cache
def _maximum(data: bytes) -> int | None:
    from jericho import FrotzEnv

    with tempfile.NamedTemporaryFile(suffix=".z5") as file:
        file.write(data)
        file.flush()
        return int(FrotzEnv(file.name, 1).get_max_score()) or None


def _bindings(story: Story) -> dict[str, Any]:
    """Jericho's entry of exactly this file."""
    from jericho import defines

    digest = hashlib.md5(story.data, usedforsecurity=False).hexdigest()
    return dict(defines.BINDINGS_DICT.get(digest, {}))
