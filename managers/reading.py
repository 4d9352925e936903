"""The reading of a reply by somebody who also says what it means."""

from __future__ import annotations

from pydantic import Field

from managers.beliefs import FailureAnalysis, ProgressReport
from managers.extraction import TurnExtraction


class Reading(TurnExtraction):
    """What an extractor may answer instead of a `TurnExtraction`, in the same single call."""

    progress: ProgressReport | None = None
    failure: FailureAnalysis | None = None
    state: dict[str, str] = Field(default_factory=dict)
    """Tracked variables with the values that the reply tells: `true`, `false` or another."""
