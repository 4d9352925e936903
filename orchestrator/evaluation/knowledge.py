"""What agents came to know of themselves, as far as rows tell it: the one place that reads it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from managers.belief.calibration import CriticCalibration
from managers.belief.reliability import KINDS, total_key
from orchestrator.evaluation.statistics import Interval


class Trusted(NamedTuple):
    """One kind of an oracle's answers under one graph."""

    kind: str
    judged: int
    held: Interval
    """The share of answers that held, the mean over the episodes."""


class CriticPoint(NamedTuple):
    """One point of the critic's calibration curve."""

    foretold: float
    failed: float
    plays: int


def critic_curve(state: Mapping[str, Any]) -> list[list[float]]:
    """Of an episode's last state: plays, sum of the foretold chances, failures; by bin."""
    points = CriticCalibration(state.get("calibration")).curve()
    return [[point.plays, point.predicted, point.failed] for point in points]


def critic_points(rows: Sequence[Mapping[str, Any]]) -> list[CriticPoint]:
    """The curve over all rows; the bins of one row are in the order of their chances."""
    bins: dict[int, list[float]] = {}
    for row in rows:
        for plays, predicted, failed in row.get("critic") or ():
            place = min(4, int(5 * predicted / plays))
            sums = bins.setdefault(place, [0.0, 0.0, 0.0])
            bins[place] = [a + b for a, b in zip(sums, (plays, predicted, failed), strict=True)]
    return [
        CriticPoint(predicted / plays, failed / plays, int(plays))
        for _, (plays, predicted, failed) in sorted(bins.items())
    ]


def trusted(rows: Sequence[Mapping[str, Any]]) -> list[Trusted]:
    """The kinds of answers of which any were judged."""
    told = [row["reliability"] for row in rows if row.get("reliability")]
    found = []
    for kind in KINDS:
        total = total_key(kind)
        judged = [one for one in told if one.get(total)]
        if judged:
            held = sum(one[f"{kind}_accuracy"] for one in judged) / len(judged)
            lows, highs = zip(*(one[f"{kind}_interval"] for one in judged), strict=True)
            spread = Interval(held, sum(lows) / len(lows), sum(highs) / len(highs))
            found.append(Trusted(kind, sum(one[total] for one in judged), spread))
    return found
