"""What came of an episode."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, KeysView
from datetime import datetime
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from environments.extras import installing
from orchestrator.errors import ConfigError


class Result(BaseModel):
    """What came of an episode: what stands in its episode.json.

    `result.score` and `result["score"]` are the same; further entries of the file, for instance
    `result["config"]`, are there as well.
    """

    model_config = ConfigDict(frozen=True, extra="allow")

    run_id: str
    run_dir: Path
    story: str
    story_sha256: str
    graph: str
    access: tuple[str, ...]
    seed: int
    """The emulator's."""
    agent_seed: int
    steps: int
    """How many commands were played."""
    score: int
    """The final one."""
    best_score: int
    max_score: int | None
    """None where nobody tells it."""
    deaths: int
    undone: int = 0
    """So often an end of the story was taken back."""
    restarts: int = 0
    """So often the story began anew after an end."""
    faults: int
    """Of the emulator."""
    end_reason: str
    """won, story_ended, died, steps, explored, budget, paused, error, stopped, player_left,
    taken_back."""
    llm_calls: int
    prompt_tokens: int
    uncached_tokens: int = 0
    """Prompt tokens that servers had to read anew."""
    completion_tokens: int
    roles: dict[str, dict[str, Any]]
    """What every role asked its model, and what it cost."""
    goal: str
    accomplished: tuple[str, ...]
    reliability: dict[str, Any]
    wall_s: float
    sessions: tuple[dict[str, Any], ...]

    memory: dict[str, Any] | None = None
    """The memory that it began with; None where it was played fresh."""

    @property
    def won(self) -> bool:
        return self.end_reason == "won"

    @property
    def remembered(self) -> int | None:
        """So many earlier episodes it remembered; None where it was played fresh."""
        return None if self.memory is None else int(self.memory["episodes"])

    @property
    def started(self) -> datetime:
        """When it began, in UTC."""
        return datetime.fromisoformat(self.sessions[0]["started"])

    def __getitem__(self, name: str) -> Any:
        return self.model_dump(mode="json")[name]

    def __contains__(self, name: object) -> bool:
        return name in self.keys()

    def keys(self) -> KeysView[str]:
        """The names of all entries, so that `{**result}` is the file's content."""
        return self.model_dump(mode="json").keys()

    def to_pandas(self) -> Any:
        """Itself as a pandas DataFrame of one row; see `to_pandas` for several."""
        return to_pandas([self])


def to_pandas(results: Iterable[Any]) -> Any:
    """Results, or rows of a results file, as a pandas DataFrame, one row each.

    Raises:
        ConfigError: pandas is not installed.
    """
    try:
        pandas = importlib.import_module("pandas")
    except ModuleNotFoundError as error:
        raise ConfigError(f"a DataFrame needs pandas: {installing('pandas')}") from error
    return pandas.DataFrame([{**result} for result in results])
