"""The model that inspect_ai evaluates, asked by the roles of our agent.

It is in a file of its own because inspect_ai imports that of the task under another name.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

from inspect_ai.model import (
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    Model,
    ModelUsage,
)
from langchain_core.messages import AIMessage
from langchain_core.messages.ai import UsageMetadata

from agents.models.scripts import ModelQuestion

EVALUATED = (
    f"models.default.model=embedded:function:{__name__}:ask_evaluated",
    "models.default.method=plain",
)
"""Settings that let the roles of a graph ask it."""
_ASK: ContextVar[Callable[[ModelQuestion], AIMessage]] = ContextVar("ask")
_MESSAGES: dict[str, Any] = {
    "system": ChatMessageSystem,
    "user": ChatMessageUser,
    "assistant": ChatMessageAssistant,
    "tool": ChatMessageUser,
}


def ask_evaluated(question: ModelQuestion) -> AIMessage:
    """What it answers to a role."""
    return _ASK.get()(question)


def let_ask(model: Model, loop: asyncio.AbstractEventLoop) -> None:
    """From now on, `model` is the one that is asked here, from whatever thread."""

    def ask(question: ModelQuestion) -> AIMessage:
        asked = [_MESSAGES[role](content=text) for role, text in question.messages]
        answer = asyncio.run_coroutine_threadsafe(model.generate(asked), loop).result()
        return AIMessage(answer.completion, usage_metadata=_usage(answer.usage))

    _ASK.set(ask)


def _usage(used: ModelUsage | None) -> UsageMetadata | None:
    if used is None:
        return None
    asked, said = used.input_tokens, used.output_tokens
    return UsageMetadata(input_tokens=asked, output_tokens=said, total_tokens=asked + said)
