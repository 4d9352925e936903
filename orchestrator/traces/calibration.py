"""Calibration: chances that were given against how often things came so."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from orchestrator.traces.turns import Turn

BINS = 5
"""Of a curve, from 0 to 1."""

Forecast = tuple[float, bool]
"""A chance, and whether it came so."""


class Bin(NamedTuple):
    """One point of a calibration curve."""

    low: float
    high: float
    plays: int
    predicted: float
    """Mean chance given."""
    observed: float
    """Share that came so."""


def curve(forecasts: Iterable[Forecast]) -> list[Bin]:
    """The bins that are not empty."""
    given = list(forecasts)
    bins = []
    for number in range(BINS):
        low, high = number / BINS, (number + 1) / BINS
        inside = [one for one in given if low <= one[0] < high or one[0] == high == 1]
        if inside:
            predicted = statistics.mean(one[0] for one in inside)
            observed = statistics.mean(one[1] for one in inside)
            bins.append(Bin(low, high, len(inside), predicted, observed))
    return bins


def of_candidates(turns: Iterable[Turn]) -> Iterator[Forecast]:
    """The chance of the ranked commands that were played, and whether they worked."""
    for turn in turns:
        if turn.chosen and "probability" in turn.chosen[1] and _told(turn):
            yield float(turn.chosen[1]["probability"]), turn.result == "success"


def of_critic(turns: Iterable[Turn]) -> Iterator[Forecast]:
    """How sure the critic was that what was played works, and whether it did."""
    for turn in turns:
        verdict = turn.attempts[-1].verdict if turn.attempts else {}
        if "confidence" in verdict and _told(turn):
            sure = float(verdict["confidence"])
            yield sure if verdict["accept"] else 1 - sure, turn.result == "success"


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


def _told(turn: Turn) -> bool:
    """The reply said whether the command worked."""
    return turn.result in ("success", "failure")
