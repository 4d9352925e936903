"""What rows come to, as the lines of a table: one a story and graph."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from orchestrator.evaluation.scores import (
    Row,
    an_episode,
    by_graph,
    by_place,
    counted,
    share,
    strata,
    turns_of,
)
from orchestrator.evaluation.statistics import Interval, estimate


class ResultLine(NamedTuple):
    """What the episodes of one story under one graph come to."""

    game: str
    graph: str
    episodes: int
    score: Interval
    """The one that counts by the plan."""
    median: float
    best: Interval
    of_maximum: float | None
    """Mean of what the plan divides by the maximum, where one is known."""
    deaths: float
    calls: float
    """Of models, an episode."""
    tokens: float
    uncached: float
    """Prompt tokens that servers had to read anew."""
    cost: float
    wall_s: float


class Column(NamedTuple):
    """A column of the printed table."""

    title: str
    tell: Callable[[ResultLine], str]
    says: Callable[[ResultLine], bool] = lambda _line: True
    """Whether it has something to show for a line that the others do not."""


COLUMNS = (
    Column("game", lambda line: line.game),
    Column("graph", lambda line: line.graph),
    Column("n", lambda line: str(line.episodes)),
    Column("score", lambda line: str(line.score)),
    Column("median", lambda line: f"{line.median:g}"),
    Column("best", lambda line: str(line.best), lambda line: line.best != line.score),
    Column("of max", lambda line: _percent(line.of_maximum)),
    Column("deaths", lambda line: f"{line.deaths:.2f}"),
    Column("calls", lambda line: f"{line.calls:,.0f}", lambda line: line.calls > 0),
    Column("tokens", lambda line: f"{line.tokens:,.0f}", lambda line: line.tokens > 0),
    Column("uncached", lambda line: f"{line.uncached:,.0f}", lambda line: line.uncached > 0),
    Column("cost", lambda line: f"{line.cost:.4g}", lambda line: line.cost > 0),
    Column("s/episode", lambda line: f"{line.wall_s:.1f}"),
)


def lines(rows: Sequence[Row]) -> list[ResultLine]:
    """One line a story and graph, in order of appearance."""
    return [_line(*place, found) for place, found in by_place(rows).items()]


def telling(told: Sequence[ResultLine]) -> list[Column]:
    """The columns that say something of some line."""
    return [column for column in COLUMNS if any(map(column.says, told))]


def _line(game: str, graph: str, rows: Sequence[Row]) -> ResultLine:
    scores = [counted(row) for row in rows]
    shares = [part for row in rows if (part := share(row)) is not None]
    return ResultLine(
        game=game,
        graph=graph,
        episodes=len(rows),
        score=_over_seeds(rows, counted),
        median=statistics.median(scores),
        best=_over_seeds(rows, lambda row: float(row["best_score"])),
        of_maximum=statistics.fmean(shares) if shares else None,
        deaths=an_episode(rows, "deaths"),
        calls=an_episode(rows, "llm_calls"),
        tokens=an_episode(rows, "prompt_tokens") + an_episode(rows, "completion_tokens"),
        uncached=an_episode(rows, "uncached_tokens"),
        cost=an_episode(rows, "cost"),
        wall_s=an_episode(rows, "wall_s"),
    )


class RoleLine(NamedTuple):
    """What one role of a graph cost its model, on average of all turns that were played."""

    graph: str
    role: str
    questions: float
    prompt: float
    """Tokens of its questions."""
    uncached: float
    """Those of them that a server had to read anew."""
    answer: float
    """Tokens of its answers."""
    seconds: float
    faults: int
    """Faulty answers, in all."""


ROLE_COLUMNS = {
    **{name: name for name in ("graph", "role", "questions", "prompt", "uncached", "answer")},
    "s/turn": "seconds",
    "faulty": "faults",
}
"""Titles, and of which field each is."""


def role_lines(rows: Sequence[Row]) -> list[RoleLine]:
    """One line a graph and role that asked a model; tokens, seconds and questions are of a turn."""
    return [
        _role_line(graph, role, own)
        for graph, own in by_graph(rows).items()
        for role in sorted({role for row in own for role in row.get("roles") or {}})
    ]


def _role_line(graph: str, role: str, rows: Sequence[Row]) -> RoleLine:
    sums = [told[role] for row in rows if role in (told := row.get("roles") or {})]
    turns = max(1, sum(turns_of(row) for row in rows))

    def a_turn(name: str) -> float:
        return float(sum(one[name] for one in sums)) / turns

    return RoleLine(
        *(graph, role, a_turn("questions"), a_turn("input_tokens"), a_turn("uncached_tokens")),
        *(a_turn("output_tokens"), a_turn("seconds")),
        faults=sum(sum(one.get("faults", {}).values()) for one in sums),
    )


def told_role(line: RoleLine) -> dict[str, str]:
    """A line's cells as they are printed."""
    cells = line._asdict().items()
    return {
        name: f"{value:,.1f}" if isinstance(value, float) else str(value) for name, value in cells
    }


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.1%}"


class Learning(NamedTuple):
    """How much better the later half of the episodes is than the earlier one, paired by seed."""

    game: str
    graph: str
    score: Interval
    turns: Interval


def learning(rows: Sequence[Row]) -> list[Learning]:
    """One a story and graph of which several episodes were played in a row."""
    several = [row for row in rows if row["episodes"] > 1 and row["total_steps"] is None]
    return [
        Learning(
            *place,
            _over_seeds(found, lambda row: _gain(row["series"], "score")),
            _over_seeds(found, lambda row: _gain(row["series"], "turns")),
        )
        for place, found in by_place(several).items()
    ]


def replaying(rows: Sequence[Row]) -> list[tuple[str, str, Interval]]:
    """Story, graph and the scores of replays, by seed."""
    replayed = [row for row in rows if row.get("replay_scores")]
    return [
        (*place, _over_seeds(found, lambda row: statistics.fmean(row["replay_scores"])))
        for place, found in by_place(replayed).items()
    ]


def achieving(rows: Sequence[Row]) -> list[tuple[str, str, Interval, int, dict[str, int]]]:
    """Story, graph, how much of how many was achieved by seed, and how often each of it."""
    listed = [row for row in rows if row.get("achievements")]
    return [
        (
            *place,
            _over_seeds(found, lambda row: len(row["achieved"])),
            found[0]["achievements"],
            dict(Counter(name for row in found for name in row["achieved"])),
        )
        for place, found in by_place(listed).items()
    ]


def _over_seeds(rows: Sequence[Row], figure: Callable[[Row], float]) -> Interval:
    return estimate(strata((row, figure(row)) for row in rows))


def _gain(episodes: Sequence[Mapping[str, Any]], name: str) -> float:
    """Mean of the later half - mean of the earlier half; the middle one of odd many is left out."""
    half = len(episodes) // 2
    values = [float(episode.get(name, episode.get("steps", 0))) for episode in episodes]
    return statistics.fmean(values[-half:]) - statistics.fmean(values[:half])
