"""A cell of a plan: one episode, or a series of them, isolated from all other cells."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from agents.models import ModelConfig
from environments.catalog import find_story
from environments.walkthroughs import find_walkthrough
from orchestrator.config import GraphConfig
from orchestrator.graph.crew import models_asked
from orchestrator.series import Extent
from orchestrator.settings.identity import graph_id
from orchestrator.setup import Setup

WALKTHROUGH = "walkthrough"
"""The graph that follows a file of commands; by default the one that is known of the story."""
COMMANDS = "nodes.actor.commands="


@dataclass(frozen=True)
class Cell:
    """What is to be played, by name."""

    game: str
    graph: str
    seed: int
    steps: int
    settings: tuple[str, ...] = ()
    episodes: int = 1
    total_steps: int | None = None
    replays: int = 0
    poison: float = 0.0
    lives: int | None = None
    model: str | None = None
    access: tuple[str, ...] = ()
    """Instead of the graph's own."""
    label: str = ""
    """The graph's name, if not the one it has."""
    protocol: str = ""
    """The named protocol that its plan follows."""
    counts: str = "final"
    """Which score counts: the `final` or the `best` one."""
    of_maximum: str = "score"
    """What is divided by the maximum: the `score` that counts, or its `gain` over the start."""
    trace: bool = False
    """Keep its trace and all its checkpoints."""

    @property
    def extent(self) -> Extent:
        return Extent(self.episodes, self.total_steps, self.replays, self.poison)

    @property
    def turns(self) -> int:
        """How many turns it takes at most, replays aside."""
        return self.total_steps or self.steps * self.episodes

    @property
    def _follows(self) -> bool:
        """It is to follow the story's own walkthrough."""
        given = any(setting.startswith(COMMANDS) for setting in self.settings)
        return self.graph == WALKTHROUGH and not given

    def setup(self, out: Path, **options: Any) -> Setup:
        """The cell's setup, without checkpoints, trace and remembered answers.

        Raises:
            ConfigError: the graph, a part of it, or a seed will not do.
            GameError: the story is not there or not one.
        """
        access = [f"access={json.dumps(self.access)}"] if self.access else []
        name = [f"name={json.dumps(self.label)}"] if self.label else []
        commands = _commands(self.game) if self._follows else []
        alone: dict[str, Any] = {"checkpoints": False, "trace": False, "cache": False}
        return Setup.resolve(
            self.game,
            graph=self.graph,
            settings=(*commands, *self.settings, *access, *name),
            model=self.model,
            seed=self.seed,
            steps=self.steps,
            lives=self.lives,
            out=out,
            **{**alone, "fresh": True, **options},
        )


class Key(NamedTuple):
    """What makes two rows the same cell, wherever and with whatever version they were played."""

    story_sha256: str
    graph_id: str
    seed: int
    steps: int
    episodes: int = 1
    total_steps: int | None = None
    replays: int = 0
    poison: float = 0.0
    lives: int | None = None


@dataclass(frozen=True)
class Task:
    """A cell with everything resolved: what an engine plays."""

    cell: Cell
    key: Key
    graph: str
    """The name of its graph."""
    servers: tuple[str, ...] = ()
    """The model servers that it asks."""
    pace: int | None = None
    """So many tokens a minute of each of them at most."""

    @property
    def folder(self) -> str:
        """The name of the folder that it plays in."""
        told = [Path(self.cell.game).stem, self.graph, f"s{self.cell.seed}"]
        mark = hashlib.sha256(json.dumps(self.key).encode()).hexdigest()[:10]
        return re.sub(r"[^A-Za-z0-9.]+", "-", "-".join([*told, mark]))


def _commands(game: str) -> list[str]:
    path = find_walkthrough(find_story(game)).resolve()
    return [COMMANDS + str(path), f"name={WALKTHROUGH}"]


def resolved(
    cell: Cell,
    known: dict[Cell, tuple[str, GraphConfig]] | None = None,
    *,
    trust: bool = False,
    source: str = "",
) -> Task:
    """The cell with its story and its graph found.

    Args:
        cell: what is to be played.
        known: what was found before, and saves finding it again.
        trust: allow the code and the servers that it names, from now on.
        source: the file that it comes from; empty where the user typed it.

    Raises:
        ConfigError: the graph or a part of it will not do, or is not trusted.
        GameError: the story is not there or not one.
    """
    known = {} if known is None else known
    place = Cell(cell.game, cell.graph, 1, 0, cell.settings, model=cell.model, access=cell.access)
    place = Cell(**{**vars(place), "label": cell.label})
    if place not in known:
        setup = place.setup(Path(), trust=trust, source=source)
        setup.crew()
        known[place] = setup.story.sha256, setup.config
    sha256, config = known[place]
    limits = (cell.seed, cell.steps, *cell.extent, cell.lives)
    return Task(cell, Key(sha256, graph_id(config), *limits), config.name, servers(config))


def servers(config: GraphConfig) -> tuple[str, ...]:
    """The model servers that a graph asks: a base URL, or else the provider's name."""
    asked = [config.models.get(name) or ModelConfig() for name in models_asked(config).values()]
    told = {one.base_url or one.provider for one in asked if one.provider != "embedded"}
    return tuple(sorted(told))


def key_of(row: Mapping[str, Any]) -> Key:
    """The cell that a row of results is of; rows of earlier versions tell less."""
    graph = row.get("graph_id") or graph_id(GraphConfig.model_validate(row["config"]))
    known = {name: row[name] for name in Key._fields[2:] if name in row}
    return Key(row["story_sha256"], graph, **known)
