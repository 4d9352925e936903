"""The world model's queries as LangChain tools for a tool-calling model."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from langchain_core.tools import BaseTool, tool

from managers.world import WorldModel, queries
from managers.world.requests import RecordHypothesis, ToolRequest, UpdateHypothesis


def world_tools(world: WorldModel, requests: list[ToolRequest]) -> list[BaseTool]:
    """The eight tools over one state of the world.

    The six that read answer at once; the two that write add to `requests`, which the caller puts
    into the state for the learner.
    """
    return [*_reading(world), *_writing(world, requests)]


def _reading(world: WorldModel) -> list[BaseTool]:
    @tool
    def get_objects_at_location(location: str) -> list[str]:
        """What objects have we seen at this location, for instance L3?"""
        return queries.get_objects_at_location(world, location)

    @tool
    def where_is_object(object_name: str) -> str:
        """Where did we last see this object? A location, 'inventory', or 'unknown'."""
        return queries.where_is_object(world, object_name)

    @tool
    def get_object_state(object_name: str) -> dict[str, Any]:
        """What do we know about this object's current state?"""
        return queries.get_object_state(world, object_name)

    @tool
    def get_objects_with_property(property: str) -> list[str]:
        """Find all objects with a given property, for instance key-like or light-source."""
        return queries.get_objects_with_property(world, property)

    @tool
    def get_hypotheses_about(object_name: str) -> list[dict[str, Any]]:
        """What hypotheses involve this object?"""
        return [asdict(idea) for idea in queries.get_hypotheses_about(world, object_name)]

    @tool
    def get_failed_actions_at(location: str) -> list[dict[str, Any]]:
        """What have we tried at this location that did not work?"""
        return [asdict(failure) for failure in queries.get_failed_actions_at(world, location)]

    return [
        get_objects_at_location,
        where_is_object,
        get_object_state,
        get_objects_with_property,
        get_hypotheses_about,
        get_failed_actions_at,
    ]


def _writing(world: WorldModel, requests: list[ToolRequest]) -> list[BaseTool]:
    @tool
    def record_hypothesis(
        subject: str, predicate: str, obj: str, confidence: float, evidence: str
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
        hypothesis_id: str, tested: bool, disproven: bool, new_confidence: float
    ) -> str:
        """Update a hypothesis (its id is H and a number) based on test results."""
        if all(idea.id != hypothesis_id for idea in world.hypotheses()):
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
