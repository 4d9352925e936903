"""What was tried where, and what became of it: the one table of attempts.

A row is kept by place (a room, or `inventory` for carried things) and canonical action.
Everybody who wants to know whether something failed here asks this table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from typing_extensions import TypedDict

from managers.language.actions import WAYS, canonical, parse
from managers.language.lexicon import words_of
from managers.world.objects import INVENTORY

MOST_PER_PLACE = 120
_NOT_UNDERSTOOD = frozenset({"unknown_verb", "unknown_word", "incomplete"})
_SHOWN = 60


class AttemptRow(TypedDict, total=False):
    """One attempt as it lies in the state; what is at its default is left out."""

    times: int
    worked: int
    turn: int
    """When it was tried last."""
    hindered: int
    """How often something stood in its way for the time being: a lid, the dark, a load."""
    harm: float
    """The sum of what it did, 1 for a death."""
    dealt: float
    """The part of the harm that somebody else did."""
    refused: int
    """How often it was refused since it last worked; 0 if it was not."""
    since: int
    """The turn of the last refusal."""
    reason: str
    text: str
    first: str
    state: str
    sure: float
    objected: int
    """How often a critic has objected to it since it last worked."""
    way: int
    """1 for a passage that is no direction: `enter house`."""


AttemptsData = dict[str, dict[str, AttemptRow]]
"""Place -> canonical action -> row."""
_NOTHING: Mapping[str, AttemptRow] = {}


class Tried(NamedTuple):
    """How often an action was tried in a place, how often it worked, and when last."""

    times: int = 0
    worked: int = 0
    turn: int = -1
    refused: int = 0
    """How often it was refused since it last worked."""


_UNTRIED = Tried()


@dataclass(frozen=True)
class FailedAction:
    """A command that did not work, and what follows from it."""

    turn: int
    command: str
    error_message: str
    """The first words of what the game said."""
    location: str
    reason: str = ""
    """As in `ActionResult.reason`."""
    inference: str = ""
    """What would have to come first, as far as the reply says: `open window`."""
    count: int = 1
    """How often it was refused since it last worked."""
    objected: int = 0
    state: str = ""
    """What the outcome may hang on, as a fingerprint."""
    confidence: float = 1.0
    """That it failed at all; a denial without stock words is only supposed to be a refusal."""

    @cached_property
    def nouns(self) -> tuple[str, ...]:
        """The words of the command that name things."""
        action = parse(self.command)
        return tuple(words_of(f"{action.object} {action.second}"))

    @property
    def for_good(self) -> bool:
        """The game does not understand the command, whatever the state."""
        return self.reason in _NOT_UNDERSTOOD


class _Summary(NamedTuple):
    """What the attempts in a place come to."""

    rows: Mapping[str, AttemptRow]
    """The rows that this was made of."""
    refused: Mapping[str, FailedAction]
    """What did not work, by action, the oldest first."""
    ways: Mapping[str, FailedAction]
    """Those of them that are ways."""
    harm: bool
    """Something has done harm there."""
    verbs: frozenset[str]
    """The verbs of all that was tried."""


class Attempts:
    """A view of the table; `recorded` and its like copy what they change."""

    def __init__(
        self, data: AttemptsData | None = None, known: dict[str, _Summary] | None = None
    ) -> None:
        self.data: AttemptsData = data or {}
        self._known: dict[str, _Summary] = {} if known is None else known
        """Place -> its summary; tables of later turns share it."""
        self._failures: list[FailedAction] | None = None

    def of(self, place: str, command: str) -> Tried:
        """What became of a command in a place."""
        row = self.data.get(place, _NOTHING).get(canonical(command))
        if row is None:
            return _UNTRIED
        return Tried(
            row.get("times", 0), row.get("worked", 0), row.get("turn", -1), row.get("refused", 0)
        )

    def at(self, place: str) -> Mapping[str, AttemptRow]:
        """All rows of a place by canonical action."""
        return self.data.get(place, _NOTHING)

    def _row(self, place: str, command: str) -> AttemptRow:
        return self.data.get(place, _NOTHING).get(canonical(command), {})

    def failure(self, place: str, command: str) -> FailedAction | None:
        """The last refusal of a command in a place; None if it did not fail last."""
        return self._summary(place).refused.get(canonical(command))

    def failures_at(self, place: str, *reasons: str) -> list[FailedAction]:
        """What did not work in a place, for one of some reasons or any, the oldest first."""
        found = self._summary(place).refused.values()
        return [one for one in found if not reasons or one.reason in reasons]

    def failures(self, *reasons: str) -> Sequence[FailedAction]:
        """The same of everywhere but with carried things (they count where one was)."""
        if self._failures is None:
            places = (place for place in self.data if place != INVENTORY)
            self._failures = [one for at in places for one in self._summary(at).refused.values()]
        if not reasons:
            return self._failures
        return [one for one in self._failures if one.reason in reasons]

    def blocked(self, room: str) -> Mapping[str, FailedAction]:
        """Way -> why it did not lead out of the room when it was tried last."""
        return self._summary(room).ways

    def _summary(self, place: str) -> _Summary:
        rows, known = self.data.get(place, _NOTHING), self._known.get(place)
        if known is None or known.rows is not rows:
            found = [
                FailedAction(
                    turn=row.get("since", 0),
                    command=action,
                    error_message=row.get("text", ""),
                    location=place,
                    reason=row.get("reason", ""),
                    inference=row.get("first", ""),
                    count=row["refused"],
                    objected=row.get("objected", 0),
                    state=row.get("state", ""),
                    confidence=row.get("sure", 1.0),
                )
                for action, row in rows.items()
                if row.get("refused")
            ]
            refused = {one.command: one for one in sorted(found, key=lambda one: one.turn)}
            ways = {way: one for way, one in refused.items() if way in WAYS or "way" in rows[way]}
            harm = any("harm" in row for row in rows.values())
            verbs = frozenset(parse(action).verb for action in rows)
            known = self._known[place] = _Summary(rows, refused, ways, harm, verbs)
        return known

    def danger(self, place: str, command: str) -> float:
        """The chance of dying of a command, from the harm it has done there."""
        row = self._row(place, command)
        return row.get("harm", 0.0) / (row.get("times", 0) + 1)

    @cached_property
    def harmful(self) -> frozenset[str]:
        """Places where something has done harm."""
        return frozenset(place for place in self.data if self._summary(place).harm)

    def has_tried(self, verb: str) -> bool:
        """Whether anything was tried with a verb, anywhere."""
        return any(verb in self._summary(place).verbs for place in self.data)

    def rows_of(self, command: str) -> list[AttemptRow]:
        """The rows of a command in all rooms; attempts with carried things count where one was."""
        action = canonical(command)
        rooms = (rows for place, rows in self.data.items() if place != INVENTORY)
        return [rows[action] for rows in rooms if action in rows]

    # -- learning -------------------------------------------------------------

    def recorded(
        self,
        places: Sequence[str],
        command: str,
        turn: int,
        *,
        worked: bool,
        hindered: bool = False,
        harm: float = 0.0,
        dealt: bool = False,
    ) -> Attempts:
        """The table with one more attempt in each of the places; harm was done in the first."""
        table = self
        for place in dict.fromkeys(places):
            row = self._row(place, command)
            new: AttemptRow = {**row, "times": row.get("times", 0) + 1, "turn": turn}
            if worked:
                new["worked"] = row.get("worked", 0) + 1
                new["refused"] = new["objected"] = 0
            if hindered:
                new["hindered"] = row.get("hindered", 0) + 1
            if harm and place == places[0]:
                new["harm"] = round(row.get("harm", 0.0) + harm, 3)
                if dealt:
                    new["dealt"] = round(row.get("dealt", 0.0) + harm, 3)
            table = table._with(place, command, new)
        return table

    def refused(self, failure: FailedAction, *, way: bool = False) -> Attempts:
        """The table after the game refused a command in a place."""
        row = self._row(failure.location, failure.command)
        new: AttemptRow = {
            **row,
            "refused": row.get("refused", 0) + 1,
            "since": failure.turn,
            "reason": failure.reason,
            "text": failure.error_message[:_SHOWN],
            "first": failure.inference,
            "state": failure.state,
            "sure": failure.confidence,
        }
        if way:
            new["way"] = 1
        return self._with(failure.location, failure.command, new)

    def objected(self, place: str, commands: Iterable[str], played: str) -> Attempts:
        """The table when somebody objected to commands: those not played are tried, in effect."""
        table = self
        for command in commands:
            row = table._row(place, command)
            objected, times = row.get("objected", 0) + 1, row.get("times", 0)
            new: AttemptRow = {**row, "objected": objected, "times": times + (command != played)}
            table = table._with(place, command, new)
        return table

    def begun_anew(self) -> Attempts:
        """The table when the story begins again: what worked counts as untried.

        Not what only told something.
        """
        table: AttemptsData = {}
        for place, rows in self.data.items():
            table[place] = {}
            for action, row in rows.items():
                worked = 0 if parse(action).has("tells") else row.get("worked", 0)
                new: AttemptRow = {**row, "times": row.get("times", 0) - worked}
                if worked:
                    del new["worked"]
                if new["times"] or new.get("refused") or new.get("harm"):
                    table[place][action] = new
        return Attempts(table)

    def _with(self, place: str, command: str, row: AttemptRow) -> Attempts:
        rows = {**self.at(place), canonical(command): row}
        if len(rows) > MOST_PER_PLACE:
            del rows[min(rows, key=lambda one: rows[one].get("turn", 0))]
        return Attempts({**self.data, place: rows}, self._known)
