"""What the roles answer."""

from __future__ import annotations

from pydantic import Field

from environments.game import Value


class NewObjective(Value):
    """An objective with its place among the others."""

    text: str
    priority: int = Field(default=5, ge=1, le=10)
    parent: str | None = None


class AgentResponse(Value):
    """The actor's answer: its reasoning, one game command, and what it wants to track."""

    thinking: str = Field(description="Your reasoning: what you observe, plan, and why")
    action: str = Field(description="Single game command to execute")
    new_objective: str | NewObjective | None = Field(
        default=None,
        description="A multi-turn objective to track; null on most turns",
    )
    complete_objective: str | None = Field(
        default=None, description="The id of an objective that is now achieved, or null"
    )


class Verdict(Value):
    """The critic's answer."""

    accept: bool
    reason: str = ""
    confidence: float = Field(default=1.0, ge=0.0, le=1.0)


class Completion(Value):
    """An objective that is done, and what shows it."""

    id: str
    evidence: str


class ObjectiveReview(Value):
    """The objective manager's answer."""

    discovered: tuple[NewObjective, ...] = ()
    completed: tuple[Completion, ...] = ()
