"""Two sets of rows against each other: paired cell by cell, or refused."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from orchestrator.config import GraphConfig
from orchestrator.errors import ConfigError, RunError, unknown
from orchestrator.evaluation.cells import key_of
from orchestrator.evaluation.scores import Row, counted
from orchestrator.evaluation.statistics import (
    Interval,
    detectable,
    difference,
    estimate,
    flipped,
    improvement,
    paired,
    shuffled,
)
from orchestrator.settings.identity import graph_id

Key = tuple[tuple[str, str], ...]
"""(factor, its value as text) of one row."""


def _models(row: Row) -> str:
    models = row["config"].get("models") or {}
    return ", ".join(sorted(str(one["model"]) for one in models.values())) or "none"


def _bare_graph(row: Row) -> str:
    """The graph without its models and its access, which are factors of their own."""
    config = GraphConfig.model_validate(row["config"])
    return graph_id(config, ("models", "access"))


FACTORS: dict[str, Callable[[Row], Any]] = {
    "story": lambda row: key_of(row).story_sha256,
    "graph": _bare_graph,
    "model": _models,
    "access": lambda row: "+".join(row["access"]),
    "seed": lambda row: key_of(row).seed,
    "steps": lambda row: key_of(row).steps,
    "episodes": lambda row: key_of(row).episodes,
    "total steps": lambda row: key_of(row).total_steps,
    "replays": lambda row: key_of(row).replays,
    "lives": lambda row: key_of(row).lives,
}
"""What has to be the same in a pair, but for the factor that is compared."""

LEVELS: dict[str, Callable[[Row], Any]] = {
    "graph": lambda row: row["graph"],
    **{name: FACTORS[name] for name in ("model", "access", "steps", "episodes", "lives")},
}
"""By what two sets of rows may differ, and what its values are called."""


class Difference(NamedTuple):
    """Second less first on one story, or on all of them."""

    game: str
    pairs: int
    """0 where episodes are not paired."""
    score: Interval
    better: int = 0
    worse: int = 0


class Comparison(NamedTuple):
    """Two sets of rows and what is between them."""

    first: str
    second: str
    stories: list[Difference]
    overall: Difference
    """The mean over the stories."""
    share: Interval | None
    """The same of the score / maximum, in percent; None where that of a story is not known."""
    improvement: Interval
    detectable: float
    """The smallest difference that as many episodes show."""
    unpaired: list[str]
    """What only one of the two holds."""
    p: float
    """How often chance alone makes such a difference: sign flips of pairs, or shuffles."""

    @property
    def different(self) -> bool:
        """The two are shown to be different: by the interval and by `p`."""
        return self.overall.score.excludes_zero


def compare(
    first: Sequence[Row],
    second: Sequence[Row],
    by: str | None = None,
    *,
    names: tuple[str, str] = ("first", "second"),
) -> Comparison:
    """Pair the rows by story, graph, model, access, seed and steps, and take second - first.

    Args:
        first: the rows that are compared with.
        second: the others.
        by: the factor in which the two may differ; by default none, or `graph` where each of
            them holds one graph and these are not the same.
        names: of the two.

    Raises:
        ConfigError: no such factor.
        RunError: nothing can be paired, and why.
    """
    if by is not None and by not in LEVELS:
        raise ConfigError(unknown("factor", by, LEVELS))
    by = by or _implied(first, second)
    before, after = _keyed(first, by, names[0]), _keyed(second, by, names[1])
    pairs = [(before[key], after[key]) for key in before if key in after]
    if not pairs:
        raise RunError(_no_pairs(before, after, names))
    alone = [*_alone(before, after, names[0]), *_alone(after, before, names[1])]
    strata = _by_story(pairs, lambda pair: pair[0])
    gains = {game: [counted(b) - counted(a) for a, b in told] for game, told in strata.items()}
    return Comparison(
        *names,
        stories=[_difference(game, values) for game, values in gains.items()],
        overall=_overall(gains),
        share=_share(strata),
        improvement=estimate([[_wins(gain) for gain in told] for told in gains.values()]),
        detectable=detectable(list(gains.values())) / 2**0.5,
        unpaired=alone,
        p=flipped(list(gains.values())),
    )


def compare_unpaired(
    first: Sequence[Row],
    second: Sequence[Row],
    *,
    names: tuple[str, str] = ("first", "second"),
) -> Comparison:
    """The same for episodes of other seeds, story by story.

    Raises:
        RunError: the two have no story in common.
    """
    before, after = (_by_story(rows, lambda row: row) for rows in (first, second))
    games = [game for game in before if game in after]
    if not games:
        raise RunError(f"{names[0]} and {names[1]} have no story in common")
    ours, theirs = (
        [[counted(row) for row in rows[game]] for game in games] for rows in (before, after)
    )
    alone = [f"{game}, only in {names[0]}" for game in before if game not in after]
    alone += [f"{game}, only in {names[1]}" for game in after if game not in before]
    return Comparison(
        *names,
        stories=[
            Difference(game, 0, difference([a], [b]))
            for game, a, b in zip(games, ours, theirs, strict=True)
        ],
        overall=Difference("all", 0, difference(ours, theirs)),
        share=None,
        improvement=improvement(ours, theirs),
        detectable=detectable(ours),
        unpaired=alone,
        p=shuffled(ours, theirs),
    )


def levels(rows: Sequence[Row], by: str) -> dict[str, list[Row]]:
    """The rows of one file by the values of a factor, in order of appearance.

    Raises:
        ConfigError: no such factor.
        RunError: it has one value only.
    """
    if by not in LEVELS:
        raise ConfigError(unknown("factor", by, LEVELS))
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(str(LEVELS[by](row)), []).append(row)
    if len(found) < 2:
        raise RunError(f"--by {by}: all rows have the same one ({', '.join(found)})")
    return found


def _implied(first: Sequence[Row], second: Sequence[Row]) -> str | None:
    graphs = [{_bare_graph(row) for row in rows} for rows in (first, second)]
    apart = not graphs[0] & graphs[1]
    return "graph" if apart and all(len(one) == 1 for one in graphs) else None


def _keyed(rows: Sequence[Row], by: str | None, name: str) -> dict[Key, Row]:
    """The rows by what a pair has in common.

    Raises:
        RunError: two rows cannot be told apart.
    """
    keyed: dict[Key, Row] = {}
    for row in rows:
        key = tuple((factor, str(tell(row))) for factor, tell in FACTORS.items() if factor != by)
        if key in keyed:
            apart = f", which differ by {by}: name one of them" if by else ""
            raise RunError(f"{name}: two rows of {_told(row)} cannot be told apart{apart}")
        keyed[key] = row
    return keyed


def _alone(ours: Mapping[Key, Row], theirs: Mapping[Key, Row], name: str) -> list[str]:
    return [f"{_told(row)}, only in {name}" for key, row in ours.items() if key not in theirs]


def _no_pairs(before: Mapping[Key, Row], after: Mapping[Key, Row], names: tuple[str, str]) -> str:
    """The factors in which the two have nothing in common."""
    values = [
        {factor: {dict(key)[factor] for key in keys} for factor in dict(next(iter(keys), ()))}
        for keys in (before, after)
    ]
    apart = [factor for factor in values[0] if not values[0][factor] & values[1].get(factor, set())]
    between = f"{names[0]} and {names[1]}"
    if not before or not after:
        return f"{between}: {names[0] if not before else names[1]} has no rows"
    told = " and ".join(
        f"{factor} ({_few(values[0][factor])} against {_few(values[1][factor])})"
        for factor in apart
    )
    hint = ""
    if set(apart) <= {"seed"}:
        hint = "; compare them with --unpaired"
    elif len(apart) == 1 and apart[0] in LEVELS:
        hint = f"; compare them with --by {apart[0]}"
    return f"no cell of {between} can be paired: they differ in {told or 'several ways'}{hint}"


def _few(values: Iterable[str]) -> str:
    ordered = sorted(values, key=lambda value: (len(value), value))
    return ", ".join(value[:12] for value in ordered[:3]) + (" ..." if len(ordered) > 3 else "")


def _told(row: Row) -> str:
    return f"{row['story']} {row['graph']} seed {row['seed']}, {row['steps']} steps"


def _by_story(items: Iterable[Any], row_of: Callable[[Any], Row]) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for item in items:
        found.setdefault(str(row_of(item)["story"]), []).append(item)
    return found


def _wins(gain: float) -> float:
    return 0.5 if gain == 0 else float(gain > 0)


def _difference(game: str, values: Sequence[float]) -> Difference:
    better, worse = sum(value > 0 for value in values), sum(value < 0 for value in values)
    return Difference(game, len(values), paired([values]), better, worse)


def _overall(gains: Mapping[str, Sequence[float]]) -> Difference:
    values = [value for told in gains.values() for value in told]
    return _difference("all", values)._replace(score=paired(list(gains.values())))


def _share(strata: Mapping[str, Sequence[tuple[Row, Row]]]) -> Interval | None:
    if not all(a["max_score"] for told in strata.values() for a, _ in told):
        return None
    return paired(
        [
            [100 * (counted(b) - counted(a)) / a["max_score"] for a, b in told]
            for told in strata.values()
        ]
    )
