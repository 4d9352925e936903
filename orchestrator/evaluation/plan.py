"""A plan of episodes: games x graphs x models x access x seeds x steps, as a TOML file."""

from __future__ import annotations

import functools
import itertools
import math
import re
import reprlib
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, ValidationError, model_validator

from environments.catalog import find_story, list_stories
from environments.game import Access, GameError
from environments.story import is_story_file
from environments.walkthroughs import find_walkthrough
from orchestrator.config import MAX_FAULTS, load_config
from orchestrator.errors import ConfigError, unknown
from orchestrator.evaluation.cells import WALKTHROUGH, Cell
from orchestrator.evaluation.queue import Limit
from orchestrator.graph.crew import models_asked
from orchestrator.graph.spec import Strict
from orchestrator.settings.models import DEFAULT
from orchestrator.settings.sheets import shipped_graphs
from orchestrator.settings.toml_files import read_toml
from orchestrator.setup import DEFAULT_STEPS

BASELINES = ("random", "idle", WALKTHROUGH)
MOST_CELLS = 100_000
_SEED = re.compile("[0-9]{1,18}")
RECALLED = "recalled"
"""The control for what a model knows of a story without playing it."""
_OF_MODELS = ("models.", "max_cost=", "max_tokens=", "max_seconds=")
"""How settings begin that say which server is asked, at what price and how much of it."""


def _several(value: Any) -> Any:
    return value if isinstance(value, list | tuple) else [value]


def seed_range(text: str) -> list[int]:
    """`1-20` or `1,5,9` or both.

    Raises:
        ConfigError: the text is neither.
    """
    seeds: list[int] = []
    told = f"--seeds {reprlib.repr(text)}"
    for part in text.split(","):
        first, dash, last = part.partition("-")
        last = last if dash else first
        if not _SEED.fullmatch(first) or not _SEED.fullmatch(last):
            raise ConfigError(f"{told}: expected for instance 1-20 or 1,5,9")
        if int(last) < int(first):
            raise ConfigError(f"{told}: {part} goes backwards, write {last}-{first}")
        some = range(int(first), int(last) + 1)
        if len(seeds) + len(some) > MOST_CELLS:
            raise ConfigError(f"{told}: are more than {MOST_CELLS:,} seeds")
        seeds.extend(some)
    return seeds


def _seeds(value: Any) -> Any:
    return seed_range(value) if isinstance(value, str) else _several(value)


def _access(value: Any) -> Any:
    return [one.split("+") if isinstance(one, str) else one for one in _several(value)]


class Variant(Strict):
    """A graph with a name and settings of its own."""

    name: str
    graph: str
    set: tuple[str, ...] = ()
    """`KEY=VALUE`, as for `zork play -s`."""
    poison: float = Field(default=0.0, ge=0, le=1)
    """So large a share of what its episodes remember is falsified."""


class EvaluationPlan(Strict):
    """What is to be played. Every combination is a cell."""

    protocol: str = ""
    """A named protocol, whose keys the plan then does not say itself."""
    title: str = ""
    """For whoever reads the file."""
    games: Annotated[tuple[str, ...], BeforeValidator(_several), Field(min_length=1)]
    """Paths, catalog ids or names; a folder stands for the stories in it."""
    graphs: Annotated[tuple[str | Variant, ...], BeforeValidator(_several)] = ("offline",)
    models: Annotated[tuple[str, ...], BeforeValidator(_several)] = ()
    """`models.default` of every graph that asks it, as `provider:name`; empty leaves it to the
    graph. The others are played once."""
    access: Annotated[tuple[tuple[Access, ...], ...], BeforeValidator(_access)] = ()
    """For instance `text+tree`; empty leaves it to the graph."""
    seeds: Annotated[tuple[Annotated[int, Field(ge=1)], ...], BeforeValidator(_seeds)] = (1,)
    """`"1-20"` or a list of numbers."""
    least_seeds: int = Field(default=1, ge=1)
    """So many seeds at least, or the figures say too little."""
    steps: Annotated[tuple[Annotated[int, Field(ge=0)], ...], BeforeValidator(_several)] = (
        DEFAULT_STEPS,
    )
    """Commands per episode."""
    episodes: Annotated[tuple[Annotated[int, Field(ge=1)], ...], BeforeValidator(_several)] = (1,)
    """In a row, each learning from those before."""
    total_steps: int | None = Field(default=None, ge=1)
    """So many commands in episodes in a row, instead."""
    replays: int = Field(default=0, ge=0)
    """Of the best trajectory that a graph explored."""
    lives: int | None = Field(default=None, ge=1)
    """An episode ends with so many deaths; without it, where the story ends it."""
    counts: Literal["final", "best"] = "final"
    """Which score counts."""
    of_maximum: Literal["score", "gain"] = "score"
    """What is divided by the maximum: the score that counts, or what it gains over the start."""
    baselines: bool = False
    """Play `random`, `idle` and, where one is known, the walkthrough as well, and what each of
    the models recalls of the story."""
    settings: tuple[str, ...] = ()
    """Of every graph, as `KEY=VALUE`."""
    trace: bool = False
    """Keep trace and checkpoints of every episode, so that it can be looked at turn by turn."""
    servers: dict[str, Limit] = Field(default_factory=dict)
    """What model servers can bear, by provider, or by base URL where a graph sets one."""

    @model_validator(mode="after")
    def _told_apart(self) -> EvaluationPlan:
        names = Counter(one if isinstance(one, str) else one.name for one in self.graphs)
        for name, count in names.items():
            if count > 1:
                raise ValueError(f"two graphs are called {name!r}; give each a name of its own")
        if (many := len(set(self.seeds))) < self.least_seeds:
            raise ValueError(
                f"seeds: {many} of them, {self.least_seeds} are wanted at least, for "
                f"instance 1-{self.least_seeds}"
            )
        for name, limit in self.servers.items():
            if limit.tokens_per_minute and not limit.slots:
                raise ValueError(f"servers.{name!r}: tokens_per_minute needs slots to share it")
        return self

    @model_validator(mode="after")
    def _remembering(self) -> EvaluationPlan:
        several = max(self.episodes) > 1 or self.total_steps is not None
        if self.replays and not several:
            raise ValueError("replays: only episodes in a row are replayed; say total_steps, too")
        for one in self.graphs:
            if isinstance(one, Variant) and one.poison and not several:
                raise ValueError(f"graph {one.name!r}: poison needs episodes that remember")
        return self

    def cells(self) -> list[Cell]:
        """Every combination once, in the order of the plan.

        Raises:
            ConfigError: there are too many, or a folder has no story.
        """
        played = [*self._combined(), *(self._beside() if self.baselines else ())]
        return list(dict.fromkeys(played))

    def _beside(self) -> Iterator[Cell]:
        """The baselines of all stories, without a model but for what the models recall."""
        alone = {"settings": (), "replays": 0, "baselines": False}
        beside = {**alone, "graphs": BASELINES, "models": ()}
        for cell in self.model_copy(update=beside).cells():
            if cell.graph != WALKTHROUGH or _has_walkthrough(cell.game):
                yield cell
        if self.models:
            asking = tuple(one for one in self.settings if one.startswith(_OF_MODELS))
            recalled = {**alone, "graphs": (RECALLED,), "settings": asking}
            yield from self.model_copy(update=recalled).cells()

    def _combined(self) -> Iterator[Cell]:
        games = [found for game in self.games for found in stories_in(game)]
        axes = (self.graphs, self.models, self.access, self.seeds, self.steps, self.episodes)
        many = len(games) * math.prod(max(1, len(axis)) for axis in axes)
        if many > MOST_CELLS:
            raise ConfigError(
                f"a plan of {many:,} combinations; {MOST_CELLS:,} at most, of games, graphs, "
                "models, access, seeds, steps and episodes"
            )
        for game, (variant, model), access, seed, steps, episodes in itertools.product(
            games,
            self._with_models(),
            self.access or ((),),
            self.seeds,
            self.steps,
            self.episodes,
        ):
            apart = [model or "", "+".join(access) if len(self.access) > 1 else ""]
            told = [variant.name or Path(variant.graph).stem, *apart]
            yield Cell(
                game,
                variant.graph,
                seed,
                steps,
                (*self.settings, *variant.set),
                episodes=episodes,
                total_steps=self.total_steps,
                replays=self.replays,
                poison=variant.poison,
                lives=self.lives,
                model=model,
                access=tuple(map(str, access)),
                label=" ".join(filter(None, told)) if any([variant.name, *apart]) else "",
                protocol=self.protocol,
                counts=self.counts,
                of_maximum=self.of_maximum,
                trace=self.trace,
            )

    def _with_models(self) -> list[tuple[Variant, str | None]]:
        """Every graph with every model; one that asks none, beside others that do, stands once."""
        variants = [
            Variant(name="", graph=one) if isinstance(one, str) else one for one in self.graphs
        ]
        asking = [one for one in variants if _asks_default(one.graph, (*self.settings, *one.set))]
        return [
            (one, model)
            for one in variants
            for model in (self.models if one in asking or not asking else ()) or (None,)
        ]


@functools.cache
def _asks_default(graph: str, settings: tuple[str, ...]) -> bool:
    """Whether a graph asks `models.default`.

    Supposed of one that may name somebody's code, which is not loaded before it is trusted, and of
    one that will not do, which is told where it is played. A colon among the settings of a model is
    that of an address or a model's name.
    """
    others = [one for one in settings if not one.startswith(_OF_MODELS)]
    if graph not in shipped_graphs() or any(":" in one for one in others):
        return True
    try:
        return DEFAULT in models_asked(load_config(graph, (), settings)).values()
    except ConfigError:
        return True


@functools.cache
def _has_walkthrough(game: str) -> bool:
    try:
        find_walkthrough(find_story(game))
    except GameError:
        return False
    return True


def protocols() -> dict[str, dict[str, Any]]:
    """The named protocols, as tables."""
    folder = files("orchestrator.evaluation") / "protocols"
    named = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".toml"))
    return {
        name.removesuffix(".toml"): tomllib.loads((folder / name).read_text(encoding="utf-8"))
        for name in named
    }


def _following(table: dict[str, Any], source: str) -> dict[str, Any]:
    """The table with the keys of the protocol that it names, and the settings of both.

    Raises:
        ConfigError: there is none of that name, or the plan says otherwise.
    """
    name = table.get("protocol")
    if not name:
        return table
    known = protocols()
    if name not in known:
        raise ConfigError(f"plan {source}: {unknown('protocol', str(name), known)}")
    fixed = {key: value for key, value in known[name].items() if key != "settings"}
    settings = [*known[name].get("settings", ()), *_several(table.get("settings", ()))]
    for key, value in fixed.items():
        if key in table and table[key] != value:
            raise ConfigError(
                f"plan {source}: {key} = {table[key]!r}, but the protocol {name} says {value!r}; "
                "leave one of them out"
            )
    seeds = {"seeds": f"1-{fixed['least_seeds']}"} if "least_seeds" in fixed else {}
    return {**fixed, **seeds, **table, **({"settings": settings} if settings else {})}


def stories_in(game: str) -> list[str]:
    """The story itself, or those of a folder; a story's name comes before an empty folder's.

    Raises:
        ConfigError: there is no story in the folder.
    """
    folder = Path(game)
    if not folder.is_dir():
        return [game]
    found = sorted(str(path) for path in folder.iterdir() if is_story_file(path))
    if not found and game not in {listing.id for listing in list_stories()}:
        raise ConfigError(f"games: no story in the folder {game!r}")
    return found or [game]


def read_plan(path: Path) -> EvaluationPlan:
    """The plan of a file.

    Raises:
        ConfigError: what is wrong with it and what would work, in one line.
    """
    return planned(read_toml(path, "plan")[1], str(path))


def planned(table: dict[str, Any], source: str) -> EvaluationPlan:
    """The plan of a table, checked.

    Raises:
        ConfigError: what is wrong with it and what would work, in one line.
    """
    try:
        return EvaluationPlan.model_validate(_following(table, source))
    except ValidationError as error:
        told = "; ".join(dict.fromkeys(map(_explained, error.errors()[:MAX_FAULTS])))
        raise ConfigError(f"plan {source}: {told}") from error


def _explained(fault: Any) -> str:
    where: Sequence[Any] = fault["loc"]
    named = ".".join(str(part) for part in where if part not in ("str", "Variant"))
    if fault["type"] == "extra_forbidden":
        kinds: dict[str, type[Strict]] = {"graphs": Variant, "servers": Limit}
        kind = kinds.get(str(where[0]), EvaluationPlan)
        return unknown("key", str(where[-1]), kind.model_fields)
    if fault["type"] == "missing":
        return f"key {named!r} is missing"
    said = fault["msg"].removeprefix("Value error, ")
    return f"{named} = {reprlib.repr(fault['input'])}: {said.lower()}" if named else said
