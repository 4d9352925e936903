"""What every run of a trace has: who it is, when it was, and what its metadata tell."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from orchestrator.tolerant import Count, Texts, Tolerant, Whole

LAST_TURN = 1_000_000
"""No run has more of them."""
Turn = Annotated[int, Field(ge=0, le=LAST_TURN)]
Uuid = Annotated[str, Field(pattern=r"^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$")]


def _moment(text: str) -> str:
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None or not _YEARS[0] <= moment.year < _YEARS[1]:
        raise ValueError("no time of a run")
    return text


_YEARS = 1971, 2200
"""Between these every time can be counted and moved."""
Time = Annotated[str, AfterValidator(_moment)]
"""An ISO time with its zone."""


class ToldUsage(Tolerant):
    """The tokens of a model call."""

    input_tokens: Count = 0
    output_tokens: Count = 0


class ToldMetadata(Tolerant):
    """What a run tells of its turn, its node and its model, and a root of its episode."""

    turn: Turn | None = None
    room: str = ""
    score: Whole | None = None
    run_id: str = ""
    story: str = ""
    graph: str = ""
    access: Texts = ()
    seed: Whole | None = None
    role: str = ""
    part: str = ""
    prompt: str = ""
    ls_provider: str = ""
    ls_model_name: str = ""
    langgraph_node: str = ""
    langgraph_step: Whole | None = None
    usage_metadata: ToldUsage = ToldUsage()


class Happening(BaseModel):
    """Something that happened to a run."""

    name: str
    time: Time


class Posted(BaseModel):
    """What every reader relies on of a run that began."""

    model_config = ConfigDict(strict=True)

    id: Uuid
    trace_id: Uuid
    parent_run_id: Uuid | None = None
    dotted_order: str
    name: str
    run_type: str
    session_name: str
    start_time: Time
    tags: list[str]
    extra: dict[str, Any]
    inputs: dict[str, Any] | None


class Patched(BaseModel):
    """What the end of a run may add to it, and nothing else."""

    model_config = ConfigDict(strict=True)

    end_time: Time
    outputs: dict[str, Any] | None = None
    error: str | None = None
    events: list[Happening] = Field(default_factory=list)
    extra: dict[str, Any] = Field(default_factory=dict)
