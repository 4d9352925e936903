"""Chances that were given against how often things came so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from orchestrator.traces.turns import TracedTurn

BINS = 5
"""Of a curve, from 0 to 1."""
Forecast = tuple[float, bool]
"""A chance, and whether it came so."""


class CalibrationPoint(NamedTuple):
    """One point of a calibration curve."""

    low: float
    high: float
    plays: int
    predicted: float
    """Mean chance given."""
    observed: float
    """Share that came so."""


def curve(forecasts: Iterable[Forecast]) -> list[CalibrationPoint]:
    """The bins that are not empty, lowest first."""
    bins: dict[int, list[Forecast]] = {}
    for chance, came in forecasts:
        bins.setdefault(min(BINS - 1, int(chance * BINS)), []).append((chance, came))
    return [
        _point(place, len(one), sum(chance for chance, _ in one), sum(came for _, came in one))
        for place, one in sorted(bins.items())
    ]


def critic_curve(runs: Iterable[Sequence[TracedTurn]]) -> list[CalibrationPoint]:
    """How sure the critic was that a command fails, and whether it did; over several runs."""
    bins: dict[int, list[dict[str, float]]] = {}
    for turns in runs:
        for place, one in (turns[-1].calibration.get("curve", {}) if turns else {}).items():
            bins.setdefault(int(place), []).append(one)

    def total(place: int, name: str) -> float:
        return sum(one[name] for one in bins[place])

    return [
        _point(place, int(total(place, "plays")), total(place, "predicted"), total(place, "failed"))
        for place in sorted(bins)
    ]


def of_options(turns: Iterable[TracedTurn]) -> Iterator[Forecast]:
    """The chance of the ranked commands that were played, and whether they worked."""
    for turn in turns:
        if turn.chosen and "probability" in turn.chosen[1] and _told(turn):
            yield float(turn.chosen[1]["probability"]), turn.result == "success"


def of_oracle(turns: Iterable[TracedTurn]) -> Iterator[Forecast]:
    """How sure the oracle was of its recommendations, and whether they helped.

    They are judged over a few turns, and counted by what the oracle had said last by then.
    """
    sure: float | None = None
    for before, turn in pairwise(turns):
        sure = turn.advice.get("understanding", {}).get("confidence", sure)
        judged, good = _recommendations(turn)
        known, helped = _recommendations(before)
        if sure is not None:
            yield from [(sure, True)] * (good - helped)
            yield from [(sure, False)] * (judged - known - good + helped)


def _recommendations(turn: TracedTurn) -> tuple[int, int]:
    """How many were judged so far, and how many of them helped."""
    record = turn.reliability.get("records", {}).get("recommendation", {})
    return record.get("judged", 0), record.get("right", 0)


def _point(place: int, plays: int, predicted: float, came: float) -> CalibrationPoint:
    return CalibrationPoint(
        place / BINS, (place + 1) / BINS, plays, predicted / plays, came / plays
    )


def _told(turn: TracedTurn) -> bool:
    """The reply said whether the command worked."""
    return turn.result in ("success", "failure")
