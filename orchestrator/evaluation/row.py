"""What every reader of a results file relies on; a row of another shape is refused."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter

from managers.belief.reliability import KINDS, total_key
from orchestrator.config import GraphConfig
from orchestrator.tolerant import Count, Number, Share, Whole

Point = Annotated[list[Number], Field(min_length=5, max_length=5)]
"""Turn, score, model calls, tokens, cost."""


def _of_critic(bin: list[float]) -> list[float]:
    plays, predicted, failed = bin
    if not (plays > 0 and 0 <= predicted <= plays and 0 <= failed <= plays):
        raise ValueError("plays, the sum of their foretold chances, and how many failed")
    return bin


CriticBin = Annotated[list[Number], Field(min_length=3, max_length=3), AfterValidator(_of_critic)]


def _of_oracle(told: dict[str, Any]) -> dict[str, Any]:
    for kind in KINDS:
        if (total := total_key(kind)) in told:
            _COUNT.validate_python(told[total])
            _SHARE.validate_python(told.get(f"{kind}_accuracy"))
            _SHARES.validate_python(told.get(f"{kind}_interval"))
    return told


def _of_graph(config: dict[str, Any]) -> dict[str, Any]:
    if config:
        _check_graph(json.dumps(config))
    return config


@lru_cache(maxsize=64)
def _check_graph(config: str) -> None:
    """Refuse what is no graph; the rows of a file share a few."""
    GraphConfig.model_validate_json(config)


_COUNT, _SHARE = TypeAdapter[int](Count), TypeAdapter[float](Share)
_SHARES = TypeAdapter[list[float]](Annotated[list[Share], Field(min_length=2, max_length=2)])


class SeriesEpisode(BaseModel):
    """One of several episodes in a row."""

    model_config = ConfigDict(strict=True)

    score: Number
    steps: Count = 0


class RoleSums(BaseModel):
    """What one role asked its model in a row's episodes, and what that cost."""

    model_config = ConfigDict(strict=True)

    questions: Count
    input_tokens: Count
    uncached_tokens: Count
    output_tokens: Count
    seconds: Number
    faults: dict[str, Count] = Field(default_factory=dict)


class ResultRow(BaseModel):
    """A row: what was played, and what came of it."""

    model_config = ConfigDict(strict=True)

    story: str
    story_sha256: str
    graph: str
    seed: Whole
    steps: Count
    score: Number
    best_score: Number
    curve: Annotated[list[Point], Field(min_length=1)]
    graph_id: str = ""
    settings: list[str] = Field(default_factory=list)
    config: Annotated[dict[str, Any], AfterValidator(_of_graph)] = Field(default_factory=dict)
    access: list[str] = Field(default_factory=list)
    versions: dict[str, str] = Field(default_factory=dict)
    episodes: Annotated[Count, Field(ge=1)] = 1
    total_steps: Count | None = None
    replays: Count = 0
    poison: Share = 0.0
    lives: Count | None = None
    max_score: Count | None = None
    max_score_by: Literal["jericho", "story"] = "story"
    counts: Literal["final", "best"] = "final"
    of_maximum: Literal["score", "gain"] = "score"
    protocol: str = ""
    achieved: list[str] = Field(default_factory=list)
    """Names of what was achieved."""
    achievements: Count = 0
    """How many there are to achieve; 0 where nobody lists them."""
    turns: Count | None = None
    end_reason: str = ""
    run_dir: str = ""
    deaths: Number = 0
    wall_s: Number = 0.0
    llm_calls: Count = 0
    prompt_tokens: Count = 0
    uncached_tokens: Count = 0
    completion_tokens: Count = 0
    cost: Number = 0.0
    roles: dict[str, RoleSums] = Field(default_factory=dict)
    series: list[SeriesEpisode] = Field(default_factory=list)
    replay_scores: list[Number] = Field(default_factory=list)
    critic: list[CriticBin] = Field(default_factory=list)
    reliability: Annotated[dict[str, Any], AfterValidator(_of_oracle)] = Field(default_factory=dict)
