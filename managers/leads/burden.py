"""What is carried: treasures and where they belong, and what was put down."""

from __future__ import annotations

import re
from typing import Any

from managers.leads.turn import Turn
from managers.text.commands import parse_command
from managers.text.lexicon import head_of

_LADEN = re.compile(
    r"\b(?:load|carrying too|carry any ?more|holding too|hands? (?:is|are) full|arms are full)\b",
    re.IGNORECASE,
)
_PLACING = frozenset({"tie"})
_MOST = 40


def home(turn: Turn) -> list[str] | None:
    """A deposit that scored shows where treasures belong."""
    if turn.scored <= 0 or not turn.command:
        return None
    parts = parse_command(turn.command)
    if parts.verb == "put" and parts.second:
        return [turn.room, f"put {{}} {parts.preposition} {parts.second}"]
    if parts.verb == "drop" and parts.object:
        return [turn.room, "drop {}"]
    return None


def overloaded(data: dict[str, Any], turn: Turn) -> bool:
    """Whether the hands are too full to take more."""
    if turn.extraction.action_result.result == "failure" and _LADEN.search(turn.text):
        return True
    return bool(data.get("overloaded")) and parse_command(turn.command).verb != "drop"


def deposited(deposited: list[str], turn: Turn) -> list[str]:
    """The treasures that have scored where they were put."""
    if home(turn) is None:
        return deposited
    return [*deposited, head_of(parse_command(turn.command).object)][-_MOST:]


def discarded(data: dict[str, Any], turn: Turn) -> list[str]:
    """What was dropped to carry something better."""
    discarded: list[str] = data.get("discarded", [])
    parts = parse_command(turn.command)
    if not data.get("overloaded") or parts.verb != "drop":
        return discarded
    return [head_of(parts.object), *discarded][:_MOST]


def placed(placed: list[str], turn: Turn) -> list[str]:
    """What was tied somewhere and should stay there."""
    parts = parse_command(turn.command)
    if parts.verb not in _PLACING or turn.extraction.action_result.result == "failure":
        return placed
    return list(dict.fromkeys([head_of(parts.object), *placed]))[:_MOST]


def treasures(treasures: list[str], turn: Turn) -> list[str]:
    """What was just taken for points."""
    if turn.scored <= 0 or parse_command(turn.command).verb != "take":
        return treasures
    return list(dict.fromkeys([*turn.taken, *treasures]))[:_MOST]
