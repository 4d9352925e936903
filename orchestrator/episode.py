"""One episode: a story opened, played turn by turn through the graph, and recorded."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from langchain_core.runnables import RunnableConfig

from agents.actor import PlayerLeft
from environments.jericho_game import open_game
from orchestrator.checkpoints import open_saver
from orchestrator.context import Context
from orchestrator.events import EpisodeEnded, EpisodeStarted, Event, TurnPlayed
from orchestrator.graph import TurnGraph, compile_graph
from orchestrator.runs import RunDirectory
from orchestrator.setup import DEFAULT_STORY, Setup
from orchestrator.state import State
from orchestrator.traces.writer import TraceWriter, Usage
from orchestrator.transcript import Transcript


@dataclass
class Episode:
    """A running episode with its run directory."""

    setup: Setup
    graph: TurnGraph
    context: Context
    run: RunDirectory
    tracer: TraceWriter | None
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
            state = self._turn(State())
            self._opened(state)
            while not (reason := self._over(state)):
                before, state = state, self._turn(state)
                self._played(before, state)
        except PlayerLeft:
            reason = "player_left"
        except KeyboardInterrupt:
            reason = "stopped"
        finally:
            result = {**self._header(), "status": "ended", **self._result(state, reason)}
            self.run.write_episode(result)
        self._tell(EpisodeEnded(result))
        return result

    def _turn(self, state: State) -> State:
        config: RunnableConfig = {
            "configurable": {"thread_id": self.run.run_id},
            "callbacks": [self.tracer] if self.tracer else [],
            "run_name": "turn",
        }
        if self.graph.checkpointer is None:
            return cast(State, self.graph.invoke(state, config, context=self.context))
        # An empty input starts the next turn from the last checkpoint.
        return cast(State, self.graph.invoke({}, config, context=self.context, durability="exit"))

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
                max_score=self._max_score(state),
                state=state,
            )
        )

    def _played(self, before: State, after: State) -> None:
        self.transcript.append(after)
        self._tell(TurnPlayed(before, after))

    def _tell(self, event: Event) -> None:
        for watcher in self.setup.watchers:
            watcher(event)

    def _max_score(self, state: State | None) -> int | None:
        told = state["score"].last.max_score if state else None
        return self.setup.max_score if told is None else told

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
        usage = self.tracer.usage if self.tracer else Usage()
        score = state["score"] if state else None
        return {
            "steps": state["turn"] if state else 0,
            "score": score.last.score if score else 0,
            "best_score": score.best if score else 0,
            "max_score": self._max_score(state),
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
    with open_episode(setup, number, total) as episode:
        return episode.play()


@contextmanager
def open_episode(setup: Setup, number: int = 1, total: int = 1) -> Iterator[Episode]:
    """An episode in a new run directory, its game started and its files open."""
    seed, agent_seed = setup.seeds(number)
    roles = setup.roles()
    with ExitStack() as stack:
        game = stack.enter_context(open_game(setup.story, setup.config.access))
        context = Context(game=game, roles=roles, seed=seed, agent_seed=agent_seed)
        run = RunDirectory.create(setup.out, f"{setup.story_id}-{setup.config.name}-s{seed}")
        saver = tracer = None
        if setup.checkpoints:
            saver = open_saver(run.checkpoints)
            stack.enter_context(closing(saver.conn))
        if setup.trace:
            metadata = {"seed": seed, "graph": setup.config.name}
            tracer = stack.enter_context(closing(TraceWriter(run.trace, metadata=metadata)))
        transcript = stack.enter_context(closing(Transcript(run.transcript)))
        graph = compile_graph(setup.config, saver)
        yield Episode(setup, graph, context, run, tracer, transcript, number, total)
