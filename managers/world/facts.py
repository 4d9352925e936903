"""The blackboard: what replies have told besides things and rooms, each fact with its source.

The kinds of facts, how long they count and how many are kept stand in `facts.toml`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache
from math import inf
from typing import NamedTuple

from managers.language.patterns import read_table

FactRow = list[str | int | float]
"""Subject, room, value, turn, source, confidence."""
FactsData = dict[str, list[FactRow]]
"""Kind -> rows, the latest first."""

RULES = read_table("facts", __package__)
"""By kind of fact: the turns after which it counts no more, how many are kept, what says it."""
SELF = "oneself"
_MOST = 40
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
            life = RULES["expires"].get(kind, inf)
            facts = self._facts[kind] = tuple(one for one in rows if self.turn - one.turn < life)
        return facts

    def subjects(self, kind: str, room: str = "") -> frozenset[str]:
        """What the facts of a kind are about, in one room or anywhere."""
        key = (kind, room)
        if key not in self._subjects:
            facts = (fact for fact in self.of(kind) if room in ("", fact.room))
            self._subjects[key] = frozenset(fact.subject for fact in facts)
        return self._subjects[key]

    def with_(self, kind: str, facts: Iterable[Fact]) -> Blackboard:
        """The blackboard with more facts, those first; what says the same as one gives way."""
        new = list(facts)
        if not new:
            return self
        rows: list[FactRow] = [
            [*one._replace(source=" ".join(one.source.split())[:_SHOWN])] for one in new
        ]
        said = [row[:3] for row in rows]
        rows += [row for row in self.data.get(kind, ()) if row[:3] not in said]
        return Blackboard({**self.data, kind: rows[: RULES["most"].get(kind, _MOST)]}, self.turn)

    def without(self, kind: str, gone: Callable[[Fact], bool]) -> Blackboard:
        """The blackboard without the facts of a kind for which `gone` is true."""
        rows = self.data.get(kind, [])
        kept = [row for row in rows if not gone(Fact(*row))]  # type: ignore[arg-type]
        return self if len(kept) == len(rows) else Blackboard({**self.data, kind: kept}, self.turn)


@cache
def says(what: str) -> re.Pattern[str]:
    """The words by which a text says something, by its name in `facts.toml`."""
    words = "|".join(RULES["says"][what])
    return re.compile(rf"\b(?:{words})\b", re.IGNORECASE)
