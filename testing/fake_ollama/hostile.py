"""A model that answers with whatever might break its reader: `embedded:function:` + `SELF`.

Its answers fit the wanted form as far as they can, so that they get deep into play.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

from langchain_core.messages import AIMessage

from agents.models.scripts import ModelQuestion
from testing.fake_ollama.generator import generate, understood

SELF = "testing.fake_ollama.hostile:answer"

_MEGABYTE = 1 << 20
TEXTS = (
    *("\ud83d", "\udcff\ud800", "\x00", "\x1b[2J\x1b]0;owned\x07", "\u202e\u2066", "\x9b31m"),
    *("\uffff\ufeff", "{{ 7 * 7 }}{% raw %}", "'; DROP TABLE turns; --", "\r\n> quit\r\n"),
    *("e\u0301" * 500, "\U000e0041\u200b", "../../etc/passwd", "x" * 100_000),
)
NUMBERS = (10**30, -(10**30), float("nan"), float("inf"), 1e308, -1, 2**63)
RAW = (
    *("", "\x00", "{" * 100_000, "[" * 100_000, '{"a":' * 50_000, "\ud83d" * 100),
    *('"' + "x" * 10 * _MEGABYTE, "<html><body>502</body></html>", "null", "[]", "{}"),
    *('{"thinking": 1e999999, "action": NaN}', '{"accept": ' + "9" * 6000 + "}"),
    *("<think>" * 10_000, "\x1b[31m{\x1b[0m", '{"action": "\\ud83d", "thinking": "\\u0000"}'),
)


def answer(question: ModelQuestion) -> Any:
    """An answer of a hundred kinds; the same one to the same question."""
    rng = random.Random(repr(question.messages))
    good = generate(question, understood(question).schema, rng.randrange(1 << 30))
    if not isinstance(good, dict) or rng.random() < 0.15:
        return rng.choice(RAW)
    return rng.choice(SPOILERS)(good, rng)


def _texts(good: dict[str, Any], rng: random.Random) -> Any:
    bad = rng.choice(TEXTS)
    return _changed(good, lambda value: f"{value}{bad}" if isinstance(value, str) else value)


def _written(good: dict[str, Any], rng: random.Random) -> str:
    """The same, as text with escapes."""
    return json.dumps(_texts(good, rng))


def _numbers(good: dict[str, Any], rng: random.Random) -> Any:
    number = rng.choice(NUMBERS)
    return _changed(good, lambda value: number if isinstance(value, int | float) else value)


def _digits(good: dict[str, Any], rng: random.Random) -> str:
    """Numbers of 6,000 digits, and numbers as texts."""
    digits = rng.choice(("9" * 6000, '"' + "9" * 4000 + '"', "1e99999", "-Infinity"))
    text = json.dumps(
        _changed(good, lambda value: "@" if isinstance(value, int | float) else value)
    )
    return text.replace('"@"', digits)


def _deep(good: dict[str, Any], rng: random.Random) -> Any:
    nest: Any = "deep"
    for _ in range(rng.choice((40, 400, 20_000))):
        nest = {"deep": nest} if rng.random() < 0.5 else [nest]
    return {**good, rng.choice(list(good)): nest}


def _wide(good: dict[str, Any], _rng: random.Random) -> Any:
    return _changed(good, lambda value: value, lambda items: items * 60 if items else items)


def _message(good: dict[str, Any], rng: random.Random) -> AIMessage:
    call = {"name": "\ud83d", "args": _texts(good, rng), "id": "\x00\ud83d"}
    blocks: list[str | dict[str, Any]] = [{"type": "text", "text": "\ud83d"}, "\x1b[2J"]
    return AIMessage(blocks, tool_calls=[call], additional_kwargs={"reasoning_content": "\ud83d"})


SPOILERS: tuple[Callable[[dict[str, Any], random.Random], Any], ...] = (
    *(_texts, _texts, _texts, _written, _written, _numbers, _digits, _deep, _wide, _message),
)


def _changed(
    value: Any,
    change: Callable[[Any], Any],
    widen: Callable[[list[Any]], list[Any]] = lambda items: items,
) -> Any:
    if isinstance(value, dict):
        return {key: _changed(item, change, widen) for key, item in value.items()}
    if isinstance(value, list):
        return widen([_changed(item, change, widen) for item in value])
    return value if isinstance(value, bool) or value is None else change(value)
