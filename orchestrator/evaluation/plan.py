"""A plan of episodes: games x graphs x models x access x seeds x steps, as a TOML file."""

from __future__ import annotations

import itertools
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, ValidationError, model_validator

from environments.game import Access
from environments.story import EXTENSIONS
from orchestrator.errors import ConfigError, unknown
from orchestrator.evaluation.cells import Cell
from orchestrator.evaluation.queue import Limit
from orchestrator.graph.spec import Strict
from orchestrator.setup import DEFAULT_STEPS


def _several(value: Any) -> Any:
    return value if isinstance(value, list | tuple) else [value]


def seed_range(text: str) -> list[int]:
    """`1-20` or `1,5,9` or both.

    Raises:
        ConfigError: the text is neither.
    """
    seeds: list[int] = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        if not first.isdigit() or (last and not last.isdigit()):
            raise ConfigError(f"--seeds {text!r}: expected for instance 1-20 or 1,5,9")
        if int(last or first) < int(first):
            raise ConfigError(f"--seeds {text!r}: {part} goes backwards, write {last}-{first}")
        seeds.extend(range(int(first), int(last or first) + 1))
    return seeds


def _seeds(value: Any) -> Any:
    return seed_range(value) if isinstance(value, str) else _several(value)


def _access(value: Any) -> Any:
    return [one.split("+") if isinstance(one, str) else one for one in _several(value)]


Numbers = Annotated[tuple[Annotated[int, Field(ge=1)], ...], BeforeValidator(_several)]


class Variant(Strict):
    """A graph with a name and settings of its own."""

    name: str
    graph: str
    set: tuple[str, ...] = ()
    """`KEY=VALUE`, as for `zork play -s`."""


class Plan(Strict):
    """What is to be played. Every combination is a cell."""

    games: Annotated[tuple[str, ...], BeforeValidator(_several), Field(min_length=1)]
    """Paths, catalog ids or names; a folder stands for the stories in it."""
    graphs: Annotated[tuple[str | Variant, ...], BeforeValidator(_several)] = ("offline",)
    models: Annotated[tuple[str, ...], BeforeValidator(_several)] = ()
    """`models.default` of every graph, as `provider:name`; empty leaves it to the graph."""
    access: Annotated[tuple[tuple[Access, ...], ...], BeforeValidator(_access)] = ()
    """For instance `text+tree`; empty leaves it to the graph."""
    seeds: Annotated[tuple[Annotated[int, Field(ge=1)], ...], BeforeValidator(_seeds)] = (1,)
    """`"1-20"` or a list of numbers."""
    steps: Annotated[tuple[Annotated[int, Field(ge=0)], ...], BeforeValidator(_several)] = (
        DEFAULT_STEPS,
    )
    """Commands per episode."""
    episodes: Numbers = (1,)
    """In a row, each learning from those before."""
    total_steps: int | None = Field(default=None, ge=1)
    """So many commands in episodes in a row, instead."""
    replays: int = Field(default=0, ge=0)
    """Of the best trajectory that a graph explored."""
    lives: int | None = Field(default=None, ge=1)
    """An episode ends with so many deaths; without it, where the story ends it."""
    settings: tuple[str, ...] = ()
    """Of every graph, as `KEY=VALUE`."""
    servers: dict[str, Limit] = Field(default_factory=dict)
    """What model servers can bear, by base URL or provider."""

    @model_validator(mode="after")
    def _told_apart(self) -> Plan:
        names = Counter(one if isinstance(one, str) else one.name for one in self.graphs)
        for name, count in names.items():
            if count > 1:
                raise ValueError(f"two graphs are called {name!r}; give each a name of its own")
        for name, limit in self.servers.items():
            if limit.tokens_per_minute and not limit.slots:
                raise ValueError(f"servers.{name!r}: tokens_per_minute needs slots to share it")
        return self

    def cells(self) -> list[Cell]:
        """Every combination once, in the order of the plan."""
        return list(dict.fromkeys(self._combined()))

    def _combined(self) -> Iterator[Cell]:
        games = [found for game in self.games for found in stories_in(game)]
        for game, graph, model, access, seed, steps, episodes in itertools.product(
            games,
            self.graphs,
            self.models or (None,),
            self.access or ((),),
            self.seeds,
            self.steps,
            self.episodes,
        ):
            variant = Variant(name="", graph=graph) if isinstance(graph, str) else graph
            told = [variant.name or Path(variant.graph).stem, model or "", "+".join(access)]
            yield Cell(
                game,
                variant.graph,
                seed,
                steps,
                (*self.settings, *variant.set),
                episodes=episodes,
                total_steps=self.total_steps,
                replays=self.replays,
                lives=self.lives,
                model=model,
                access=tuple(map(str, access)),
                label=" ".join(filter(None, told)) if any([variant.name, *told[1:]]) else "",
            )


def stories_in(game: str) -> list[str]:
    """The story itself, or those of a folder.

    Raises:
        ConfigError: there is no story in the folder.
    """
    folder = Path(game)
    if not folder.is_dir():
        return [game]
    found = sorted(str(path) for path in folder.iterdir() if path.suffix.lower() in EXTENSIONS)
    if not found:
        raise ConfigError(f"games: no story in the folder {game!r} ({', '.join(EXTENSIONS)})")
    return found


def read_plan(path: Path) -> Plan:
    """The plan of a file.

    Raises:
        ConfigError: what is wrong with it and what would work, in one line.
    """
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise ConfigError(f"plan {str(path)!r}: no such file") from error
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"plan {str(path)!r}: {error}") from error
    return planned(table, str(path))


def planned(table: dict[str, Any], source: str) -> Plan:
    """The plan of a table, checked.

    Raises:
        ConfigError: what is wrong with it and what would work, in one line.
    """
    try:
        return Plan.model_validate(table)
    except ValidationError as error:
        told = "; ".join(dict.fromkeys(map(_explained, error.errors())))
        raise ConfigError(f"plan {source}: {told}") from error


def _explained(fault: Any) -> str:
    where: Sequence[Any] = fault["loc"]
    named = ".".join(str(part) for part in where if part not in ("str", "Variant"))
    if fault["type"] == "extra_forbidden":
        kinds: dict[str, type[Strict]] = {"graphs": Variant, "servers": Limit}
        kind = kinds.get(str(where[0]), Plan)
        return unknown("key", str(where[-1]), kind.model_fields)
    if fault["type"] == "missing":
        return f"key {named!r} is missing"
    said = fault["msg"].removeprefix("Value error, ")
    return f"{named} = {fault['input']!r}: {said.lower()}" if named else said
