"""What a model may ask of the world, as plain functions, and what it may ask to be written."""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_lowercase
from typing import Annotated, Literal

from pydantic import Field

from environments.game import Value
from managers.world.attempts import FailedAction
from managers.world.facts import Blackboard, Fact
from managers.world.hypotheses import Hypothesis
from managers.world.view import World

NOTE = "note"
"""The kind of fact that somebody has written down."""
Confidence = Annotated[float, Field(ge=0.0, le=1.0)]
Name = Annotated[str, Field(min_length=1, max_length=60)]
LONGEST_NOTE = 240
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


class TakeNote(Value):
    """A sentence to be remembered."""

    text: Annotated[str, Field(max_length=LONGEST_NOTE)]


class StrikeNote(Value):
    """A sentence that was remembered and is wrong."""

    note: Name
    """Its name: `N`, the turn, and a letter."""


class MoveThing(Value):
    """Where a thing is, by the word of somebody who has read it and found it elsewhere."""

    thing: Name
    to: Literal["inventory", "here", "gone"]


ToolRequest = RecordHypothesis | UpdateHypothesis | TakeNote | StrikeNote | MoveThing


def noted(board: Blackboard, requests: Sequence[ToolRequest]) -> Blackboard:
    """The blackboard with what somebody noted of the reply before, without what they struck."""
    struck = {one.note.lower() for one in requests if isinstance(one, StrikeNote)}
    board = board.without(NOTE, lambda fact: fact.value.lower() in struck)
    taken = [Fact(one.text, turn=board.turn - 1) for one in requests if isinstance(one, TakeNote)]
    return with_notes(board, taken)


def with_notes(board: Blackboard, notes: Sequence[Fact]) -> Blackboard:
    """The blackboard with more notes of a turn, the first one on top, each with its name."""
    used = {fact.value for fact in board.of(NOTE)}
    turn = notes[0].turn if notes else 0
    free = (name for letter in ascii_lowercase if (name := f"N{turn}{letter}") not in used)
    named = [note._replace(value=name) for name, note in zip(free, notes, strict=False)]
    return board.with_(NOTE, reversed(named))


def apply_requests(world: World, requests: Sequence[ToolRequest]) -> None:
    """Carry out the writes; what cannot be done becomes a note in the world model."""
    for request in requests:
        if isinstance(request, RecordHypothesis):
            record_hypothesis(world, **request.model_dump())
        elif isinstance(request, TakeNote | StrikeNote):
            continue
        elif isinstance(request, MoveThing):
            world.move(request.thing, request.to)
        elif world.hypothesis(request.hypothesis_id) is not None:
            update_hypothesis(world, **request.model_dump())
        else:
            world.note(f"There is no hypothesis {request.hypothesis_id} to update.")


def get_objects_at_location(world: World, location: str) -> list[str]:
    """What objects have we seen at this location, `L<n>` or `inventory`?"""
    return [thing.name for thing in world.at(location)]


def where_is_object(world: World, object_name: str) -> str:
    """Where did we last see this object? A location, `inventory`, or `unknown`."""
    thing = world.meant(object_name)
    return (world.location_of(thing.id) or "unknown") if thing else "unknown"


def get_object_state(world: World, object_name: str) -> dict[str, bool | int]:
    """What do we know about this object's current state? Empty for an unknown object."""
    thing = world.meant(object_name)
    if thing is None:
        return {}
    return {**thing.state, "last_seen_turn": thing.last_seen_turn, "stale": world.is_stale(thing)}


def get_objects_with_property(world: World, property: str) -> list[str]:
    """All objects with a given property, for instance `key-like` or `light-source`."""
    return [thing.name for thing in world.get_objects_with_property(property)]


def get_hypotheses_about(world: World, object_name: str) -> list[Hypothesis]:
    """What hypotheses involve this object?"""
    thing = world.meant(object_name)
    return world.hypotheses_about(thing.id if thing else object_name)


def get_failed_actions_at(world: World, location: str) -> list[FailedAction]:
    """What have we tried at this location that did not work?"""
    return world.attempts.failures_at(location)


def record_hypothesis(
    world: World, subject: str, predicate: str, obj: str, confidence: float, evidence: str
) -> Hypothesis:
    """Record a new hypothesis about the world; known things may be given by any of their names."""
    ids = [thing.id if (thing := world.meant(name)) else name for name in (subject, obj)]
    return world.add_hypothesis(ids[0], predicate, ids[1], confidence, evidence)


def update_hypothesis(
    world: World, hypothesis_id: str, tested: bool, disproven: bool, new_confidence: float
) -> Hypothesis:
    """Update a hypothesis from a test's outcome. Raises KeyError for an unknown id."""
    return world.update_hypothesis(
        hypothesis_id, tested=tested, disproven=disproven, confidence=new_confidence
    )
