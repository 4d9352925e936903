"""What the roles answer, and how an actor's JSON answer is read."""

from __future__ import annotations

import re

from pydantic import Field, ValidationError
from pydantic.json_schema import SkipJsonSchema

from environments.game import Value
from environments.plain_text import storable
from managers.planning.objectives import Completion, Merging, NewObjective
from managers.world.queries import ToolRequest

__all__ = [
    "AgentResponse",
    "AnswerError",
    "Completion",
    "Merging",
    "NewObjective",
    "ObjectiveReview",
    "Ruling",
    "Verdict",
    "clean_action",
    "parse_response",
]

MAX_REQUESTS = 9
"""All that an actor may write down in one answer: three each of notes, corrections and moves."""
_MARKUP = " \t`*"
_QUOTES = [re.compile(rf"(?<!\w){mark}|{mark}(?!\w)") for mark in "\"'"]
"""Either kind of quotes; an apostrophe inside a word is none."""
_STRAIGHT = str.maketrans("\u201c\u201d\u2018\u2019", "\"\"''")


class AnswerError(ValueError):
    """A role's answer cannot be used; the message says what is wrong with it."""


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
    drop_objective: str | None = Field(
        default=None, description="The id of an objective that is given up, or null"
    )
    requests: SkipJsonSchema[tuple[ToolRequest, ...]] = Field(default=(), max_length=MAX_REQUESTS)
    """Hypotheses to record or update, collected by the tools; the learner applies them."""
    option: SkipJsonSchema[int] = 0
    """Which of the ranked options it is, counted from 1; 0 for an idea of the actor's own."""
    then: SkipJsonSchema[tuple[str, ...]] = ()
    """Commands of the next turns, played whatever comes of them."""


class Verdict(Value):
    """The critic's answer."""

    accept: bool
    reason: str = ""
    confidence: float = Field(default=1.0, ge=0.0, le=1.0)


class Ruling(Verdict):
    """A verdict with the part of a critic that it is from."""

    source: str = ""
    """`rules` or `model`; empty where a critic has no parts."""


class ObjectiveReview(Value):
    """The objective manager's answer."""

    discovered: tuple[NewObjective, ...] = ()
    promoted: tuple[NewObjective, ...] = ()
    """Objectives made out of the briefing's issues."""
    completed: tuple[Completion, ...] = ()
    merged: tuple[Merging, ...] = ()
    dropped: tuple[str, ...] = ()
    """The ids of those that are given up."""


def clean_action(action: str) -> str:
    """Reduce what an actor wrote to one lower-case game command.

    Only the first line that is not empty counts; a prompt sign, a full stop at the end and
    quotes around the whole are dropped, quotes that belong to the command stay.

    Raises:
        AnswerError: nothing is left.
    """
    lines = (line.strip() for line in storable(action).splitlines())
    first = next((line for line in lines if line), "")
    command = _bare(first.lstrip("> ").translate(_STRAIGHT))
    if not command:
        raise AnswerError(f"action {action!r} holds no command; give one, for instance `look`")
    return " ".join(command.lower().split())


def _bare(command: str) -> str:
    """Without what stands around the whole of it."""
    while True:
        inner = _unquoted(command.strip(_MARKUP).rstrip(".").strip(_MARKUP))
        if inner == command:
            return command
        command = inner


def _unquoted(command: str) -> str:
    """Without a pair of quotes around it, or one that is alone at an end: `"look"`, `look"`."""
    for quote in _QUOTES:
        marks = [mark.start() for mark in quote.finditer(command)]
        last = len(command) - 1
        if marks in ([0], [last]):
            return command[1:] if marks == [0] else command[:-1]
        nested = marks[2:3] and command[marks[1] - 1] == " "
        if (len(marks) == 2 or nested) and (marks[0], marks[-1]) == (0, last):
            return command[1:-1]
    return command


def parse_response(text: str) -> AgentResponse:
    """Read an actor's JSON answer; the action comes back cleaned.

    Raises:
        AnswerError: the text is not the JSON of an `AgentResponse`, or its action is empty.
    """
    try:
        response = AgentResponse.model_validate_json(text)
    except ValidationError as error:
        faults = "; ".join(
            f"{'.'.join(str(part) for part in fault['loc']) or 'answer'}: {fault['msg']}"
            for fault in error.errors(include_url=False)
        )
        raise AnswerError(f"not an AgentResponse ({faults}): {text[:80]!r}") from error
    return response.model_copy(update={"action": clean_action(response.action)})
