"""What was tried where, and what became of it: the one table of attempts.

A row is kept by place (a room, or `inventory` for carried things) and canonical action. It says
how often the action was tried and worked, why it was refused last and in which state of things,
and what harm it did. Everybody who wants to know whether something failed here asks this table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import NamedTuple

from typing_extensions import TypedDict

from managers.language.actions import WAYS, canonical, parse

HELD = "inventory"
"""The place under which attempts with carried things are remembered."""
MOST_PER_PLACE = 120
"""Rows of one place; the oldest give way."""
UNSURE_FOR = 40
"""Turns for which a supposed refusal counts."""
_SURE = 0.6
_NOT_UNDERSTOOD = frozenset({"unknown_verb", "unknown_word", "incomplete"})
_SHOWN = 60


class AttemptRow(TypedDict, total=False):
    """One attempt as it lies in the state; what is at its default is left out."""

    times: int
    worked: int
    turn: int
    """The last time it was tried."""
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


_NEVER = Tried()


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
    """How often a critic has objected to it since it last worked."""
    state: str = ""
    """What the outcome may hang on, as a fingerprint."""
    confidence: float = 1.0
    """That it failed at all; a denial without stock words is only supposed to be a refusal."""

    @property
    def for_good(self) -> bool:
        """The game does not understand the command, whatever the state."""
        return self.reason in _NOT_UNDERSTOOD

    def still_counts(self, state: str, turn: int) -> bool:
        """It speaks against a repetition: nothing changed, and what is unsure is recent."""
        if self.for_good:
            return True
        return self.state == state and (self.confidence >= _SURE or turn - self.turn <= UNSURE_FOR)


class _Place(NamedTuple):
    """The rows of a place and what was made of them."""

    rows: Mapping[str, AttemptRow]
    failures: list[FailedAction]
    """What did not work there, the oldest first."""
    blocked: Mapping[str, FailedAction]
    """Those of them that are ways."""

    @classmethod
    def of(cls, place: str, rows: Mapping[str, AttemptRow]) -> _Place:
        failures = [
            _failed(place, action, row) for action, row in rows.items() if row.get("refused")
        ]
        failures.sort(key=lambda one: one.turn)
        ways = {action for action, row in rows.items() if action in WAYS or row.get("way")}
        blocked = {one.command: one for one in failures if one.command in ways}
        return cls(rows, failures, blocked)


class Attempts:
    """A view of the table; `recorded` and its like copy what they change.

    What was made of a place's rows is not made again before they have been replaced, in the
    tables of later turns either.
    """

    def __init__(
        self, data: AttemptsData | None = None, known: dict[str, _Place] | None = None
    ) -> None:
        self.data: AttemptsData = data or {}
        self._known: dict[str, _Place] = {} if known is None else known
        self._places: dict[str, _Place] = {}

    def of(self, place: str, command: str) -> Tried:
        """What became of a command in a place."""
        row = self.data.get(place, {}).get(canonical(command))
        if row is None:
            return _NEVER
        return Tried(row.get("times", 0), row.get("worked", 0), row.get("turn", -1))

    def at(self, place: str) -> Mapping[str, AttemptRow]:
        """All rows of a place by canonical action."""
        return self.data.get(place, _NOTHING)

    def failure(self, place: str, command: str) -> FailedAction | None:
        """The last refusal of a command in a place; None if it did not fail last."""
        action = canonical(command)
        row = self.data.get(place, {}).get(action)
        return _failed(place, action, row) if row and row.get("refused") else None

    def failures_at(self, place: str, *reasons: str) -> list[FailedAction]:
        """What did not work in a place, for one of some reasons or any, the oldest first."""
        found = self._made_of(place).failures
        return [one for one in found if not reasons or one.reason in reasons]

    def failures(self, *reasons: str) -> Iterator[FailedAction]:
        """The same of everywhere but with carried things (they count where one was)."""
        for place in self.data:
            if place != HELD:
                yield from self.failures_at(place, *reasons)

    def blocked(self, room: str) -> Mapping[str, FailedAction]:
        """Way -> why it did not lead out of the room when it was tried last."""
        return self._made_of(room).blocked

    def _made_of(self, place: str) -> _Place:
        made = self._places.get(place)
        if made is None:
            rows, made = self.at(place), self._known.get(place)
            if made is None or made.rows is not rows:
                made = self._known[place] = _Place.of(place, rows)
            self._places[place] = made
        return made

    def danger(self, place: str, command: str) -> float:
        """The chance of dying of a command, from the harm it has done there."""
        row = self.at(place).get(canonical(command), {})
        return row.get("harm", 0.0) / (row.get("times", 0) + 1)

    @cached_property
    def harmful(self) -> bool:
        """Anything has done harm anywhere."""
        return any("harm" in row for rows in self.data.values() for row in rows.values())

    def rows_of(self, command: str) -> list[AttemptRow]:
        """The rows of a command in all places."""
        action = canonical(command)
        return [rows[action] for rows in self.data.values() if action in rows]

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

        def tried(row: AttemptRow, harm: float) -> AttemptRow:
            new: AttemptRow = {**row, "times": row.get("times", 0) + 1, "turn": turn}
            if worked:
                new["worked"] = row.get("worked", 0) + 1
                new["refused"] = new["objected"] = 0
            if hindered:
                new["hindered"] = row.get("hindered", 0) + 1
            if harm:
                new["harm"] = round(row.get("harm", 0.0) + harm, 3)
            if harm and dealt:
                new["dealt"] = round(row.get("dealt", 0.0) + harm, 3)
            return new

        table = self
        for place in dict.fromkeys(places):
            done = harm if place == places[0] else 0.0
            table = table._changed(place, canonical(command), partial(tried, harm=done))
        return table

    def refused(self, failure: FailedAction, *, way: bool = False) -> Attempts:
        """The table after the game refused a command in a place."""

        def noted(row: AttemptRow) -> AttemptRow:
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
            return new

        return self._changed(failure.location, canonical(failure.command), noted)

    def objected(self, place: str, commands: Iterable[str], played: str) -> Attempts:
        """The table when somebody objected to commands: those not played are tried, in effect."""

        def noted(row: AttemptRow, tried: int) -> AttemptRow:
            objected, times = row.get("objected", 0) + 1, row.get("times", 0) + tried
            return {**row, "objected": objected, "times": times}

        table = self
        for command in commands:
            tried = int(command != played)
            table = table._changed(place, canonical(command), partial(noted, tried=tried))
        return table

    def _changed(
        self, place: str, action: str, change: Callable[[AttemptRow], AttemptRow]
    ) -> Attempts:
        rows = dict(self.data.get(place, {}))
        rows[action] = change(rows.get(action, {}))
        if len(rows) > MOST_PER_PLACE:
            del rows[min(rows, key=lambda one: rows[one].get("turn", 0))]
        return Attempts({**self.data, place: rows}, self._known)


def _failed(place: str, action: str, row: AttemptRow) -> FailedAction:
    return FailedAction(
        row.get("since", 0),
        action,
        row.get("text", ""),
        place,
        row.get("reason", ""),
        row.get("first", ""),
        row.get("refused", 0),
        row.get("objected", 0),
        row.get("state", ""),
        row.get("sure", 1.0),
    )


def is_blow(failure: FailedAction) -> bool:
    """An attack that was parried may work the next time."""
    return failure.reason in ("refused", "blocked") and parse(failure.command).verb == "attack"
