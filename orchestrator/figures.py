"""Figures over episodes: means with bootstrap intervals, and paired differences."""

from __future__ import annotations

import random
import statistics
from collections.abc import Sequence
from typing import Any, NamedTuple

RESAMPLES = 2000


class Interval(NamedTuple):
    """A mean and its 95 % bootstrap interval."""

    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.mean:.1f} [{self.low:.1f}, {self.high:.1f}]"


def interval(values: Sequence[float]) -> Interval:
    """The mean with its percentile bootstrap interval; the resampling is seeded."""
    rng = random.Random(1)
    means = sorted(statistics.fmean(rng.choices(values, k=len(values))) for _ in range(RESAMPLES))
    return Interval(
        statistics.fmean(values), means[int(0.025 * RESAMPLES)], means[int(0.975 * RESAMPLES) - 1]
    )


class Row(NamedTuple):
    """What the episodes of one game under one graph come to."""

    game: str
    graph: str
    episodes: int
    final: Interval
    median: float
    best: Interval
    of_maximum: float | None
    """Mean of best score / maximum, where the story tells a maximum."""
    deaths: float
    wall_s: float


def table(rows: Sequence[dict[str, Any]]) -> list[Row]:
    """One row a game and graph, in order of appearance."""
    groups: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in rows:
        name = " ".join([row["graph"], *row["settings"]])
        groups.setdefault((row["game"], name), []).append(row)
    return [_row(game, graph, episodes) for (game, graph), episodes in groups.items()]


class Comparison(NamedTuple):
    """The paired difference of the final scores of two result files on one game."""

    game: str
    pairs: int
    difference: Interval


def compare(first: Sequence[dict[str, Any]], second: Sequence[dict[str, Any]]) -> list[Comparison]:
    """Second - first, by game, over the seeds that both have."""
    scores = {(row["game"], row["seed"], row["steps"]): row["score"] for row in first}
    differences: dict[str, list[float]] = {}
    for row in second:
        key = (row["game"], row["seed"], row["steps"])
        if key in scores:
            differences.setdefault(row["game"], []).append(row["score"] - scores[key])
    return [Comparison(game, len(d), interval(d)) for game, d in differences.items()]


class Learning(NamedTuple):
    """How much better the later half of the episodes is than the earlier one, paired by seed."""

    game: str
    graph: str
    score: Interval
    steps: Interval


def learning(rows: Sequence[dict[str, Any]]) -> list[Learning]:
    """One a game and graph of which several episodes were played in a row."""
    groups: dict[tuple[str, str], list[list[dict[str, Any]]]] = {}
    for row in rows:
        if row.get("episodes", 1) > 1 and row.get("total_steps") is None:
            groups.setdefault((row["game"], row["graph"]), []).append(row["series"])
    return [
        Learning(
            game,
            graph,
            interval([_gain(episodes, "score") for episodes in series]),
            interval([_gain(episodes, "steps") for episodes in series]),
        )
        for (game, graph), series in groups.items()
    ]


def _gain(episodes: Sequence[dict[str, Any]], name: str) -> float:
    """Mean of the later half - mean of the earlier half; the middle one of odd many is left out."""
    half = len(episodes) // 2
    values = [episode[name] for episode in episodes]
    return statistics.fmean(values[-half:]) - statistics.fmean(values[:half])


def replaying(rows: Sequence[dict[str, Any]]) -> list[tuple[str, str, Interval]]:
    """Game, graph and the scores of replays, by seed."""
    groups: dict[tuple[str, str], list[float]] = {}
    for row in rows:
        if row.get("replays") and row["replay_scores"]:
            mean = statistics.fmean(row["replay_scores"])
            groups.setdefault((row["game"], row["graph"]), []).append(mean)
    return [(*place, interval(means)) for place, means in groups.items()]


def _row(game: str, graph: str, episodes: Sequence[dict[str, Any]]) -> Row:
    finals = [episode["score"] for episode in episodes]
    shares = [e["best_score"] / e["max_score"] for e in episodes if e["max_score"]]
    return Row(
        game=game,
        graph=graph,
        episodes=len(episodes),
        final=interval(finals),
        median=statistics.median(finals),
        best=interval([episode["best_score"] for episode in episodes]),
        of_maximum=statistics.fmean(shares) if shares else None,
        deaths=statistics.fmean(episode["deaths"] for episode in episodes),
        wall_s=statistics.fmean(episode["wall_s"] for episode in episodes),
    )
