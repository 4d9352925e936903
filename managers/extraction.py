"""The typed reading of one reply: what the extractor writes and the managers learn from."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from environments.game import Value


class ObjectMention(Value):
    """An object the reply speaks of."""

    name: str
    location: str = "here"
    """`here`, `inventory`, or the name of the container or supporter that holds it."""
    properties: tuple[str, ...] = ()
    """What the text says it is or can do: takeable, openable, container, readable, person, ..."""
    state: dict[str, str] = Field(default_factory=dict)
    """For instance {"open": "false", "locked": "true"}."""
    confidence: float = 1.0


class StateChange(Value):
    """A property of an object that the reply says has changed."""

    object: str
    property: str
    old_value: str | None = None
    new_value: str
    confidence: float = 1.0


class ActionResult(Value):
    """How the command went, as far as the reply tells."""

    action: str
    result: Literal["success", "failure", "partial", "unknown"]
    reason: str = ""
    """Why it failed: locked, closed, not_here, unknown_word, unknown_verb, no_exit, dark, ..."""
    prerequisite: str = ""
    """A command that the reply suggests has to come first, for instance `get up`."""
    confidence: float = 1.0


class RoomView(Value):
    """A room as the reply describes it."""

    title: str
    description: str = ""
    exits: tuple[str, ...] = ()
    """Directions the prose mentions."""
    dark: bool = False


class TurnExtraction(Value):
    """Everything read from one reply."""

    turn: int
    room: RoomView | None = None
    objects_mentioned: tuple[ObjectMention, ...] = ()
    state_changes: tuple[StateChange, ...] = ()
    action_result: ActionResult
    new_information: tuple[str, ...] = ()
    """Sentences that say something new and were not understood otherwise."""
    died: bool = False
