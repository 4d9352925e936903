"""Prospects that the emulator has tried already (access `actions`)."""

from __future__ import annotations

from collections.abc import Iterator

from managers.candidates.prospect import Prospect
from managers.candidates.scene import Scene


def validated(scene: Scene) -> Iterator[Prospect]:
    """What is known to change something here, the more so if it scores."""
    for command, points in scene.offered.items():
        yield Prospect(scene.here, command, "offered", scale=1.0 + max(points, 0))
