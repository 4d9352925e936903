"""Runs whose records somebody has altered: seeded, one change each."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ODD: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 3, 10**9, 10**30, -0.5, 1.5, 1e308, float("nan"), float("inf")),
    *(
        "",
        "x",
        "0",
        "\x1b[2J",
        "é\ud800",
        "<b>x",
        "2026-13-45T00:00:00",
        "9999-12-31T23:59:59+00:00",
    ),
    *([], [None], [[]], [1, "a", {}], {}, {"a": None}, {"": {"": []}}, {"text": 5, "turn": "x"}),
)


def alter(run: Path, dice: random.Random) -> str:
    """Change one thing in a run's trace or record; returns what."""
    record = run / "episode.json"
    if dice.random() < 0.3:
        content = json.loads(record.read_text(encoding="utf-8"))
        told = _alter_value(content, dice)
        record.write_text(json.dumps(content), encoding="utf-8")
        return f"episode.json: {told}"
    trace = run / "trace.jsonl"
    lines = trace.read_text(encoding="utf-8").splitlines()
    told = _alter_lines(lines, dice)
    trace.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return f"trace.jsonl: {told}"


def _alter_lines(lines: list[str], dice: random.Random) -> str:
    place, kind = dice.randrange(len(lines)), dice.random()
    if kind < 0.06:
        del lines[:place]
        return f"the first {place} lines lost"
    if kind < 0.12:
        other = dice.randrange(len(lines))
        lines[place], lines[other] = lines[other], lines[place]
        return f"lines {place} and {other} swapped"
    if kind < 0.16:
        lines[place] = lines[place][: dice.randrange(len(lines[place]))]
        return f"line {place} cut"
    if kind < 0.2:
        lines[place] = dice.choice(("[]", "{}", "5", "null", '{"post":5}', '{"patch":{"id":[]}}'))
        return f"line {place} is {lines[place]}"
    content = json.loads(lines[place])
    told = _alter_value(content, dice)
    lines[place] = json.dumps(content, separators=dice.choice(((",", ":"), (", ", ": "))))
    return f"line {place}: {told}"


def _alter_value(content: Any, dice: random.Random) -> str:
    paths = list(_paths(content))
    *way, last = dice.choice(paths)
    holder = content
    for key in way:
        holder = holder[key]
    told = ".".join(map(str, [*way, last]))
    if isinstance(holder, dict) and dice.random() < 0.2:
        del holder[last]
        return f"{told} gone"
    holder[last] = copy.deepcopy(dice.choice(ODD))
    return f"{told} = {holder[last]!r}"


def _paths(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in items:
        yield (*way, key)
        if isinstance(inner, dict | list):
            yield from _paths(inner, (*way, key))
