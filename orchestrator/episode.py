"""One episode: a story opened, played turn by turn through the graph, and recorded."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from langchain_core.runnables import RunnableConfig

from agents.actor import PlayerLeft
from environments.catalog import describe, find_story
from environments.jericho_game import open_game
from environments.story import Story
from orchestrator.checkpoints import open_saver
from orchestrator.config import GraphConfig, load_config, search_path
from orchestrator.context import Context, Roles
from orchestrator.errors import ConfigError
from orchestrator.events import EpisodeEnded, EpisodeStarted, TurnPlayed, Watcher
from orchestrator.graph import TurnGraph, compile_graph
from orchestrator.parts import importable, make_role
from orchestrator.runs import RunDirectory
from orchestrator.state import State
from orchestrator.traces.writer import TraceWriter
from orchestrator.transcript import Transcript

DEFAULT_SEED = 1
DEFAULT_STEPS = 400
DEFAULT_STORY = "treasure"


@dataclass(frozen=True)
class Setup:
    """What is to be played and how; the same for all episodes of a batch."""

    story: Story
    config: GraphConfig
    steps: int = DEFAULT_STEPS
    seed: int = DEFAULT_SEED
    agent_seed: int | None = None
    out: Path = Path("runs")
    watchers: tuple[Watcher, ...] = ()

    @classmethod
    def resolve(
        cls,
        game: str | Path = DEFAULT_STORY,
        *,
        graph: str = "offline",
        configs: Sequence[Path] = (),
        settings: Sequence[str] = (),
        **rest: Any,
    ) -> Setup:
        """A setup from names and files, checked before anything is started.

        Raises:
            ConfigError: the graph, a part of it, or a seed will not do.
            GameError: the story is not there or not one.
        """
        importable(search_path(graph, configs))
        config = load_config(graph, configs, settings)
        setup = cls(story=find_story(str(game)), config=config, **rest)
        for name, seed in (("seed", setup.seed), ("agent seed", setup.agent_seed)):
            if seed is not None and seed < 1:
                raise ConfigError(f"{name} {seed}: must be 1 or more")
        if setup.steps < 0:
            raise ConfigError(f"steps {setup.steps}: must be 0 or more")
        return setup

    @property
    def story_id(self) -> str:
        """The story's id in the catalog, or else its file's name."""
        entry = describe(self.story)
        return entry.id if entry else self.story.path.stem

    def seeds(self, episode: int) -> tuple[int, int]:
        """Emulator's and agent's seed of an episode, counted from 1."""
        seed = derived_seed(self.seed, episode)
        return seed, seed if self.agent_seed is None else derived_seed(self.agent_seed, episode)

    def roles(self) -> Roles:
        """The parts of the graph, made anew."""
        return Roles(
            **{role: make_role(role, node) for role, node in iter(self.config.nodes)}  # type: ignore[arg-type]
        )


def derived_seed(seed: int, episode: int) -> int:
    """The first episode's seed is the given one; later ones follow from it."""
    return seed if episode == 1 else random.Random(f"{seed}/{episode}").randrange(1, 2**31)


@dataclass
class Episode:
    """A running episode with its run directory."""

    setup: Setup
    graph: TurnGraph
    context: Context
    run: RunDirectory
    tracer: TraceWriter
    transcript: Transcript
    number: int = 1
    total: int = 1
    started: float = field(default_factory=time.monotonic)

    def play(self) -> dict[str, Any]:
        """Play to the end and return the result, as it stands in episode.json."""
        self.run.write_episode({**self._header(), "status": "running"})
        state: State | None = None
        reason = "error"
        try:
            state = self._turn()
            self._opened(state)
            while not (reason := self._over(state)):
                before, state = state, self._turn()
                self._played(before, state)
        except (KeyboardInterrupt, PlayerLeft):
            reason = "stopped"
        finally:
            result = {**self._header(), "status": "ended", **self._result(state, reason)}
            self.run.write_episode(result)
        self._tell(EpisodeEnded(result))
        return result

    def _turn(self) -> State:
        config: RunnableConfig = {
            "configurable": {"thread_id": self.run.run_id},
            "callbacks": [self.tracer],
            "run_name": "turn",
        }
        state = self.graph.invoke({}, config, context=self.context, durability="exit")
        return State(**state)  # type: ignore[typeddict-item]

    def _over(self, state: State) -> str:
        tally = state["score"].last
        if tally.ended:
            return "won" if tally.won else "story_ended"
        return "steps" if state["turn"] >= self.setup.steps else ""

    def _opened(self, state: State) -> None:
        self.transcript.align(state)
        self._tell(
            EpisodeStarted(
                episode=self.number,
                episodes=self.total,
                run_dir=self.run.path,
                story=self.setup.story_id,
                graph=self.setup.config.name,
                access=tuple(self.setup.config.access),
                seed=self.context.seed,
                steps=self.setup.steps,
                max_score=state["score"].last.max_score,
                state=state,
            )
        )

    def _played(self, before: State, after: State) -> None:
        self.transcript.append(after)
        self._tell(TurnPlayed(before, after))

    def _tell(self, event: EpisodeStarted | TurnPlayed | EpisodeEnded) -> None:
        for watcher in self.setup.watchers:
            watcher(event)

    def _header(self) -> dict[str, Any]:
        config = self.setup.config
        return {
            "run_id": self.run.run_id,
            "run_dir": str(self.run.path),
            "story": self.setup.story_id,
            "story_sha256": self.setup.story.sha256,
            "graph": config.name,
            "access": sorted(config.access),
            "seed": self.context.seed,
            "agent_seed": self.context.agent_seed,
            "config": config.model_dump(mode="json"),
        }

    def _result(self, state: State | None, reason: str) -> dict[str, Any]:
        usage = self.tracer.usage
        score = state["score"] if state else None
        return {
            "steps": state["turn"] if state else 0,
            "score": score.last.score if score else 0,
            "best_score": score.best if score else 0,
            "max_score": score.last.max_score if score else None,
            "deaths": score.deaths if score else 0,
            "faults": score.faults if score else 0,
            "end_reason": reason,
            "llm_calls": usage.llm_calls,
            "prompt_tokens": usage.prompt_tokens,
            "completion_tokens": usage.completion_tokens,
            "wall_s": round(time.monotonic() - self.started, 3),
        }


def play(
    game: str | Path = DEFAULT_STORY, *, episode: int = 1, episodes: int = 1, **options: Any
) -> dict[str, Any]:
    """Play one episode and return its result; `Setup.resolve` lists the options.

    Example: `play("game.z5", graph="offline", seed=7)`.
    """
    return play_setup(Setup.resolve(game, **options), episode, episodes)


def play_setup(setup: Setup, number: int = 1, total: int = 1) -> dict[str, Any]:
    """Play episode `number` of `total`; everything it opens is closed again."""
    seed, agent_seed = setup.seeds(number)
    roles = setup.roles()
    label = f"{setup.story_id}-{setup.config.name}-s{seed}"
    with open_game(setup.story, setup.config.access) as game:
        context = Context(
            game=game,
            roles=roles,
            seed=seed,
            agent_seed=agent_seed,
            max_objections=setup.config.nodes.critic.max_objections,
        )
        run = RunDirectory.create(setup.out, label)
        saver = open_saver(run.checkpoints)
        tracer = TraceWriter(run.trace, metadata={"seed": seed, "graph": setup.config.name})
        transcript = Transcript(run.transcript)
        try:
            graph = compile_graph(setup.config, saver)
            episode = Episode(setup, graph, context, run, tracer, transcript, number, total)
            return episode.play()
        finally:
            transcript.close()
            tracer.close()
            saver.conn.close()
