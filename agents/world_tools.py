"""The world model's queries as LangChain tools for a tool-calling model."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from langchain_core.tools import BaseTool, tool
from pydantic import ValidationError
from pydantic.v1 import ValidationError as OldValidationError

from managers.world import queries
from managers.world.queries import (
    Confidence,
    Name,
    RecordHypothesis,
    ToolRequest,
    UpdateHypothesis,
    Words,
)
from managers.world.view import World


def world_tools(world: World, requests: list[ToolRequest] | None = None) -> list[BaseTool]:
    """The tools over one state of the world; wrong arguments are answered, not raised.

    Six read and answer at once. Two write: they add to `requests`, which the actor's answer
    carries (`AgentResponse.requests`) and the learner applies. Without `requests` there are
    only the six.
    """
    tools = [*_of_things(world), *_of_attempts(world)]
    if requests is not None:
        tools += _writing(world, requests)
    for one in tools:
        one.handle_validation_error = _faults
    return tools


def _faults(error: ValidationError | OldValidationError) -> str:
    said = (f"{'.'.join(map(str, one['loc']))}: {one['msg'].lower()}" for one in error.errors())
    return f"wrong arguments: {'; '.join(said)}"


def _of_things(world: World) -> list[BaseTool]:
    @tool
    def get_objects_at_location(location: str) -> list[str]:
        """What objects have we seen at this location? A room like L3, or inventory."""
        return queries.get_objects_at_location(world, location)

    @tool
    def where_is_object(object_name: str) -> str:
        """Where did we last see this object? Returns location, 'inventory', or 'unknown'."""
        return queries.where_is_object(world, object_name)

    @tool
    def get_object_state(object_name: str) -> dict[str, Any]:
        """What do we know about this object's current state?"""
        return queries.get_object_state(world, object_name)

    @tool
    def get_objects_with_property(property: str) -> list[str]:
        """Find all objects with a given property (e.g., 'key-like', 'light-source')."""
        return queries.get_objects_with_property(world, property)

    return [
        get_objects_at_location,
        where_is_object,
        get_object_state,
        get_objects_with_property,
    ]


def _of_attempts(world: World) -> list[BaseTool]:
    @tool
    def get_hypotheses_about(object_name: str) -> list[dict[str, Any]]:
        """What hypotheses involve this object?"""
        return [idea._asdict() for idea in queries.get_hypotheses_about(world, object_name)]

    @tool
    def get_failed_actions_at(location: str) -> list[dict[str, Any]]:
        """What have we tried at this location, like L3, that did not work?"""
        return [asdict(failure) for failure in queries.get_failed_actions_at(world, location)]

    return [get_hypotheses_about, get_failed_actions_at]


def _writing(world: World, requests: list[ToolRequest]) -> list[BaseTool]:
    @tool
    def record_hypothesis(
        subject: Name, predicate: Name, obj: Name, confidence: Confidence, evidence: Words
    ) -> str:
        """Record a new hypothesis about the world: subject, predicate (unlocks, ...), object."""
        requests.append(
            RecordHypothesis(
                subject=subject,
                predicate=predicate,
                obj=obj,
                confidence=confidence,
                evidence=evidence,
            )
        )
        return "noted"

    @tool
    def update_hypothesis(
        hypothesis_id: Name, tested: bool, disproven: bool, new_confidence: Confidence
    ) -> str:
        """Update a hypothesis (by its id, like H2) based on test results."""
        if world.hypothesis(hypothesis_id) is None:
            return f"there is no hypothesis {hypothesis_id}"
        requests.append(
            UpdateHypothesis(
                hypothesis_id=hypothesis_id,
                tested=tested,
                disproven=disproven,
                new_confidence=new_confidence,
            )
        )
        return "noted"

    return [record_hypothesis, update_hypothesis]
