"""What servers of OpenAI's protocol send, put as the protocol has it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from langchain_core.messages import AIMessageChunk

from agents.models.faults import ModelFault, brief, by_status
from agents.parsing import as_count

_COUNTS = ("prompt_tokens", "completion_tokens", "total_tokens")


class CallWatch:
    """Reads the calls in an answer as they come; LangChain would complete them without a word."""

    def __init__(self) -> None:
        self._calls: dict[Any, str] = {}

    def read(self, part: AIMessageChunk) -> None:
        """The next piece."""
        for call in part.tool_call_chunks:
            at = call.get("index")
            self._calls[at] = self._calls.get(at, "") + (call.get("args") or "")

    @property
    def broken(self) -> bool:
        """Whether one of them is no JSON so far."""
        return not all(map(_is_whole, filter(None, self._calls.values())))


def _is_whole(arguments: str) -> bool:
    try:
        json.loads(arguments, strict=False)
    except (ValueError, RecursionError):
        return False
    return True


def as_promised(told: Mapping[str, Any]) -> dict[str, Any]:
    """An answer, or a piece of one, with numbers for tokens and texts for texts."""
    choices = [_choice(one) for one in told.get("choices") or () if isinstance(one, dict)]
    return {**told, "usage": _usage(told.get("usage")), "choices": choices}


def check_answered(told: Mapping[str, Any], where: str) -> None:
    """Whether there is a message in a whole answer.

    Raises:
        ModelFault: an error stands in its place, or nothing.
    """
    error = told.get("error")
    if error:
        words = error.get("message") if isinstance(error, dict) else error
        code = str(error.get("code")) if isinstance(error, dict) else ""
        found = by_status(int(code) if code.isdecimal() and len(code) == 3 else 500)
        said = brief(f"{where}: {words or error}")
        raise ModelFault(found.kind, said, transient=found.transient)
    choices = told.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(first, dict) or not isinstance(first.get("message"), dict):
        raise ModelFault("garbled", f"{where}: an answer without a message", transient=True)


def _usage(told: Any) -> dict[str, Any] | None:
    if not isinstance(told, dict):
        return None
    details = {
        name: {key: as_count(value) for key, value in one.items() if value is not None}
        for name, one in told.items()
        if isinstance(one, dict)
    }
    counts = {name: as_count(told[name]) for name in _COUNTS if told.get(name) is not None}
    return details | counts


def _choice(choice: dict[str, Any]) -> dict[str, Any]:
    said = {name: _said(choice[name]) for name in ("message", "delta") if choice.get(name)}
    return {**choice, **said}


def _said(message: dict[str, Any]) -> dict[str, Any]:
    plain = {**message, "content": _as_text(message.get("content"))}
    calls = message.get("tool_calls")
    if isinstance(calls, list):
        plain["tool_calls"] = [_call(one) for one in calls if isinstance(one, dict)]
    return plain


def _call(call: dict[str, Any]) -> dict[str, Any]:
    function = call.get("function")
    if not isinstance(function, dict):
        return call
    return {**call, "function": {**function, "arguments": _as_text(function.get("arguments"))}}


def _as_text(value: Any) -> Any:
    """JSON that was to be written as a text; parts of a text stay parts."""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else value
