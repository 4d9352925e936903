"""Chances that were given against how often things came so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from managers.belief.calibration import Bin, CalibrationData
from managers.belief.reliability import OracleReliability, ReliabilityData
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
    bins: dict[int, list[Bin]] = {}
    for turns in runs:
        known = last_calibration(turns)
        for place, one in known.curve.items() if known else ():
            bins.setdefault(place, []).append(one)
    return [
        _point(
            place,
            sum(one.plays for one in bins[place]),
            sum(one.predicted for one in bins[place]),
            sum(one.failed for one in bins[place]),
        )
        for place in sorted(bins)
    ]


def last_calibration(turns: Sequence[TracedTurn]) -> CalibrationData | None:
    """The critic's record at the end of a run, whose last turn may have broken off."""
    told = (turn.written("learner").calibration for turn in reversed(turns))
    return next(filter(None, told), None)


def of_options(turns: Iterable[TracedTurn]) -> Iterator[Forecast]:
    """The chance of the ranked commands that were played, and whether they worked."""
    for turn in turns:
        chance = turn.chosen[1].probability if turn.chosen else None
        if chance is not None and _told(turn):
            yield chance, turn.result == "success"


def of_oracle(turns: Iterable[TracedTurn]) -> Iterator[Forecast]:
    """How sure the oracle was of its recommendations, and whether they helped.

    They are judged over a few turns, and counted by what the oracle had said last by then.
    """
    sure: float | None = None
    for before, turn in pairwise(turns):
        advice = turn.written("oracle").advice
        said = advice.understanding.confidence if advice and advice.understanding else None
        sure = sure if said is None else said
        judged, good = _recommendations(turn)
        known, helped = _recommendations(before)
        if sure is not None:
            yield from [(sure, True)] * (good - helped)
            yield from [(sure, False)] * (judged - known - good + helped)


def _recommendations(turn: TracedTurn) -> tuple[int, int]:
    """How many were judged so far, and how many of them helped."""
    known = turn.written("learner").reliability or ReliabilityData()
    record = OracleReliability(known).record("recommendation")
    return record.judged, record.right


def _point(place: int, plays: int, predicted: float, came: float) -> CalibrationPoint:
    return CalibrationPoint(
        place / BINS, (place + 1) / BINS, plays, predicted / plays, came / plays
    )


def _told(turn: TracedTurn) -> bool:
    """The reply said whether the command worked."""
    return turn.result in ("success", "failure")
