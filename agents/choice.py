"""A model's choice among commands, with nothing else to answer, and whether its own are new."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Annotated, Any, Literal

from langchain_core.messages import BaseMessage, HumanMessage
from pydantic import BaseModel, BeforeValidator, create_model

from agents.briefing import Briefing
from agents.models.ledger import CallRecord
from agents.prompting import Questioner, command_or_none
from managers.language.actions import parse, table


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
    listed = "\n".join(f"- {one}" for one in choices)
    asked = [*talk, HumanMessage(f"Choose the best next command of these:\n{listed}")]
    chosen, record = question.ask_behind(asked, _choice_of(tuple(choices)))
    return (None if chosen is None else str(chosen.model_dump()["command"])), record


def is_new(briefing: Briefing, command: str) -> bool:
    """Its verb is a usual one of stories, and nobody has tried it here."""
    action = parse(command)
    usual = action.verb in table().verbs and not action.has("meta")
    return usual and action.canonical not in briefing.situation.tried


@lru_cache(maxsize=64)
def _choice_of(choices: tuple[str, ...]) -> type[BaseModel]:
    listed = {command_or_none(one): one for one in choices}

    def meant(said: Any) -> Any:
        """A choice, however its letters, quotes and full stop are written."""
        return listed.get(command_or_none(said), said) if isinstance(said, str) else said

    one_of: Any = Annotated[Literal[choices], BeforeValidator(meant)]
    return create_model("Choice", command=(one_of, ...))
