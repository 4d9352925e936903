"""Chances that were given against how often things came so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from managers.calibration import BINS
from orchestrator.traces.turns import Turn

Forecast = tuple[float, bool]
"""A chance, and whether it came so."""


class Point(NamedTuple):
    """One point of a calibration curve."""

    low: float
    high: float
    plays: int
    predicted: float
    """Mean chance given."""
    observed: float
    """Share that came so."""


def curve(forecasts: Iterable[Forecast]) -> list[Point]:
    """The bins that are not empty, lowest first."""
    bins: dict[int, list[Forecast]] = {}
    for chance, came in forecasts:
        bins.setdefault(min(BINS - 1, int(chance * BINS)), []).append((chance, came))
    return [
        _point(
            place,
            len(bins[place]),
            sum(chance for chance, _ in bins[place]),
            sum(came for _, came in bins[place]),
        )
        for place in sorted(bins)
    ]


def critic_curve(runs: Iterable[Sequence[Turn]]) -> list[Point]:
    """How sure the critic was that a command fails, and whether it did; over several runs."""
    sums: dict[int, list[float]] = {}
    for turns in runs:
        for place, added in (turns[-1].calibration.get("curve", {}) if turns else {}).items():
            old = sums.get(int(place), [0.0] * len(added))
            sums[int(place)] = [one + more for one, more in zip(old, added, strict=True)]
    return [_point(place, int(sums[place][0]), *sums[place][1:]) for place in sorted(sums)]


def of_candidates(turns: Iterable[Turn]) -> Iterator[Forecast]:
    """The chance of the ranked commands that were played, and whether they worked."""
    for turn in turns:
        if turn.chosen and "probability" in turn.chosen[1] and _told(turn):
            yield float(turn.chosen[1]["probability"]), turn.result == "success"


def of_oracle(turns: Iterable[Turn]) -> Iterator[Forecast]:
    """How sure the oracle was of its recommendations, and whether they helped.

    They are judged over a few turns, and counted by what the oracle had said last by then.
    """
    sure: float | None = None
    for before, turn in pairwise(turns):
        sure = turn.advice.get("understanding", {}).get("confidence", sure)
        judged, good, *_ = turn.reliability.get("recommendation") or (0, 0)
        known, helped, *_ = before.reliability.get("recommendation") or (0, 0)
        if sure is not None:
            yield from [(sure, True)] * (good - helped)
            yield from [(sure, False)] * (judged - known - good + helped)


def _point(place: int, plays: int, predicted: float, came: float) -> Point:
    return Point(place / BINS, (place + 1) / BINS, plays, predicted / plays, came / plays)


def _told(turn: Turn) -> bool:
    """The reply said whether the command worked."""
    return turn.result in ("success", "failure")
