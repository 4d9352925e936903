"""The blackboard: what replies have told besides things and rooms, each fact with its source.

A kind of fact belongs to the skill that notices it; everybody may read it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

FactRow = list[str | int | float]
"""Subject, room, value, turn, source, confidence, and when it ends."""
FactsData = dict[str, list[FactRow]]
"""Kind -> rows, the latest first."""

MOST = 40
"""So many facts of a kind are kept, if whoever notices them says nothing else."""
_SHOWN = 120


class Fact(NamedTuple):
    """Something that the game has told, and the sentence that told it."""

    subject: str
    room: str = ""
    """Where it holds; empty for anywhere."""
    value: str = ""
    turn: int = 0
    source: str = ""
    confidence: float = 1.0
    until: int = 0
    """The turn from which on it counts no more; 0 for one that stays."""


def is_about(*subjects: str) -> Callable[[Fact], bool]:
    """Whether a fact has one of these subjects."""
    return lambda fact: fact.subject in subjects


class Blackboard:
    """A view of the facts by kind; `with_` and `without` copy what they change."""

    def __init__(self, data: FactsData | None = None, turn: int = 0) -> None:
        self.data: FactsData = data or {}
        self.turn = turn
        self._facts: dict[str, tuple[Fact, ...]] = {}
        self._subjects: dict[tuple[str, str], frozenset[str]] = {}

    def of(self, kind: str) -> tuple[Fact, ...]:
        """The facts of a kind that still hold, the latest first."""
        facts = self._facts.get(kind)
        if facts is None:
            rows = (Fact(*row) for row in self.data.get(kind, ()))  # type: ignore[arg-type]
            holding = (one for one in rows if not one.until or self.turn < one.until)
            facts = self._facts[kind] = tuple(holding)
        return facts

    def subjects(self, kind: str, room: str = "") -> frozenset[str]:
        """What the facts of a kind are about, in one room or anywhere."""
        key = (kind, room)
        if key not in self._subjects:
            facts = (fact for fact in self.of(kind) if room in ("", fact.room))
            self._subjects[key] = frozenset(fact.subject for fact in facts)
        return self._subjects[key]

    def with_(self, kind: str, facts: Iterable[Fact], most: int = MOST) -> Blackboard:
        """The blackboard with more facts, those first; what says the same as one gives way.

        `most` of the kind are kept, the latest.
        """
        new = list(facts)
        if not new:
            return self
        rows: list[FactRow] = [
            [*one._replace(source=" ".join(one.source.split())[:_SHOWN])] for one in new
        ]
        said = [row[:3] for row in rows]
        rows += [row for row in self.data.get(kind, ()) if row[:3] not in said]
        return Blackboard({**self.data, kind: rows[:most]}, self.turn)

    def without(self, kind: str, gone: Callable[[Fact], bool]) -> Blackboard:
        """The blackboard without the facts of a kind for which `gone` is true."""
        rows = self.data.get(kind, [])
        kept = [row for row in rows if not gone(Fact(*row))]  # type: ignore[arg-type]
        return self if len(kept) == len(rows) else Blackboard({**self.data, kind: kept}, self.turn)
