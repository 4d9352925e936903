"""What is to be played, by whom and how: resolved and checked before anything starts."""

from __future__ import annotations

import operator
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from agents.actor import HumanActor
from agents.briefing import Briefing
from agents.models import ModelConfig
from agents.models.default import chosen_model
from environments.catalog import describe
from environments.game import Access
from environments.plain_text import storable
from environments.python_game import PythonStory
from environments.story import Story
from orchestrator.checkpoints.opening import postgres
from orchestrator.checkpoints.saver import Keep
from orchestrator.config import GraphConfig, check_secrets, listed, load_config
from orchestrator.errors import ConfigError
from orchestrator.events import Watcher
from orchestrator.graph.crew import make_crew, models_asked
from orchestrator.saved.record import POSTGRES, SQLITE
from orchestrator.saved.runs import FORMAT, RUNS, versions
from orchestrator.settings.models import DEFAULT, Models
from orchestrator.settings.stories import setting_for, story_of
from orchestrator.settings.trust import admit
from orchestrator.traces.redaction import redact
from orchestrator.turns.approval import Approver
from orchestrator.turns.context import Crew

DEFAULT_SEED = 1
DEFAULT_STEPS = 400


@dataclass(frozen=True)
class Setup:
    """What is to be played and how; the same for all episodes of a batch."""

    story: Story | PythonStory
    config: GraphConfig
    steps: int = DEFAULT_STEPS
    seed: int = DEFAULT_SEED
    agent_seed: int | None = None
    out: Path = RUNS
    watchers: tuple[Watcher, ...] = ()
    checkpoints: bool = True
    """Keep every turn, so that the run can be resumed and forked."""
    database: str = ""
    """Address of a PostgreSQL database for them, instead of a file in the run directory."""
    trace: bool = True
    """Write trace.jsonl."""
    cache: bool = True
    """Take what a model answered to the same question before."""
    keep: Keep = field(default_factory=Keep)
    """Which checkpoints stay."""
    folders: tuple[Path, ...] = ()
    """Where parts of the user's own are looked up."""
    lives: int | None = None
    """An episode ends with so many deaths; None where the story decides."""
    fresh: bool = False
    """Ignore what earlier episodes learned, and leave nothing for later ones."""
    store: Path | None = None
    """The file of the long-term store, if not the usual one."""
    parts: Mapping[str, Any] = field(default_factory=dict)
    """Roles that are played by a given object, whatever the config says."""
    approver: Approver | None = None
    """Who is asked before every command, if the config says so."""
    keyboard: Callable[[Briefing], str] | None = None
    """Reads the commands of a `human` actor, instead of standard input."""

    @classmethod
    def resolve(
        cls,
        game: str | Path | None = None,
        *,
        graph: str | Path = "offline",
        configs: Sequence[str | Path] | Path = (),
        settings: Sequence[str] = (),
        model: str | None = None,
        out: str | Path = RUNS,
        trust: bool = False,
        source: str = "",
        **rest: Any,
    ) -> Setup:
        """A setup from names and files, checked before anything is started.

        `game` is a story's path, id or name, or `module:Class`; without it, the graph's own is
        played, or else the story `hollow`.

        `trust` allows the code and the servers that a file names, from now on. What stands in
        `game`, `settings` and `model` is allowed as it is, unless `source` names the file that
        they come from.

        Raises:
            ConfigError: the graph, a part of it, or a seed will not do, or is not trusted.
            GameError: the story is not there or not one.
        """
        graph, files = str(graph), listed(configs)
        named = [] if model is None else [f"models.{DEFAULT}.model={model}"]
        given = [*setting_for(game), *listed(settings), *named]
        config = load_config(graph, files, given)
        what = " with ".join([f"graph {graph!r}", *map(str, files)])
        what = f"{source}, {what}" if source else what
        admit(config, config.folders, what, given=() if source else given, trust=trust)
        check_secrets(config)
        parts = rest.get("parts")
        if model is None and (usual := _usual_model(config, parts)):
            config = load_config(graph, files, [*given, f"models.{DEFAULT}.model={usual}"])
        if model is not None and DEFAULT not in models_asked(config, parts).values():
            raise ConfigError(
                f"--model {model!r}: no part of the graph {graph!r} asks models.{DEFAULT}; "
                "try --graph llm or --graph oracle"
            )
        story = story_of(config, game)
        folders = tuple(config.folders)
        return cls(story=story, config=config, folders=folders, out=Path(out), **rest)

    def __post_init__(self) -> None:
        taken: dict[str, Any] = {"steps": whole("steps", self.steps, 0)}
        taken |= {"seed": whole("seed", self.seed), "out": Path(self.out)}
        for name in ("agent_seed", "lives"):
            if (number := getattr(self, name)) is not None:
                taken[name] = whole(name.replace("_", " "), number)
        for name, value in taken.items():
            object.__setattr__(self, name, value)
        if self.config.approve and not (self.approver and self.checkpoints):
            raise ConfigError("approve = true: needs somebody to ask, and checkpoints")

    @cached_property
    def story_id(self) -> str:
        """The story's id in the catalog, or else the name of its file or class."""
        if isinstance(self.story, PythonStory):
            return self.story.name.rpartition(":")[2]
        entry = describe(self.story)
        return entry.id if entry else storable(self.story.path.stem)

    @property
    def is_played_by_hand(self) -> bool:
        """Whether a person types the commands."""
        return "human" in {node.use for node in self.config.nodes.values()}

    @property
    def max_score(self) -> int | None:
        """What the catalog says, for stories that do not tell it themselves."""
        entry = describe(self.story) if isinstance(self.story, Story) else None
        return entry.max_score if entry else None

    @property
    def access(self) -> tuple[Access, ...]:
        """What the graph asks for, as far as the story grants it."""
        return tuple(one for one in self.config.access if one in self.story.access)

    def of_episode(self, number: int) -> Setup:
        """The setup of one of several episodes, counted from 1.

        Raises:
            ConfigError: there is no such number.
        """
        number = whole("episode", number)
        if self.config.explore is None:
            return self
        quest = self.config.explore.of_episode(number)
        return replace(self, config=self.config.model_copy(update={"explore": quest}))

    def seeds(self, episode: int) -> tuple[int, int]:
        """Emulator's and agent's seed of an episode, counted from 1.

        Where episodes explore together, all of them play with the same seed of the emulator.
        """
        own = self.seed if self.agent_seed is None else self.agent_seed
        explores = self.config.explore and self.config.explore.target == "promising"
        seed = self.seed if explores else derived_seed(self.seed, episode)
        return seed, derived_seed(own, episode)

    def record(self, seed: int, agent_seed: int) -> dict[str, Any]:
        """How an episode is set up, as it stands in episode.json; see `saved.record`."""
        return {
            "format": FORMAT,
            "versions": versions(),
            "story": self.story_id,
            "story_sha256": self.story.sha256,
            "story_path": str(self.story.path.resolve()),
            "graph": self.config.name,
            "access": sorted(self.access),
            "seed": seed,
            "emulator_seeds": [(0, seed)],
            "agent_seed": agent_seed,
            "config": redact(self.config.model_dump(mode="json")),
            "folders": [str(folder) for folder in self.folders],
            "max_steps": self.steps,
            "lives": self.lives,
            "checkpoints": self._store(),
            "keep": str(self.keep),
        }

    def _store(self) -> str:
        """In what checkpoints go; where a database is stands in no record."""
        if not self.checkpoints:
            return ""
        if self.database:
            postgres().check_address(self.database)
        return POSTGRES if self.database else SQLITE

    def crew(self, models: Models | None = None) -> Crew:
        """Who plays the nodes of the graph, made anew."""
        crew = make_crew(self.config, models, self.parts)
        for part in crew.parts.values():
            if isinstance(part, HumanActor):
                part.keyboard = self.keyboard
        return crew


def _usual_model(config: GraphConfig, parts: Mapping[str, Any] | None) -> str:
    """The model that the user made the default, for a graph that leaves the choice; else none."""
    named, chosen = config.models.get(DEFAULT), chosen_model()
    if not chosen or named is None or named.model != ModelConfig().model:
        return ""
    return chosen if DEFAULT in models_asked(config, parts).values() else ""


def whole(name: str, value: Any, least: int = 1) -> int:
    """A number as a plain one, whatever type counts it (NumPy has some).

    Raises:
        ConfigError: it is not whole, or too small.
    """
    try:
        number = operator.index(value)
    except TypeError:
        number = least - 1
    if number < least:
        raise ConfigError(f"{name} {value!r}: must be a whole number, {least} or more")
    return number


def derived_seed(seed: int, episode: int) -> int:
    """The first episode's seed is the given one; later ones follow from it."""
    return seed if episode == 1 else random.Random(f"{seed}/{episode}").randrange(1, 2**31)
