"""Writes that a tool call asks for; only the learner applies them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from environments.game import Value
from managers.world import queries
from managers.world.view import World

Confidence = Annotated[float, Field(ge=0.0, le=1.0)]
Name = Annotated[str, Field(min_length=1, max_length=60)]
Words = Annotated[str, Field(max_length=160)]


class RecordHypothesis(Value):
    """A new hypothesis, or more evidence for one that is known."""

    subject: Name
    predicate: Name
    obj: Name
    confidence: Confidence
    evidence: Words = ""


class UpdateHypothesis(Value):
    """What a test of a hypothesis has shown."""

    hypothesis_id: Name
    tested: bool
    disproven: bool
    new_confidence: Confidence


ToolRequest = RecordHypothesis | UpdateHypothesis


def apply_requests(world: World, requests: Sequence[ToolRequest]) -> None:
    """Carry out the writes; what cannot be done becomes a note in the world model."""
    for request in requests:
        if isinstance(request, RecordHypothesis):
            queries.record_hypothesis(world, **request.model_dump())
        elif world.hypothesis(request.hypothesis_id) is not None:
            queries.update_hypothesis(world, **request.model_dump())
        else:
            world.note(f"There is no hypothesis {request.hypothesis_id} to update.")
