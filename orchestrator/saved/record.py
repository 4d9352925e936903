"""episode.json: how a run was set up, where it came from, and what came of it."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from environments.game import Access
from orchestrator.config import GraphConfig
from orchestrator.tolerant import Count, Tolerant, Whole


def _plain(name: str) -> str:
    if name == "last" or len(name) > LONGEST or not _NAME.fullmatch(name):
        raise ValueError(f"{name!r} is no name for a run")
    return name


_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
LONGEST = 200
Name = Annotated[str, AfterValidator(_plain)]
"""Of a run: a plain one, that a person can type and no file system trips over."""


SQLITE, POSTGRES = "sqlite", "postgres"
"""Where checkpoints are: in a file of the run's, or in a database, which only the user names."""


def _kind(store: Any) -> Any:
    return POSTGRES if isinstance(store, str) and store not in ("", SQLITE) else store


Store = Annotated[Literal["", "sqlite", "postgres"], BeforeValidator(_kind)]
"""The kind of store alone: whatever else a record says of it is not heard."""


class Parent(BaseModel):
    """The turn of another run that a fork started from."""

    model_config = ConfigDict(frozen=True)

    run_id: Name
    turn: int


class RecalledMemory(BaseModel):
    """The memory of earlier episodes that a run started with; the copy is in memory.json."""

    model_config = ConfigDict(frozen=True)

    sha256: str
    """Of the copy."""
    episodes: int
    """So many of the latest earlier episodes are in it by name."""


class PlaySession(BaseModel):
    """One process that played the run."""

    model_config = ConfigDict(frozen=True)

    from_turn: int
    started: datetime
    """In UTC."""
    versions: dict[str, str]
    wall_s: float | None = None
    """How long it took; None where it was killed."""


class ToldResult(Tolerant):
    """What lists and pages tell of a run; None, or empty, where nobody knows."""

    steps: Count | None = None
    score: Whole | None = None
    best_score: Whole | None = None
    max_score: Whole | None = None
    deaths: Count | None = None
    undone: Count | None = None
    restarts: Count | None = None
    llm_calls: Count | None = None
    prompt_tokens: Count | None = None
    completion_tokens: Count | None = None
    end_reason: str = ""

    @property
    def scored(self) -> str | None:
        """The score, out of how many points where that is known."""
        of = f"/{self.max_score}" if self.max_score else ""
        return None if self.score is None else f"{self.score}{of}"


class Record(BaseModel):
    """What resuming, forking and replaying need; the results stand beside it."""

    model_config = ConfigDict(frozen=True, extra="allow")

    format: Literal[1]
    versions: dict[str, str]
    run_dir: str
    run_id: Name
    """Its directory's name when it was made."""
    thread: Name
    """The name of its checkpoints, unique where many runs share a database."""
    story: str
    story_sha256: str
    story_path: Path
    graph: str
    access: tuple[Access, ...]
    seed: int
    """The emulator's, the last one of `emulator_seeds`."""
    emulator_seeds: Annotated[tuple[tuple[int, int], ...], Field(min_length=1)]
    """(turn, seed): from this turn on; a fork may go on with another one."""
    agent_seed: int
    config: GraphConfig
    folders: tuple[Path, ...]
    """Where parts of the user's own were looked up."""
    max_steps: int
    lives: int | None = None
    """How many deaths end it; None where the story decides."""
    checkpoints: Store
    """Empty where none are kept."""
    keep: str
    """Which checkpoints stay, as `Keep.parse` reads it."""
    memory: RecalledMemory | None = None
    """None where it was ignored."""
    parent: Parent | None = None
    recording: str = ""
    """The run whose model answers were played again, if any."""
    sessions: tuple[PlaySession, ...] = ()
    status: Literal["running", "ended"] = "running"

    @property
    def outcome(self) -> ToldResult:
        """What came of it, as far as it is told."""
        return ToldResult.of(self.model_extra)

    def header(self) -> dict[str, Any]:
        """As plain data, without the results."""
        return self.model_dump(mode="json", include=set(type(self).model_fields))

    def results(self) -> dict[str, Any]:
        """All of it as it stands in the file; empty as long as no session came to its end."""
        return dict(self.model_extra or {})
