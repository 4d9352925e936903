"""State variables on trial: kept where they explain outcomes, dropped where they do not.

What a variable explains is measured in bits: the entropy of the outcomes without it, less the
entropy within its values, less what the additional values cost to describe.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

Tables = dict[str, dict[str, int]]
"""Value of the variable -> outcome -> count, in one context."""

MOST_ON_TRIAL = 4
MOST_KEPT = 8
_ENOUGH = 4.5
"""Bits that a variable has to explain to be kept."""
_PATIENCE = 20
"""Observations in contradictory contexts after which it has to have explained them."""
_LONGEST = 400
"""Turns after which a variable on trial has to go, even if it was hardly ever put to the test."""


class Verdict(NamedTuple):
    """What became of a variable."""

    name: str
    useful: bool
    source: str


class Review(NamedTuple):
    """The variables after a review."""

    variables: dict[str, Any]
    dropped: list[str]
    """Those that explained nothing, or nothing that another one did not explain better."""
    splits: list[tuple[str, str, Tables]]
    """Context, variable and its table, where the variable now is part of the state."""
    verdicts: list[Verdict]


def bits(counts: Sequence[int]) -> float:
    """The observations' total entropy: n times H, in bits."""
    total = sum(counts)
    return sum(count * math.log2(total / count) for count in counts if count)


def explained(tables: Tables) -> float:
    """The bits that knowing the variable's value saves in one context, net of its price."""
    rows = [list(row.values()) for row in tables.values()]
    merged: dict[str, int] = {}
    for row in tables.values():
        for outcome, count in row.items():
            merged[outcome] = merged.get(outcome, 0) + count
    price = (len(tables) - 1) * (len(merged) - 1) * math.log2(sum(merged.values()) + 1) / 2
    return bits(list(merged.values())) - sum(map(bits, rows)) - price


def trial_of(
    variables: Mapping[str, Any], dropped: Iterable[str], name: str, source: str, turn: int
) -> dict[str, Any]:
    """The variables with one more on trial, unless it is known, was dropped, or all is full."""
    name = " ".join(name.lower().split())
    on_trial = sum(not entry["kept"] for entry in variables.values())
    if not name or name in variables or name in dropped or on_trial >= MOST_ON_TRIAL:
        return dict(variables)
    return {**variables, name: {"kept": 0, "from": source, "since": turn, "tables": {}}}


def reviewed(variables: Mapping[str, Any], turn: int) -> Review:
    """Judge every variable by what it has explained so far; the best explanation wins."""
    review = Review(dict(variables), [], [], [])
    for gain, name, context in _explanations(variables):
        entry = review.variables[name]
        taken = any(context == split[0] for split in review.splits)
        if gain >= _ENOUGH and not taken and (entry["kept"] or _room_left(review.variables)):
            _keep(review, name, context)
    for name, before in variables.items():
        entry = review.variables[name]
        beaten = before["tables"] and not entry["tables"]
        if not entry["kept"] and (beaten or _had_its_chance(entry, turn)):
            del review.variables[name]
            review.dropped.append(name)
            review.verdicts.append(Verdict(name, False, entry["from"]))
    return review


def _explanations(variables: Mapping[str, Any]) -> list[tuple[float, str, str]]:
    found = [
        (explained(tables), name, context)
        for name, entry in variables.items()
        for context, tables in entry["tables"].items()
        if len(tables) > 1
    ]
    return sorted(found, key=lambda one: -one[0])


def _keep(review: Review, name: str, context: str) -> None:
    """Split the context by the variable; all others have to explain what is left of it."""
    entry = review.variables[name]
    review.splits.append((context, name, entry["tables"][context]))
    if not entry["kept"]:
        review.verdicts.append(Verdict(name, True, entry["from"]))
        review.variables[name] = {**entry, "kept": 1}
    for other, known in review.variables.items():
        if context in known["tables"]:
            rest = {key: value for key, value in known["tables"].items() if key != context}
            review.variables[other] = {**known, "tables": rest}


def _room_left(variables: Mapping[str, Any]) -> bool:
    return sum(bool(entry["kept"]) for entry in variables.values()) < MOST_KEPT


def _had_its_chance(entry: Mapping[str, Any], turn: int) -> bool:
    seen = sum(
        int(count)
        for tables in entry["tables"].values()
        for row in tables.values()
        for count in row.values()
    )
    return seen >= _PATIENCE or turn - int(entry["since"]) >= _LONGEST
