"""An answer of the fake server, before it goes onto the wire."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from agents.models.scripts import ModelQuestion, Rule, Script
from testing.fake_ollama.generator import generate, lookup, understood
from testing.fake_ollama.protocol import CHARS_PER_TOKEN, CREATED, Call

MAX_PIECES = 5
NS_PER_TOKEN = 10_000_000

Answers = Callable[[ModelQuestion], Any]
"""A text, a JSON value, a `Rule`, or None for a made-up answer."""


@dataclass(frozen=True)
class Generated:
    """What the model said."""

    text: str
    thinking: str = ""
    arguments: Any = None
    """Of the tool call, where the answer is one."""
    tool: str = ""
    """The tool that is called."""
    done_reason: str = "stop"
    fault: str = ""


def complete(call: Call, answers: Answers | Script | None, seed: int) -> Generated:
    """The answer to a call: from the script or function, else made up to fit the schema."""
    question = understood(call.question)
    found = answers.answer(question) if isinstance(answers, Script) else None
    if callable(answers):
        found = answers(question)
    rule = found if isinstance(found, Rule) else Rule(answer=found)
    tool = rule.call
    if rule.answer is None:
        tool = tool or lookup(question, seed)
        schema = question.tools.get(tool, question.schema)
        rule = rule.model_copy(update={"answer": generate(question, schema, seed)})
    return _limited(_said(rule, tool or call.tool), call.num_predict)


def _said(rule: Rule, tool: str) -> Generated:
    answer = rule.answer
    if tool and isinstance(answer, dict):
        return Generated("", rule.thinking, arguments=answer, tool=tool, fault=rule.fault)
    text = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
    return Generated(text, rule.thinking, fault=rule.fault)


def counts(call: Call, done: Generated) -> dict[str, int]:
    """Token counts and durations; the prompt counts only as far as the context holds it."""
    said = len(done.text) + len(done.thinking)
    said += len(json.dumps(done.arguments)) if done.arguments is not None else 0
    tokens = -(-said // CHARS_PER_TOKEN)
    prompt = min(call.prompt_tokens, call.num_ctx)
    return {
        "total_duration": (prompt + tokens) * NS_PER_TOKEN,
        "load_duration": NS_PER_TOKEN,
        "prompt_eval_count": prompt,
        "prompt_eval_duration": prompt * NS_PER_TOKEN,
        "eval_count": tokens,
        "eval_duration": tokens * NS_PER_TOKEN,
    }


def chunks(call: Call, done: Generated) -> Iterator[dict[str, Any]]:
    """The lines of a streamed answer, the last one with `done`."""
    if call.thinks and done.thinking:
        for piece in _pieces(done.thinking):
            yield _line(call, "", thinking=piece)
    if done.arguments is not None:
        yield _line(call, "", tool_calls=[_tool_call(done)])
    for piece in _pieces(done.text):
        yield _line(call, piece)
    yield {
        **_line(call, ""),
        "done": True,
        "done_reason": done.done_reason,
        **counts(call, done),
    }


def whole(call: Call, done: Generated) -> dict[str, Any]:
    """The answer in one piece, as with `stream: false`."""
    extra: dict[str, Any] = {}
    if call.thinks and done.thinking:
        extra["thinking"] = done.thinking
    if done.arguments is not None:
        extra["tool_calls"] = [_tool_call(done)]
    line = _line(call, done.text, **extra)
    return {**line, "done": True, "done_reason": done.done_reason, **counts(call, done)}


def nothing(call: Call, done_reason: str) -> dict[str, Any]:
    """The answer to a request that only loads or unloads the model."""
    return {**_line(call, ""), "done": True, "done_reason": done_reason}


def _limited(done: Generated, num_predict: int) -> Generated:
    room = num_predict * CHARS_PER_TOKEN
    if num_predict <= 0 or len(done.text) <= room:
        return done
    return replace(done, text=done.text[:room], done_reason="length")


def _pieces(text: str) -> Iterator[str]:
    size = max(1, -(-len(text) // MAX_PIECES))
    for start in range(0, len(text), size):
        yield text[start : start + size]


def _line(call: Call, content: str, **extra: Any) -> dict[str, Any]:
    head = {"model": call.model.name, "created_at": CREATED}
    if call.endpoint == "generate":
        return {**head, "response": content, **extra, "done": False}
    return {**head, "message": {"role": "assistant", "content": content, **extra}, "done": False}


def _tool_call(done: Generated) -> dict[str, Any]:
    return {"function": {"name": done.tool, "arguments": done.arguments}}
