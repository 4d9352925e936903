"""Writes that a tool call asks for; only the learner applies them."""

from __future__ import annotations

from pydantic import Field

from environments.game import Value
from managers.world import queries
from managers.world.view import WorldModel


class RecordHypothesis(Value):
    """A new hypothesis, or more evidence for one that is known."""

    subject: str
    predicate: str
    obj: str
    confidence: float = Field(ge=0.0, le=1.0)
    evidence: str = ""


class UpdateHypothesis(Value):
    """What a test of a hypothesis has shown."""

    hypothesis_id: str
    tested: bool
    disproven: bool
    new_confidence: float = Field(ge=0.0, le=1.0)


ToolRequest = RecordHypothesis | UpdateHypothesis


def apply_requests(world: WorldModel, requests: tuple[ToolRequest, ...]) -> list[str]:
    """Carry out the writes; returns what could not be done, one line each."""
    faults = []
    for request in requests:
        if isinstance(request, RecordHypothesis):
            queries.record_hypothesis(world, **request.model_dump())
        elif any(idea.id == request.hypothesis_id for idea in world.hypotheses()):
            queries.update_hypothesis(world, **request.model_dump())
        else:
            faults.append(f"there is no hypothesis {request.hypothesis_id!r}")
    return faults
