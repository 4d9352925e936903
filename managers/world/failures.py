"""Actions that failed, remembered with the state they failed in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

MOST_PER_ROOM = 24
MOST = 160
UNSURE_FOR = 40
"""Turns for which a supposed refusal counts."""
_SURE = 0.6
_NOT_UNDERSTOOD = frozenset({"unknown_verb", "unknown_word", "incomplete"})
_SHOWN = 60


@dataclass(frozen=True)
class FailedAction:
    """A command that did not work, and what follows from it."""

    turn: int
    command: str
    error_message: str
    location: str
    reason: str = ""
    """As in `ActionResult.reason`."""
    inference: str = ""
    """What would have to come first, as far as the reply says: `open window`."""
    count: int = 1
    state: str = ""
    """The state that mattered, as a fingerprint."""
    confidence: float = 1.0
    """That it failed at all; a denial without stock words is only supposed to be a refusal."""

    @property
    def for_good(self) -> bool:
        """The game does not understand the command, whatever the state."""
        return self.reason in _NOT_UNDERSTOOD


def failure_from(room: str, command: str, entry: list[Any]) -> FailedAction:
    """The value of a stored entry."""
    turn, count, reason, text, first, state, sure = entry
    return FailedAction(turn, command, text, room, reason, first, count, state, sure)


def still_counts(entry: list[Any], state: str, turn: int) -> bool:
    """It speaks against a repetition: nothing changed, and what is unsure is recent."""
    then, _, reason, _, _, before, sure = entry
    if reason in _NOT_UNDERSTOOD:
        return True
    return bool(before == state and (sure >= _SURE or turn - then <= UNSURE_FOR))


def record(
    failed: Mapping[str, dict[str, list[Any]]], failure: FailedAction
) -> dict[str, dict[str, list[Any]]]:
    """The failures with one more; the oldest give way."""
    here = dict(failed.get(failure.location, {}))
    old = here.pop(failure.command, None)
    count = (old[1] if old and old[5] == failure.state else 0) + 1
    here[failure.command] = [
        failure.turn, count, failure.reason, failure.error_message[:_SHOWN], failure.inference,
        failure.state, failure.confidence,
    ]  # fmt: skip
    for command in list(here)[: max(0, len(here) - MOST_PER_ROOM)]:
        del here[command]
    kept = {room: entries for room, entries in failed.items() if room != failure.location}
    kept[failure.location] = here
    while sum(map(len, kept.values())) > MOST and len(kept) > 1:
        del kept[next(iter(kept))]
    return kept
