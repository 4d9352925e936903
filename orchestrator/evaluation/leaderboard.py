"""What graphs come to over all stories of a results file: one place a graph, best first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import NamedTuple

from orchestrator.evaluation.scores import (
    Row,
    an_episode,
    area_of,
    by_graph,
    counts_best,
    strata,
    strata_of,
)
from orchestrator.evaluation.statistics import (
    Interval,
    detectable,
    estimate,
    iqm,
    mean,
    median,
    unweighted,
)
from orchestrator.saved.restore import ranges


class Rank(NamedTuple):
    """One graph over all stories whose maximum is known; percentages of it."""

    graph: str
    stories: int
    episodes: int
    mean: Interval
    """Of the stories' means."""
    unweighted: Interval
    """The mean of all episodes, however many a story has."""
    median: Interval
    iqm: Interval
    """The mean of the middle half of all episodes."""
    area: Interval
    """The mean over the commands, from the first to the last that was allowed."""
    deaths: float
    calls: float
    """Of models, an episode."""
    tokens: float
    cost: float
    seconds: float
    detectable: float | None
    """The smallest difference of means that two such samples show; None where it is not known."""


def leaderboard(rows: Sequence[Row]) -> list[Rank]:
    """The graphs by their mean, best first; without a known maximum there is no place."""
    places = [_rank(graph, own) for graph, own in by_graph(rows).items() if strata_of(own)]
    return sorted(places, key=lambda place: -place.mean.mean)


def conditions(rows: Sequence[Row]) -> list[str]:
    """What has to be known to read the figures, one line each."""
    told = {
        "protocol": _values(rows, "protocol") or "none",
        "stories": _values(rows, "story"),
        "access": ", ".join(sorted({"+".join(row["access"]) for row in rows})),
        "models": ", ".join(sorted({model for row in rows for model in models_of(row)})) or "none",
        "seeds": ranges(int(row["seed"]) for row in rows),
        "steps an episode": _values(rows, "steps"),
        "episodes in a row": _values(rows, "episodes"),
        "steps in all": _values(rows, "total_steps"),
        "lives": _values(rows, "lives") or "as the story gives",
        "maximum": _maxima(rows),
        "of the maximum": _shared(rows),
        "score that counts": "the best" if counts_best(rows) else _values(rows, "counts"),
        "code": ", ".join(sorted({_code(row["versions"]) for row in rows})),
    }
    return [f"{name}: {value}" for name, value in told.items() if value]


def models_of(row: Row) -> list[str]:
    """The models that its graph may ask, where it asked any."""
    if not row.get("llm_calls"):
        return []
    return sorted({str(one["model"]) for one in (row["config"].get("models") or {}).values()})


def markdown(rows: Sequence[Row]) -> str:
    """The leaderboard as a Markdown table under the line of conditions."""
    head = (
        "| graph | stories | episodes | by story, % of maximum | unweighted | median | IQM "
        "| area | deaths |"
    )
    lines = [head, "|---" * 9 + "|"]
    for one in leaderboard(rows):
        told = (one.graph, one.stories, one.episodes, one.mean, one.unweighted, one.median, one.iqm)
        lines.append(
            "| " + " | ".join(map(_markdown, (*told, one.area))) + f" | {one.deaths:.2f} |"
        )
    return "; ".join(map(_markdown, conditions(rows))) + "\n\n" + "\n".join(lines) + "\n"


def _markdown(told: object) -> str:
    """A text that Markdown takes for nothing else, on one line."""
    return escape(" ".join(str(told).split()), quote=False).replace("|", "\\|")


def _rank(graph: str, rows: Sequence[Row]) -> Rank:
    rows = [row for row in rows if row["max_score"]]
    shares = strata_of(rows)
    return Rank(
        graph=graph,
        stories=len(shares),
        episodes=len(rows),
        mean=estimate(shares, mean),
        unweighted=estimate(shares, unweighted),
        median=estimate(shares, median),
        iqm=estimate(shares, iqm),
        area=estimate(strata((row, area_of(row)) for row in rows), mean),
        deaths=an_episode(rows, "deaths"),
        calls=an_episode(rows, "llm_calls"),
        tokens=an_episode(rows, "prompt_tokens") + an_episode(rows, "completion_tokens"),
        cost=an_episode(rows, "cost"),
        seconds=an_episode(rows, "wall_s"),
        detectable=detectable(shares),
    )


def _maxima(rows: Sequence[Row]) -> str:
    """Who says how many points there are."""
    told: dict[str, set[str]] = {"jericho": set(), "story": set(), "": set()}
    for row in rows:
        by = row.get("max_score_by", "story") if row["max_score"] else ""
        told[by].add(str(row["story"]))
    names = {"jericho": "Jericho's", "story": "the story's own", "": "not known"}
    found = {names[by]: sorted(stories) for by, stories in told.items() if stories}
    if len(found) == 1:
        return next(iter(found))
    return "; ".join(f"{name} for {', '.join(stories)}" for name, stories in found.items())


def _shared(rows: Sequence[Row]) -> str:
    """What is divided by the maximum."""
    names = {"score": "the score", "gain": "the gain over the starting score"}
    return ", ".join(sorted({names[row.get("of_maximum") or "score"] for row in rows}))


def _values(rows: Sequence[Row], name: str) -> str:
    values = {row.get(name) for row in rows}
    return ", ".join(sorted(str(value) for value in values if value not in (None, "")))


def _code(versions: Mapping[str, str]) -> str:
    return f"{versions.get('zork-orchestrator', '?')} ({versions.get('code', '?')})"
