"""The OpenAI-compatible side of Ollama, for other LangChain packages to talk to."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from testing.fake_ollama.completion import Generated, counts
from testing.fake_ollama.protocol import Call, FakeModel, parse_chat

_REASONS = {"stop": "stop", "length": "length"}


def parse(body: Mapping[str, Any], models: Sequence[FakeModel]) -> Call:
    """An accepted request: the same call as Ollama's own, in other words."""
    form = body.get("response_format") or {}
    schema = (form.get("json_schema") or {}).get("schema")
    chat = {
        "model": body.get("model", ""),
        "messages": [_message(message) for message in body.get("messages", [])],
        "stream": bool(body.get("stream", False)),
        "tools": body.get("tools"),
        "format": _titled(schema, form) if schema else None,
        "options": {
            "num_predict": body.get("max_completion_tokens") or body.get("max_tokens") or -1
        },
    }
    return replace(parse_chat(chat, models), endpoint="openai")


def listing(models: Sequence[FakeModel]) -> dict[str, Any]:
    """The answer of `/v1/models`."""
    data = [
        {"id": model.full_name, "object": "model", "created": 0, "owned_by": "library"}
        for model in models
    ]
    return {"object": "list", "data": data}


def whole(call: Call, done: Generated) -> dict[str, Any]:
    """The answer in one piece."""
    message = {"role": "assistant", **_said(call, done)}
    choice = {"index": 0, "message": message, "finish_reason": _reason(done)}
    return {**_head(call, "chat.completion"), "choices": [choice], "usage": _usage(call, done)}


def events(call: Call, done: Generated) -> Iterator[bytes]:
    """The answer as server-sent events."""
    head = _head(call, "chat.completion.chunk")
    delta = {"role": "assistant", **_said(call, done)}
    for choice in (
        {"index": 0, "delta": delta, "finish_reason": None},
        {"index": 0, "delta": {}, "finish_reason": _reason(done)},
    ):
        yield _event({**head, "choices": [choice]})
    if done.fault != "no_done":
        yield _event({**head, "choices": [], "usage": _usage(call, done)})
        yield b"data: [DONE]\n"


def _message(message: Mapping[str, Any]) -> dict[str, Any]:
    content = message.get("content") or ""
    if isinstance(content, list):
        content = "".join(part.get("text", "") for part in content)
    return {"role": message.get("role", ""), "content": content}


def _titled(schema: Mapping[str, Any], form: Mapping[str, Any]) -> dict[str, Any]:
    return {"title": form["json_schema"].get("name", ""), **schema}


def _said(call: Call, done: Generated) -> dict[str, Any]:
    if done.arguments is None:
        thoughts = {"reasoning_content": done.thinking} if call.thinks and done.thinking else {}
        return {"content": done.text, **thoughts}
    function = {"name": done.tool, "arguments": json.dumps(done.arguments, ensure_ascii=False)}
    return {
        "content": None,
        "tool_calls": [{"id": "call_0", "index": 0, "type": "function", "function": function}],
    }


def _reason(done: Generated) -> str:
    if done.arguments is not None:
        return "tool_calls"
    return _REASONS.get(done.done_reason, "stop")


def _usage(call: Call, done: Generated) -> dict[str, int]:
    count = counts(call, done)
    prompt, said = count["prompt_eval_count"], count["eval_count"]
    return {"prompt_tokens": prompt, "completion_tokens": said, "total_tokens": prompt + said}


def _head(call: Call, kind: str) -> dict[str, Any]:
    return {
        "id": "chatcmpl-0",
        "object": kind,
        "created": 0,
        "model": call.model.name,
        "system_fingerprint": "fp_ollama",
    }


def _event(content: Mapping[str, Any]) -> bytes:
    return b"data: " + json.dumps(content, ensure_ascii=False).encode() + b"\n"
