"""What is carried: treasures and where they belong, and what was put down."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Any

from managers.affordances import affordances
from managers.leads.turn import Turn
from managers.text.commands import parse_command
from managers.text.lexicon import head_of
from managers.text.outcomes import item_replies

_LADEN = re.compile(
    r"\b(?:load|carrying too|carry any ?more|holding too|hands? (?:is|are) full|arms are full)\b",
    re.IGNORECASE,
)
_ENCUMBERED = re.compile(
    r"\b(?:with (?:all |everything )?(?:that|what|so much|the things)?\s*you(?:'re| are|r)"
    r" (?:carrying|holding|load|baggage|belongings|burden)|carrying so much|too heavily laden"
    r"|while (?:carrying|holding) )\b",
    re.IGNORECASE,
)
_PLACING = frozenset({"tie"})
_MOST = 40
_MOST_LEFT = 3
_TRIES = 4
_TRIES_FOR_TREASURE = 8
"""How often something is put down to take the same thing."""

UNBURDENING = frozenset({"drop", "put", "give", "eat", "throw"})
"""Verbs after which less is carried."""
_PRECIOUS = frozenset({"treasure", "valuable", "key-like"})
_ONE_OF = ("weapon", "rope-like")
_PLAIN = frozenset({"readable", "food", "drink"})


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


def laden(reply: str) -> bool:
    """The reply says that too much is carried already."""
    return bool(_LADEN.search(reply))


def least(held: Sequence[str], precious: Collection[str] = ()) -> str:
    """The noun of what is put down first when the hands are full; empty for nothing."""
    return min(held, key=lambda noun: _rank(noun, held, precious), default="")


def overloaded(data: dict[str, Any], turn: Turn) -> bool:
    """Whether the hands are too full to take something better than what they hold."""
    if any(_is_wanted(name, turn) for name in _too_much(turn)):
        return True
    return bool(data.get("overloaded")) and parse_command(turn.command).verb != "drop"


def left_behind(left: list[list[Any]], turn: Turn) -> list[list[Any]]:
    """Room, noun, number of attempts at useful things that were too much to take.

    The last entry says whether something was put down since.
    """
    lighter = parse_command(turn.command).verb in UNBURDENING
    known = {
        (room, noun): [tries, ready or lighter]
        for room, noun, tries, ready in left
        if noun not in turn.taken
    }
    for name in _too_much(turn):
        if _is_wanted(name, turn):
            key = (turn.room, head_of(name))
            tries, _ = known.pop(key, [0, False])
            known = {key: [tries + 1, False], **known}
    return [[*key, *rest] for key, rest in known.items() if rest[0] < _tries(key[1], turn)][
        :_MOST_LEFT
    ]


def _tries(noun: str, turn: Turn) -> int:
    return _TRIES_FOR_TREASURE if noun in turn.precious else _TRIES


def _too_much(turn: Turn) -> list[str]:
    """The names of what could not be taken because the hands are full."""
    parts = parse_command(turn.command)
    if parts.verb != "take" or turn.extraction.action_result.result == "success":
        return []
    listed = list(item_replies(turn.text, parts.object))
    if listed:
        return [name for name, reply in listed if _LADEN.search(reply)]
    return [parts.object] if _LADEN.search(turn.text) else []


def _is_wanted(name: str, turn: Turn) -> bool:
    """Worth more than the least of what is carried."""
    least = min((_rank(noun, turn.held, turn.precious) for noun in turn.held), default=0)
    return _rank(name, turn.held, turn.precious) > least


def _rank(name: str, held: Sequence[str], precious: Collection[str]) -> int:
    """How gladly a thing is carried: treasures most, what has served or is plenty least."""
    known = affordances().classes(name)
    if known & _PRECIOUS or head_of(name) in precious:
        return 5
    if "light-source" in known:
        return 4
    if "tool" in known:
        return 3
    others = [affordances().classes(noun) for noun in held if noun != head_of(name)]
    for kind in _ONE_OF:
        if kind in known:
            return 0 if any(kind in other for other in others) else 3
    if known & _PLAIN:
        return 0
    return 1 if "container" in known else 2


def narrow(narrow: list[list[str]], turn: Turn) -> list[list[str]]:
    """Room and direction of ways that are shut to somebody who carries so much."""
    way = parse_command(turn.command).direction
    this = [turn.room, way]
    if not way or (this not in narrow and not _ENCUMBERED.search(turn.text)):
        return narrow
    others = [one for one in narrow if one != this]
    blocked = turn.extraction.action_result.result == "failure"
    return [this, *others][:_MOST_LEFT] if blocked else others


def deposited(deposited: list[str], turn: Turn) -> list[str]:
    """The treasures that have scored where they were put."""
    if home(turn) is None:
        return deposited
    noun = head_of(parse_command(turn.command).object)
    return list(dict.fromkeys([*deposited, noun, noun.removesuffix("s")]))[-_MOST:]


def discarded(data: dict[str, Any], turn: Turn) -> list[str]:
    """What was dropped, or is not worth dropping anything for."""
    discarded: list[str] = data.get("discarded", [])
    parts = parse_command(turn.command)
    unwanted = [head_of(name) for name in _too_much(turn) if not _is_wanted(name, turn)]
    if parts.verb == "drop":
        several = [head_of(name) for name, _ in item_replies(turn.text, parts.object)]
        unwanted += several or [head_of(parts.object)]
    return list(dict.fromkeys([*unwanted, *discarded]))[:_MOST]


def placed(placed: list[str], turn: Turn) -> list[str]:
    """What was tied somewhere and should stay there."""
    parts = parse_command(turn.command)
    if parts.verb not in _PLACING or turn.extraction.action_result.result == "failure":
        return placed
    return list(dict.fromkeys([head_of(parts.object), *placed]))[:_MOST]


def treasures(treasures: list[str], home: list[str] | None, turn: Turn) -> list[str]:
    """What was taken for points, unless it brought none where treasures do."""
    parts = parse_command(turn.command)
    if turn.scored > 0 and parts.verb == "take":
        return list(dict.fromkeys([*turn.taken, *treasures]))[:_MOST]
    template = turn.command.replace(parts.object, "{}", 1) if parts.object else ""
    if turn.scored <= 0 and home == [turn.room, template]:
        return [noun for noun in treasures if noun != head_of(parts.object)]
    return treasures
