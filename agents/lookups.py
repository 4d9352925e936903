"""What a model looks up with tools before it answers; its answer is a tool call, too."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from langchain_core.messages import AIMessage, ToolCall, ToolMessage
from langchain_core.tools import BaseTool

from agents.parsing import is_cut

MAX_ROUNDS = 3
"""After so many rounds of looking up, only an answer will do."""
MAX_CALLS = 4
"""In one round."""
MAX_RESULT = 300
"""Characters of one result."""


def answer_in(message: AIMessage, answer: str) -> AIMessage | None:
    """The message as an answer, without other calls; None if it only looks things up.

    One that is cut off is an answer, and none that can be used.

    Args:
        message: What the model said.
        answer: The name of the tool that takes the answer.
    """
    answers = [call for call in message.tool_calls if call["name"] == answer]
    if message.tool_calls and not answers and not is_cut(message):
        return None
    return message.model_copy(update={"tool_calls": answers[:1]})


def look_up(message: AIMessage, tools: Sequence[BaseTool]) -> list[ToolMessage]:
    """The results of all calls of a message, each a traced run of its tool.

    A call that is wrong has the status `error`.
    """
    known = {tool.name: tool for tool in tools}
    return [_result(call, known, n) for n, call in enumerate(message.tool_calls)]


def _result(call: ToolCall, known: Mapping[str, BaseTool], number: int) -> ToolMessage:
    tool = known.get(call["name"])
    if number >= MAX_CALLS:
        return _said(call, f"not done: at most {MAX_CALLS} calls at a time")
    if tool is None:
        wrong = f"there is no tool {call['name'][:40]!r} (there are: {', '.join(known)})"
        return _said(call, wrong, "error")
    found = tool.invoke({**call, "id": call["id"] or "", "type": "tool_call"})
    return _said(call, found.content, found.status)


def _said(
    call: ToolCall, content: Any, status: Literal["success", "error"] = "success"
) -> ToolMessage:
    text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
    return ToolMessage(
        text[:MAX_RESULT], tool_call_id=call["id"] or "", name=call["name"], status=status
    )
