"""What a model wrote, read as the wanted type, with everything that is wrong with it."""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from langchain_core.messages import AIMessage
from pydantic import BaseModel, ValidationError

from agents.json_text import DIGITS, json_objects, split_thinking
from environments.plain_text import storable
from environments.secrets import without_known

LONGEST = 200
"""Characters of what is repeated, at most."""
TIMES = 4
LEAST = 160
"""Characters of all repetitions together, at least."""
_EVERY = 40
"""New characters after which the end of an answer is looked at again."""
LOOP = "loop"
"""Why an answer ended that was broken off here, in the place of a server's own reason."""
T = TypeVar("T", bound=BaseModel)
MAX_FAULTS = 8
MAX_ANSWER = 200_000
"""Characters of a whole answer; a longer one is not read."""
MAX_TEXT = 10_000
"""Characters of one text in it; the rest is cut off."""
MAX_NUMBER = 2**53
"""The largest number that JSON carries whole."""
BROKEN_OFF = "error"
"""Why an answer ended of which a server could not write the rest."""
_CUT = frozenset(
    {"length", "max_tokens", "MAX_TOKENS", "model_length", "model_context_window_exceeded"}
    | {LOOP, BROKEN_OFF}
)
_REFUSED = frozenset(
    {"content_filter", "refusal", "SAFETY", "RECITATION", "PROHIBITED_CONTENT", "BLOCKLIST"}
)
_REASONS = ("done_reason", "finish_reason", "stop_reason")


def ends_in_loop(text: str) -> bool:
    """Whether a text ends with the same words, or the same blank, four times and more."""
    for period in range(1, LONGEST + 1):
        times = max(TIMES, -(-LEAST // period))
        if len(text) >= times * period and text.endswith(text[-period:] * times):
            return True
    return False


class LoopWatch:
    """Reads an answer as it comes."""

    def __init__(self) -> None:
        self._tail = ""
        self._new = 0

    def loops(self, more: str) -> bool:
        """Whether the answer, with what has just come, has begun to go round in a circle."""
        self._tail = (self._tail + more)[-TIMES * LONGEST :]
        self._new += len(more)
        if self._new < _EVERY:
            return False
        self._new = 0
        return ends_in_loop(self._tail)


MAX_DEPTH, MAX_ITEMS = 30, 200
"""How deep an answer may be nested, and how long a list in it may be."""


class PlainLine(BaseModel):
    """An answer that is no JSON: what the model says, and nothing else."""

    text: str


class Fault(NamedTuple):
    """One thing that went wrong with a question, told to the model where it can be mended."""

    kind: str
    message: str


Check = Callable[[T], Iterable[str | Fault]]
"""What is wrong with an answer that has the right form: in words, or as a kind of its own."""

_CUT_OFF = Fault("truncated", "the answer was too long and is cut off; answer briefly")
_BROKEN = Fault("cut", "the answer was broken off by an error; answer again")
_LOOPED = Fault("loop", "you said the same again and again; answer briefly, then stop")
_ENDS = {LOOP: _LOOPED, BROKEN_OFF: _BROKEN}
"""Ends that have nothing to do with a limit."""
_CUT_THOUGHTS = Fault("thinking", "you thought until there was no room for an answer; think less")


class Reply(NamedTuple, Generic[T]):
    """A model's message, taken apart."""

    answer: T | None
    faults: tuple[Fault, ...]
    text: str
    """The answer as it was written, as JSON where it came as a tool call."""
    thoughts: str


def read_reply(message: AIMessage, kind: type[T], check: Check[T] | None = None) -> Reply[T]:
    """The answer in a message, or all faults that keep it from being one.

    Of several that would do, the last one counts: what comes before it is a draft. An answer that
    was cut off is one where it was complete before, and only white space followed.
    """
    if _size(message) > MAX_ANSWER:
        return Reply(None, (Fault("long", "the answer is far too long; answer briefly"),), "", "")
    if kind is PlainLine:  # No tool is called for a line.
        message = message.model_copy(update={"tool_calls": []})
    thoughts, text = split_thinking(str(message.text))
    thoughts = "\n".join(part for part in (reasoning(message), thoughts) if part)
    nothing_said = not (text or message.tool_calls or is_cut(message) or kind is PlainLine)
    said = thoughts if nothing_said else text
    payloads, whole = _payloads(message, said, kind)
    complete = whole and is_cut(message)
    if message.tool_calls and not complete:
        text = json.dumps(payloads[0], ensure_ascii=False)
    unfinished = None if complete else _unfinished(message, text, thoughts)
    if unfinished:
        return Reply(None, (unfinished,), text, thoughts)
    if not payloads:
        return Reply(None, (_nothing(text),), text, thoughts)
    answer, faults = _last_valid(payloads, kind)
    if answer is None and is_cut(message):
        return Reply(None, (_ENDS.get(finish_reason(message), _CUT_OFF),), text, thoughts)
    if answer is not None and check is not None:
        told = check(answer)
        wrong = [one if isinstance(one, Fault) else Fault("content", one) for one in told]
        answer, faults = (None if wrong else answer), [*faults, *wrong]
    return Reply(answer, tuple(faults[:MAX_FAULTS]), text or said, thoughts)


def _payloads(message: AIMessage, said: str, kind: type[BaseModel]) -> tuple[list[Any], bool]:
    """What may be the answer, and whether nothing that was begun behind it is unfinished."""
    if kind is PlainLine:
        line_ends = str(message.text).rstrip(" ").endswith("\n")
        return ([{"text": said}] if said else []), bool(said) and line_ends
    objects = json_objects(said)
    written = [bounded(one) for one in objects.found]
    whole = bool(written) and "{" not in objects.rest
    if not message.tool_calls or (whole and is_cut(message)):
        return written, whole
    # Another tool may have been called beside the answer, or instead of it.
    called = [call["args"] for call in message.tool_calls]
    return [_last_of([*written, *called], kind)], False


def bounded_message(message: AIMessage) -> AIMessage:
    """A model's message with nothing in it that cannot be stored, sent on or read in time.

    Calls that are no JSON are what the model said, where it said nothing else.
    """
    broken = "\n".join(str(call["args"] or "") for call in message.invalid_tool_calls)
    calls = [
        {**call, "name": storable(call["name"]), "id": storable(call["id"] or "")}
        for call in message.tool_calls
    ]
    fields = {
        "content": bounded(message.content or broken, MAX_ANSWER + 1),
        "additional_kwargs": bounded(message.additional_kwargs, MAX_ANSWER + 1),
        "response_metadata": bounded(message.response_metadata),
        "tool_calls": [{**call, "args": bounded(call["args"])} for call in calls],
        "invalid_tool_calls": [],
    }
    return message.model_copy(update=fields)


def bounded(value: Any, most: int = MAX_TEXT, depth: int = MAX_DEPTH) -> Any:
    """Plain data cut to size; no value stands for what is nested too deep, and for no number."""
    match value:
        case str():
            return storable(without_known(value[: 2 * most])[:most])
        case dict() if depth:
            items = list(value.items())[:MAX_ITEMS]
            return {storable(str(k)[:most]): bounded(v, most, depth - 1) for k, v in items}
        case list() | tuple() if depth:
            return [bounded(item, most, depth - 1) for item in value[:MAX_ITEMS]]
        case None | bool():
            return value
        case int() | float() if -MAX_NUMBER <= value <= MAX_NUMBER:
            return value
    return None


def as_count(told: Any) -> int:
    """How many tokens somebody says there were; 0 for what is no such number."""
    if isinstance(told, str) and told.isdecimal():
        told = int(told[:DIGITS])
    if isinstance(told, float):
        told = int(told) if math.isfinite(told) else 0
    return min(max(told, 0), MAX_NUMBER) if isinstance(told, int) else 0


def finish_reason(message: AIMessage) -> str:
    """Why the model stopped, in its provider's word; empty where it does not say."""
    said = (message.response_metadata.get(name) for name in _REASONS)
    return next((str(reason) for reason in said if reason), "")


def is_cut(message: AIMessage) -> bool:
    """Whether the model had to stop before its end."""
    return finish_reason(message) in _CUT


@functools.lru_cache(maxsize=256)
def strict_schema(kind: type[BaseModel]) -> dict[str, Any]:
    """The JSON schema of a type, with every property required and none besides them.

    What may be left out is left out by small models, and a truncated answer would pass.
    The same dict is returned every time: do not change it.
    """
    return {**_strict(kind.model_json_schema()), "title": kind.__name__}


def _strict(node: Any) -> Any:
    if isinstance(node, list):
        return [_strict(item) for item in node]
    if not isinstance(node, dict):
        return node
    out = {k: _strict(v) for k, v in node.items() if k not in ("default", "title")}
    if isinstance(node.get("properties"), dict):
        out["properties"] = {name: _strict(p) for name, p in node["properties"].items()}
        out["required"] = list(out["properties"])
        out["additionalProperties"] = False
    return out


def _size(message: AIMessage) -> int:
    said = message.content if isinstance(message.content, list) else [message.content]
    return sum(len(str(one)) for one in said)


def reasoning(message: AIMessage) -> str:
    """What the model thought, where its provider tells that apart from the answer."""
    for place in (message.additional_kwargs.get("reasoning_content"), _untold(message)):
        if isinstance(place, str) and place.strip():
            return place.strip()
    blocks = (block for block in message.content_blocks if block["type"] == "reasoning")
    return "\n".join(block.get("reasoning", "") for block in blocks).strip()


def _untold(message: AIMessage) -> Any:
    """Thoughts that nobody asked for."""
    return message.response_metadata.get("thinking")


def _unfinished(message: AIMessage, text: str, thoughts: str) -> Fault | None:
    if finish_reason(message) in _ENDS:
        return _ENDS[finish_reason(message)]
    if is_cut(message):
        thought = not text and (thoughts or not message.text)
        return _CUT_THOUGHTS if thought else _CUT_OFF
    if finish_reason(message) in _REFUSED or message.additional_kwargs.get("refusal"):
        return Fault("declined", "no answer was given; this is a harmless text adventure")
    return None


def _nothing(text: str) -> Fault:
    if not text.strip():
        return Fault("empty", "the answer is empty")
    return Fault("no_json", f"there is no complete JSON object in {text[:60]!r}")


def _last_of(payloads: Sequence[dict[str, Any]], kind: type[BaseModel]) -> dict[str, Any]:
    """The last payload that will do, or the last of all: what is kept must be what was used."""
    fit = (one for one in reversed(payloads) if _last_valid([one], kind)[0] is not None)
    return next(fit, payloads[-1])


def _last_valid(payloads: Sequence[dict[str, Any]], kind: type[T]) -> tuple[T | None, list[Fault]]:
    tried = [_validated(payload, kind) for payload in payloads]
    unwrapped = [
        _validated(inner, kind)
        for payload in payloads
        if len(payload) == 1 and isinstance(inner := next(iter(payload.values())), dict)
    ]
    valid = (result for result in [*reversed(tried), *reversed(unwrapped)] if result[0] is not None)
    return next(valid, tried[-1])


def _validated(payload: dict[str, Any], kind: type[T]) -> tuple[T | None, list[Fault]]:
    try:
        found = kind.model_validate(payload)
        large = _too_large(found.model_dump())
        return (None if large else found), large
    except ValidationError as error:
        faults = error.errors(include_url=False)
    unknown = [fault["loc"] for fault in faults if fault["type"] == "extra_forbidden"]
    known = _without(payload, unknown)
    if known != payload:
        answer, rest = _validated(known, kind)
        return answer, [*(Fault("extra", f"{_where(loc)} is no field") for loc in unknown), *rest]
    return None, [Fault("schema", f"{_where(fault['loc'])}: {fault['msg']}") for fault in faults]


def _too_large(value: Any) -> list[Fault]:
    """Numbers that were written as texts get past every other check."""
    if isinstance(value, dict):
        return [fault for item in value.values() for fault in _too_large(item)]
    if isinstance(value, list | tuple):
        return [fault for item in value for fault in _too_large(item)]
    fits = not isinstance(value, int | float) or -MAX_NUMBER <= value <= MAX_NUMBER
    return [] if fits else [Fault("schema", "a number is too large")]


def _without(payload: Any, paths: Sequence[tuple[int | str, ...]]) -> Any:
    """A copy without what the paths lead to; a step that is not there names a type of a union."""
    copy = json.loads(json.dumps(payload))
    for path in paths:
        node = copy
        for step in path[:-1]:
            node = node[step] if _has(node, step) else node
        if isinstance(node, dict):
            node.pop(path[-1], None)
    return copy


def _has(node: Any, step: int | str) -> bool:
    if isinstance(node, dict):
        return step in node
    return isinstance(node, list) and isinstance(step, int) and step < len(node)


def _where(loc: Sequence[int | str]) -> str:
    return ".".join(str(part) for part in loc) or "the answer"
