"""The eight queries of the world model, as plain functions with plain answers."""

from __future__ import annotations

from managers.world.attempts import FailedAction
from managers.world.hypotheses import Hypothesis
from managers.world.view import World


def get_objects_at_location(world: World, location: str) -> list[str]:
    """What objects have we seen at this location, `L<n>` or `inventory`?"""
    return [thing.name for thing in world.at(location)]


def where_is_object(world: World, object_name: str) -> str:
    """Where did we last see this object? A location, `inventory`, or `unknown`."""
    thing = world.resolve(object_name)
    return (world.location_of(thing.id) or "unknown") if thing else "unknown"


def get_object_state(world: World, object_name: str) -> dict[str, bool | int]:
    """What do we know about this object's current state? Empty for an unknown object."""
    thing = world.resolve(object_name)
    if thing is None:
        return {}
    return {**thing.state, "last_seen_turn": thing.last_seen_turn, "stale": world.is_stale(thing)}


def get_objects_with_property(world: World, property: str) -> list[str]:
    """All objects with a given property, for instance `key-like` or `light-source`."""
    return [thing.name for thing in world.get_objects_with_property(property)]


def get_hypotheses_about(world: World, object_name: str) -> list[Hypothesis]:
    """What hypotheses involve this object?"""
    thing = world.resolve(object_name)
    return world.hypotheses_about(thing.id if thing else object_name)


def get_failed_actions_at(world: World, location: str) -> list[FailedAction]:
    """What have we tried at this location that did not work?"""
    return world.attempts.failures_at(location)


def record_hypothesis(
    world: World, subject: str, predicate: str, obj: str, confidence: float, evidence: str
) -> Hypothesis:
    """Record a new hypothesis about the world; known things may be given by any of their names."""
    ids = [thing.id if (thing := world.resolve(name)) else name for name in (subject, obj)]
    return world.add_hypothesis(ids[0], predicate, ids[1], confidence, evidence)


def update_hypothesis(
    world: World, hypothesis_id: str, tested: bool, disproven: bool, new_confidence: float
) -> Hypothesis:
    """Update a hypothesis from a test's outcome. Raises KeyError for an unknown id."""
    return world.update_hypothesis(
        hypothesis_id, tested=tested, disproven=disproven, confidence=new_confidence
    )
