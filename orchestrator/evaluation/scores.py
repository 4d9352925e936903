"""What a row says: the score that counts, its share of the maximum, and its curve."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from environments.known import maximum_of
from environments.python_game import PythonStory
from environments.story import Story
from orchestrator.evaluation.statistics import Strata, area

Row = Mapping[str, Any]


def counted(row: Row) -> float:
    """The score that counts by the row's plan: the final or the best one."""
    return float(row["best_score" if row.get("counts") == "best" else "score"])


def counts_best(rows: Iterable[Row]) -> bool:
    """The best score counts in all of them."""
    return all(row.get("counts") == "best" for row in rows)


def maximum(story: Story | PythonStory, told: int | None) -> dict[str, Any]:
    """A row's maximum and who says so: Jericho, where it knows the story, or else the story."""
    known = maximum_of(story) if isinstance(story, Story) else None
    return {"max_score": known or told, "max_score_by": "jericho" if known else "story"}


def agreed(rows: Iterable[Row]) -> list[dict[str, Any]]:
    """The rows with one maximum a story, which some stories tell only at their end.

    It is not known where none of a story's rows tells it, or they tell different ones. Stories of
    one name, as two releases may be, get a part of their SHA-256 into it.
    """
    rows = _named_apart(list(rows))
    told: dict[str, dict[float, str]] = {}
    for row in rows:
        known = told.setdefault(str(row["story_sha256"]), {})
        if row["max_score"]:
            known[row["max_score"]] = row.get("max_score_by", "story")
    return [{**row, **_maximum_in(told[str(row["story_sha256"])])} for row in rows]


def _named_apart(rows: Sequence[Row]) -> Sequence[Row]:
    hashes: dict[str, set[str]] = {}
    for row in rows:
        hashes.setdefault(row["story"], set()).add(row["story_sha256"])
    return [
        {**row, "story": f"{row['story']} ({row['story_sha256'][:6]})"}
        if len(hashes[row["story"]]) > 1
        else row
        for row in rows
    ]


def _maximum_in(told: Mapping[float, str]) -> dict[str, Any]:
    known, by = next(iter(told.items()), (None, "story"))
    return {"max_score": known if len(told) == 1 else None, "max_score_by": by}


def start(row: Row) -> float:
    """The score before the first command."""
    return float(row["curve"][0][1])


def share(row: Row, what: str | None = None) -> float | None:
    """The counted score as part of the maximum, at least 0; None where no maximum is known.

    Args:
        row: of an episode.
        what: `score`, or its `gain` over the starting score; by default what the row's plan says.
    """
    return max(0.0, part(row, counted(row), what)) if row["max_score"] else None


def shares(row: Row) -> dict[str, float | None]:
    """Both parts of the maximum, as they stand in a row."""
    return {f"{what}_share": share(row, what) for what in ("score", "gain")}


def part(row: Row, score: float, what: str | None = None) -> float:
    """A score of the row, or its gain over the start, as part of the maximum."""
    gain = (what or row.get("of_maximum")) == "gain"
    return (score - (start(row) if gain else 0)) / float(row["max_score"])


def turns_of(row: Row) -> int:
    """How many turns were played in all of a row's episodes."""
    episodes = row.get("series") or [{"turns": row.get("turns")}]
    return sum(one.get("turns") or one.get("steps") or 0 for one in episodes)


def an_episode(rows: Sequence[Row], figure: str) -> float:
    """A figure of the mean episode; a row of several in a row holds their sum."""
    played = sum(len(row.get("series") or [row]) for row in rows)
    return float(sum(row.get(figure) or 0 for row in rows)) / played


def by_graph(rows: Iterable[Row]) -> dict[str, list[Row]]:
    """The rows by graph, and by what else they vary in, in order of appearance."""
    found: dict[str, list[Row]] = {}
    for (_, graph), own in by_place(rows).items():
        found.setdefault(graph, []).extend(own)
    return found


def by_place(rows: Iterable[Row]) -> dict[tuple[str, str], list[Row]]:
    """The rows by story and graph, and by what else they vary in; stories stay together."""
    rows = list(rows)
    varied = [name for name in ("steps", "episodes") if len({row[name] for row in rows}) > 1]
    groups: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        more = [f"{row[name]} {name}" for name in varied]
        groups.setdefault((str(row["story"]), " ".join([row["graph"], *more])), []).append(row)
    stories = {game: place for place, (game, _) in reversed(list(enumerate(groups)))}
    return dict(sorted(groups.items(), key=lambda group: stories[group[0][0]]))


def clustered(told: Iterable[tuple[Row, float | None]]) -> dict[str, dict[int, float]]:
    """Figures of rows by story and seed; those of one seed count once, by their mean.

    They are not independent: the shorter of two runs is the beginning of the longer, and chance is
    the same for all. Rows without a figure are left out.
    """
    found: dict[str, dict[int, list[float]]] = {}
    for row, figure in told:
        if figure is not None:
            seeds = found.setdefault(str(row["story"]), {})
            seeds.setdefault(int(row["seed"]), []).append(figure)
    return {
        story: {seed: statistics.fmean(figures) for seed, figures in seeds.items()}
        for story, seeds in found.items()
    }


def strata(told: Iterable[tuple[Row, float | None]]) -> Strata:
    """The same as strata: the independent figures of each story."""
    return [list(seeds.values()) for seeds in clustered(told).values()]


def strata_of(rows: Iterable[Row]) -> Strata:
    """The shares of the maximum by story, in percent; stories without a maximum are left out."""
    shares = ((row, share(row)) for row in rows)
    return strata((row, None if told is None else 100 * told) for row, told in shares)


def curve_in(row: Row, axis: int) -> list[tuple[float, float]]:
    """(spent, best score so far) where it rises; axis 0 is commands, 2 calls, 3 tokens, 4 cost."""
    points: list[tuple[float, float]] = []
    best = float("-inf")
    for point in row["curve"]:
        if point[1] > best:
            best = point[1]
            points.append((point[axis], best))
    return points


def area_of(row: Row) -> float | None:
    """The mean share of the maximum over the commands that were allowed, in percent."""
    if not row["max_score"]:
        return None
    width = row["total_steps"] or row["steps"] * row["episodes"]
    return 100 * part(row, area(curve_in(row, 0), width))


def joined(curves: Sequence[Sequence[Sequence[float]]]) -> list[list[float]]:
    """The curves of episodes in a row as one: what is spent adds up, the score starts anew."""
    points: list[list[float]] = []
    spent = [0.0, 0.0, 0.0, 0.0]
    for curve in curves:
        for turn, score, *costs in curve:
            told = [start + own for start, own in zip(spent, [turn, *costs], strict=True)]
            points.append([told[0], score, *told[1:]])
        spent = [points[-1][0], *points[-1][2:]]
    return points
