"""Episodes whose states are looked at."""

from __future__ import annotations

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
