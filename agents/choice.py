"""One of several commands, chosen by a model that can answer with nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from langchain_core.messages import BaseMessage, HumanMessage
from pydantic import BaseModel, create_model

from agents.models.ledger import CallRecord
from agents.prompting import Questioner


def ask_for_one(
    question: Questioner, talk: Sequence[BaseMessage], choices: Sequence[str]
) -> tuple[str | None, CallRecord]:
    """What a model thinks best, or None where it has no usable answer.

    The wanted form lists the choices, so that a server that keeps to forms lets the model write
    nothing else.

    Args:
        question: Who is asked, and for which role.
        talk: The story so far, as messages; see `agents.conversation.news`.
        choices: Different commands, or what they come to in a few words.
    """
    template = question.template
    listed = "\n".join(f"- {one}" for one in choices)
    asked = [*talk, HumanMessage(f"Choose the best next command of these:\n{listed}")]
    chosen, record = question.asker.ask(
        question.role,
        asked,
        _choice_of(tuple(choices)),
        prompt=f"{template.name}@{template.version}",
    )
    return (None if chosen is None else str(chosen.model_dump()["command"])), record


def _choice_of(choices: tuple[str, ...]) -> type[BaseModel]:
    one_of: Any = Literal[choices]
    return create_model("Choice", command=(one_of, ...))
