"""What an oracle answers: observations to be weighed, not commands."""

from __future__ import annotations

from collections.abc import Mapping

from environments.game import Value
from managers.language.reading import FailureAnalysis, ProgressReport

__all__ = ["FailureAnalysis", "ProgressReport", "SituationUnderstanding"]


class SituationUnderstanding(Value):
    """An oracle's analysis of the situation of one turn."""

    overall_goal: str | None = None
    immediate_goal: str | None = None
    accomplished: tuple[str, ...] = ()
    progress_made: bool = False
    blocking_condition: str | None = None
    blocking_reason: str | None = None
    recommended_action: str | None = None
    action_reasoning: str | None = None
    alternative_actions: tuple[str, ...] = ()
    important_state_variables: tuple[str, ...] = ()
    confidence: float = 0.5
    """The oracle's own opinion of it, 0 to 1."""

    @classmethod
    def from_json(cls, data: Mapping[str, object]) -> SituationUnderstanding:
        """Read an oracle's JSON; what it left out keeps its default, other keys are ignored."""
        known = {key: data[key] for key in cls.model_fields if data.get(key) is not None}
        return cls.model_validate(known)
