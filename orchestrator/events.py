"""What watchers are told while an episode runs; they sit outside the graph."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from orchestrator.state import State


@dataclass(frozen=True)
class EpisodeStarted:
    """The story is open; `state` is turn 0."""

    episode: int
    episodes: int
    run_dir: Path
    story: str
    graph: str
    access: tuple[str, ...]
    seed: int
    steps: int
    max_score: int | None
    state: State
    limits: str = ""
    """What the story cannot do of what the graph asks for, as a sentence."""
    notes: tuple[str, ...] = ()
    """What may go badly with the models that are asked, and what would help."""
    remembered: int | None = None
    """So many earlier episodes it remembers; None where it is played fresh."""
    typed: bool = False
    """A person types the commands."""

    @property
    def memory(self) -> str:
        """What it remembers, in words."""
        if self.remembered is None:
            return "fresh"
        return f"remembers {self.remembered} episode{'s' * (self.remembered != 1)}"


@dataclass(frozen=True)
class TurnPlayed:
    """One turn: the state before and after it."""

    before: State
    after: State
    notes: tuple[str, ...] = ()
    """What has just become a habit of the models' answers, and what would help."""


@dataclass(frozen=True)
class EpisodeEnded:
    """The episode's result, as it stands in episode.json."""

    result: dict[str, Any]


Event = EpisodeStarted | TurnPlayed | EpisodeEnded
Watcher = Callable[[Event], None]
