"""How writes to one field are joined, where several nodes write at the same time.

A reducer takes what stands there and what is written. It is idempotent: what is there already
changes nothing, because a subgraph hands back whole values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from pydantic import Field

from environments.game import Value
from managers.language.history import HistoryData
from orchestrator.errors import RoleError


class OfTurn(Protocol):
    """Anything that belongs to a turn."""

    @property
    def turn(self) -> int: ...


T = TypeVar("T")
One = TypeVar("One", bound=OfTurn)


class Rounds(Value):
    """How often the nodes that close a loop have run in a turn."""

    turn: int = -1
    runs: dict[str, int] = Field(default_factory=dict)


def append(old: Sequence[T], new: Sequence[T]) -> list[T]:
    """Adds what is not in the list yet."""
    return [*old, *(one for one in new if one not in old)]


def of_turn(old: Sequence[One], new: Sequence[One]) -> list[One]:
    """Adds what is not in the list yet, and drops what is of an earlier turn.

    Raises:
        RoleError: Something that is written does not say of which turn it is.
    """
    both = append(old, new)
    for one in both:
        if not isinstance(getattr(one, "turn", None), int):
            raise RoleError(
                f"of_turn joins what has a `turn`, a number, and {str(one)[:60]!r} has none;"
                " use append, or a reducer of your own"
            )
    turn = max((one.turn for one in both), default=0)
    return [one for one in both if one.turn == turn]


def later(old: HistoryData, new: HistoryData) -> HistoryData:
    """Adds the exchanges of turns after the last one, by the turn that each row begins with."""
    last = int(old[-1][0] or 0) if old else -1
    return [*old, *(row for row in new if int(row[0] or 0) > last)]


def merge(old: Mapping[str, T], new: Mapping[str, T]) -> dict[str, T]:
    """Keys that are written replace those that are there."""
    return {**old, **new}


def rounds(old: Rounds, new: Rounds) -> Rounds:
    """The higher count of each node; those of an earlier turn are dropped."""
    if old.turn != new.turn:
        return max(old, new, key=lambda one: one.turn)
    names = {*old.runs, *new.runs}
    runs = {name: max(old.runs.get(name, 0), new.runs.get(name, 0)) for name in sorted(names)}
    return Rounds(turn=new.turn, runs=runs)


REDUCERS: dict[str, Callable[[Any, Any], Any]] = {
    "append": append,
    "merge": merge,
    "of_turn": of_turn,
}
"""By the name that a graph file gives."""
