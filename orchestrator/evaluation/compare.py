"""Two sets of rows against each other: paired cell by cell, or refused."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from orchestrator.config import GraphConfig
from orchestrator.errors import ConfigError, RunError, unknown
from orchestrator.evaluation.cells import key_of
from orchestrator.evaluation.scores import Row, clustered, counted
from orchestrator.evaluation.statistics import (
    Chance,
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
NO_MODEL = "none"


def _models(row: Row) -> str:
    models = row["config"].get("models") or {}
    return ", ".join(sorted(str(one["model"]) for one in models.values())) or NO_MODEL


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


class SeedPair(NamedTuple):
    """What one seed of a story came to in both sets: the mean of its cells."""

    seed: int
    first: float
    second: float

    @property
    def gain(self) -> float:
        return self.second - self.first


class Difference(NamedTuple):
    """Second less first on one story, or on all of them."""

    game: str
    score: Interval
    pairs: Sequence[SeedPair] = ()
    """One a seed, which are independent; none where episodes are not paired."""

    @property
    def better(self) -> int:
        return sum(pair.gain > 0 for pair in self.pairs)

    @property
    def worse(self) -> int:
        return sum(pair.gain < 0 for pair in self.pairs)


class Comparison(NamedTuple):
    """Two sets of rows and what is between them."""

    first: str
    second: str
    stories: list[Difference]
    overall: Difference
    """The mean over the stories."""
    share: Interval | None
    """The same of the score / maximum, in percent; None where no story's is known."""
    improvement: Interval
    detectable: float | None
    """The smallest difference that as many episodes show; None where it is not known."""
    unpaired: list[str]
    """What only one of the two holds."""
    chance: Chance
    """How often chance alone makes such a difference: sign flips of pairs, or shuffles."""
    unknown: Sequence[str] = ()
    """The stories without a known maximum, which `share` leaves out."""
    cells: int = 0
    """That were paired; those of one story and seed are one pair."""

    @property
    def different(self) -> bool:
        """The two are shown to be different: by the interval and by the test."""
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
    before, after = _keyed(first, by, names[0], second), _keyed(second, by, names[1], first)
    pairs = [(before[key], after[key]) for key in before if key in after]
    if not pairs:
        raise RunError(_no_pairs(before, after, names))
    alone = [*_alone(before, after, names[0]), *_alone(after, before, names[1])]
    told = _paired_by_seed(pairs)
    gains = [[pair.gain for pair in own] for own in told.values()]
    most = {str(one["story"]): one["max_score"] or two["max_score"] for one, two in pairs}
    maxima = [most[game] for game in told]
    shown = detectable(gains)
    return Comparison(
        *names,
        stories=[
            Difference(game, paired([own]), told[game])
            for game, own in zip(told, gains, strict=True)
        ],
        overall=Difference("all", paired(gains), [pair for own in told.values() for pair in own]),
        share=_share(gains, maxima),
        improvement=estimate([[_wins(gain) for gain in own] for own in gains]),
        detectable=None if shown is None else shown / 2**0.5,
        unpaired=alone,
        chance=flipped(gains),
        unknown=[game for game, most in zip(told, maxima, strict=True) if not most],
        cells=len(pairs),
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
    before, after = (
        {game: list(seeds.values()) for game, seeds in _by_seed(rows).items()}
        for rows in (first, second)
    )
    games = [game for game in before if game in after]
    if not games:
        raise RunError(f"{names[0]} and {names[1]} have no story in common")
    ours, theirs = ([scores[game] for game in games] for scores in (before, after))
    alone = [f"{game}, only in {names[0]}" for game in before if game not in after]
    alone += [f"{game}, only in {names[1]}" for game in after if game not in before]
    return Comparison(
        *names,
        stories=[
            Difference(game, difference([a], [b]))
            for game, a, b in zip(games, ours, theirs, strict=True)
        ],
        overall=Difference("all", difference(ours, theirs)),
        share=None,
        improvement=improvement(ours, theirs),
        detectable=detectable(ours),
        unpaired=alone,
        chance=shuffled(ours, theirs),
    )


def compare_with_first(rows: Sequence[Row], by: str) -> tuple[list[Comparison], list[str]]:
    """All values of a factor with the first one, and why some of them have no pair with it.

    Raises:
        ConfigError: no such factor.
        RunError: it has one value only.
    """
    (name, base), *others = levels(rows, by).items()
    found, faults = list[Comparison](), list[str]()
    for other, own in others:
        try:
            found.append(compare(base, own, by, names=(name, other)))
        except RunError as error:
            faults.append(str(error))
    return found, faults


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


def _keyed(rows: Sequence[Row], by: str | None, name: str, others: Sequence[Row]) -> dict[Key, Row]:
    """The rows by what a pair has in common.

    Where graphs are compared, a row that asks no model is paired with each model of the others: a
    bench plays it once for all models.

    Raises:
        RunError: two rows cannot be told apart.
    """
    models = sorted({_models(row) for row in others}) if by == "graph" else []
    keyed: dict[Key, Row] = {}
    for row in rows:
        for key in _keys(row, by, models):
            if key in keyed:
                apart = f", which differ by {by}: name one of them" if by else ""
                raise RunError(f"{name}: two rows of {_told(row)} cannot be told apart{apart}")
            keyed[key] = row
    return keyed


def _keys(row: Row, by: str | None, models: Sequence[str]) -> list[Key]:
    """What a row has in common with its pairs; one that asks no model stands for all `models`."""
    told = {factor: str(tell(row)) for factor, tell in FACTORS.items() if factor != by}
    if not models or told["model"] != NO_MODEL:
        return [tuple(told.items())]
    return [tuple({**told, "model": model}.items()) for model in models]


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


def _by_seed(rows: Iterable[Row]) -> dict[str, dict[int, float]]:
    return clustered((row, counted(row)) for row in rows)


def _paired_by_seed(cells: Sequence[tuple[Row, Row]]) -> dict[str, list[SeedPair]]:
    """The independent pairs by story."""
    before = _by_seed(one for one, _ in cells)
    # A cell is of the story and seed that the first of its pair names.
    after = _by_seed({**two, "story": one["story"], "seed": one["seed"]} for one, two in cells)
    return {
        game: [SeedPair(seed, score, after[game][seed]) for seed, score in seeds.items()]
        for game, seeds in before.items()
    }


def _wins(gain: float) -> float:
    return 0.5 if gain == 0 else float(gain > 0)


def _share(gains: Sequence[Sequence[float]], maxima: Sequence[float | None]) -> Interval | None:
    """The gains, story by story, as parts of the maxima that are known."""
    parts = [
        [100 * gain / most for gain in own] for own, most in zip(gains, maxima, strict=True) if most
    ]
    return paired(parts) if parts else None
