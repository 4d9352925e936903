"""What rows come to, as the lines of a table: one a story and graph."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from orchestrator.evaluation.scores import Row, by_place, counted, share
from orchestrator.evaluation.statistics import Interval, interval


class Line(NamedTuple):
    """What the episodes of one story under one graph come to."""

    game: str
    graph: str
    episodes: int
    score: Interval
    """The one that counts by the plan."""
    median: float
    best: Interval
    of_maximum: float | None
    """Mean of the score / maximum, where the story tells a maximum."""
    deaths: float
    tokens: float
    cost: float
    wall_s: float


class Column(NamedTuple):
    """A column of the printed table."""

    title: str
    tell: Callable[[Line], str]
    rank: int
    """Where there is no room for all, those of the highest rank go first."""


COLUMNS = (
    Column("game", lambda line: line.game, 0),
    Column("graph", lambda line: line.graph, 0),
    Column("n", lambda line: str(line.episodes), 2),
    Column("score", lambda line: str(line.score), 0),
    Column("median", lambda line: f"{line.median:g}", 5),
    Column("best", lambda line: str(line.best), 6),
    Column("of max", lambda line: _percent(line.of_maximum), 1),
    Column("deaths", lambda line: f"{line.deaths:.2f}", 4),
    Column("tokens", lambda line: f"{line.tokens:,.0f}", 7),
    Column("cost", lambda line: f"{line.cost:.4g}", 7),
    Column("s/episode", lambda line: f"{line.wall_s:.1f}", 3),
)
_GAP = 2


def lines(rows: Sequence[Row]) -> list[Line]:
    """One line a story and graph, in order of appearance."""
    return [_line(*place, found) for place, found in by_place(rows).items()]


def fitting(told: Sequence[Line], width: int) -> list[Column]:
    """The columns for which there is room; models' columns only where models were asked."""
    columns = [column for column in COLUMNS if column.rank < 7 or any(line.tokens for line in told)]
    while (last := max(column.rank for column in columns)) and _width(columns, told) > width:
        columns = [column for column in columns if column.rank < last]
    return columns


def _width(columns: Sequence[Column], told: Sequence[Line]) -> int:
    wide = (max([len(c.title), *(len(c.tell(line)) for line in told)]) for c in columns)
    return sum(wide) + _GAP * len(columns)


def _line(game: str, graph: str, rows: Sequence[Row]) -> Line:
    scores = [counted(row) for row in rows]
    shares = [part for row in rows if (part := share(row)) is not None]
    tokens = [row.get("prompt_tokens", 0) + row.get("completion_tokens", 0) for row in rows]
    return Line(
        game=game,
        graph=graph,
        episodes=len(rows),
        score=interval(scores),
        median=statistics.median(scores),
        best=interval([float(row["best_score"]) for row in rows]),
        of_maximum=statistics.fmean(shares) if shares else None,
        deaths=statistics.fmean(row["deaths"] for row in rows),
        tokens=statistics.fmean(tokens),
        cost=statistics.fmean(row.get("cost", 0.0) for row in rows),
        wall_s=statistics.fmean(row["wall_s"] for row in rows),
    )


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.1%}"


class Learning(NamedTuple):
    """How much better the later half of the episodes is than the earlier one, paired by seed."""

    game: str
    graph: str
    score: Interval
    steps: Interval


def learning(rows: Sequence[Row]) -> list[Learning]:
    """One a story and graph of which several episodes were played in a row."""
    several = [row for row in rows if row["episodes"] > 1 and row["total_steps"] is None]
    return [
        Learning(
            *place,
            interval([_gain(row["series"], "score") for row in found]),
            interval([_gain(row["series"], "steps") for row in found]),
        )
        for place, found in by_place(several).items()
    ]


def replaying(rows: Sequence[Row]) -> list[tuple[str, str, Interval]]:
    """Story, graph and the scores of replays, by seed."""
    replayed = [row for row in rows if row.get("replay_scores")]
    return [
        (*place, interval([statistics.fmean(row["replay_scores"]) for row in found]))
        for place, found in by_place(replayed).items()
    ]


def _gain(episodes: Sequence[Mapping[str, Any]], name: str) -> float:
    """Mean of the later half - mean of the earlier half; the middle one of odd many is left out."""
    half = len(episodes) // 2
    values = [float(episode[name]) for episode in episodes]
    return statistics.fmean(values[-half:]) - statistics.fmean(values[:half])
