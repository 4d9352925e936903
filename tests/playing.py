"""Episodes whose states are looked at, and what an exported run holds."""

from __future__ import annotations

import tarfile
from pathlib import Path
from typing import Any

from orchestrator import play
from orchestrator.events import EpisodeStarted, Event, TurnPlayed
from orchestrator.state import State


def states_of(story: str | Path | None, out: Path, **options: Any) -> list[State]:
    """The states of an episode, the opening first; it leaves its transcript alone."""
    states: list[State] = []

    def keep(event: Event) -> None:
        if isinstance(event, EpisodeStarted):
            states.append(event.state)
        elif isinstance(event, TurnPlayed):
            states.append(event.after)

    play(story, out=out, watchers=(keep,), **{"checkpoints": False, "trace": False, **options})
    return states


def unpack(archive: Path, folder: Path) -> None:
    """The files of an exported run, in a folder; before 3.11.4 tarfile knows no filters."""
    with tarfile.open(archive) as tar:
        for member in tar:
            file = tar.extractfile(member)
            if file is not None:
                target = folder / member.name
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(file.read())
