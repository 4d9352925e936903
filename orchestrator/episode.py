"""One episode: a story opened, played turn by turn through the graph, and recorded."""

from __future__ import annotations

import functools
import gc
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from typing import Any, cast

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.runnables import RunnableConfig
from langchain_core.tracers.langchain import LangChainTracer
from langgraph.types import Command

from agents.actor import PlayerLeft
from agents.models import ModelUnavailable
from environments.game import Game
from environments.offering import game_for_agents
from managers.belief.beliefs import AgentBeliefs
from managers.belief.reliability import OracleReliability
from managers.core.handover import Memory, distil, recall
from managers.world.trail import no_memory
from orchestrator import memory
from orchestrator.checkpoints.opening import open_turns
from orchestrator.checkpoints.saver import TurnSaver
from orchestrator.errors import ConfigError, RunError
from orchestrator.events import EpisodeEnded, EpisodeStarted, Event, TurnPlayed
from orchestrator.graph.build import TurnGraph, compile_graph
from orchestrator.graph.crew import make_skills
from orchestrator.graph.spec import GAME
from orchestrator.graph.topology import whole_shape
from orchestrator.saved.broken_off import only_if_begun, telling_the_way_on
from orchestrator.saved.record import Record
from orchestrator.saved.runs import RunDirectory, list_runs, new_session
from orchestrator.saved.transcript import Transcript
from orchestrator.settings.models import Models, counts, open_models
from orchestrator.setup import Setup
from orchestrator.state import State
from orchestrator.traces.live import live_tracers, session_name
from orchestrator.traces.views import turn_metadata
from orchestrator.traces.writer import TraceWriter, Usage
from orchestrator.turns.approval import Approval, Question
from orchestrator.turns.asking import fitting
from orchestrator.turns.context import Bounds, Context, Crew
from orchestrator.turns.current import knowledge_of, outlook_of
from orchestrator.turns.ends import possible, way_on
from orchestrator.turns.turn import run_turn

TRACED = ("run_id", "story", "story_sha256", "graph", "access", "seed", "agent_seed")
"""What every turn's trace tells of its episode."""

SEARCHED_AFTER = 20_000
"""New objects after which garbage is searched for; Python's own 700 come twice a turn."""

PLAYED_OUT = ("won", "story_ended", "died", "steps", "explored")
"""Reasons to end with which an episode leaves what it learned."""


@dataclass
class Episode:
    """A running episode with its run directory."""

    setup: Setup
    graph: TurnGraph
    context: Context
    run: RunDirectory
    record: dict[str, Any]
    """What episode.json holds besides the results."""
    tracer: TraceWriter | None
    live: list[LangChainTracer]
    """LangSmith's own, where the environment asks for it."""
    transcript: Transcript
    number: int = 1
    total: int = 1
    started: float = field(default_factory=time.monotonic)
    unremembered: str = ""
    """Why what was learned is kept beside the run, if it is."""

    def play(self) -> dict[str, Any]:
        """Play to the end and return the result, as it stands in episode.json."""
        state: State | None = None
        reason, outage = "error", ""
        try:
            state, left = self._stand()
            if left or state is None:
                state = self._turn(state or State(), left)
            self._opened(state)
            while not (over := self._over(state)):
                before, state = state, self._turn(state)
                self._played(before, state)
            reason = over
            if reason in PLAYED_OUT:
                self._remember(state)
        except PlayerLeft as left:
            reason = left.reason
        except ModelUnavailable as error:
            reason, outage = "paused", str(error)
        except KeyboardInterrupt:
            reason = "stopped"
        finally:
            self.record["sessions"][-1]["wall_s"] = round(time.monotonic() - self.started, 3)
            result = {
                **self.record,
                "status": "ended",
                **self._result(state, reason),
                "outage": outage,
                **({"unremembered": self.unremembered} if self.unremembered else {}),
                **({"notes": list(notes)} if (notes := self._habits()) else {}),
            }
            self.run.write_episode(result)
        self._tell(EpisodeEnded(result))
        return result

    def spent(self) -> dict[str, Any]:
        """What the models have cost so far, as it is saved with every turn."""
        roles, usage = self.context.models.ledger.as_data(), vars(self._usage())
        return {"roles": roles, "usage": usage} if roles or any(usage.values()) else {}

    def spent_before(self, saved: Mapping[str, Any]) -> None:
        """Count on from what a checkpoint's metadata say of the sessions before this one."""
        costs = saved.get("costs") or {}
        self.context.models.ledger.start_from(costs.get("roles", {}))
        if self.tracer:
            self.tracer.usage = Usage(**costs.get("usage", {}))

    def _habits(self) -> tuple[str, ...]:
        return self.context.models.ledger.habits.all()

    def _usage(self) -> Usage:
        roles = self.context.models.ledger.as_data()
        return self.tracer.usage if self.tracer else Usage.of(roles.values())

    def _remember(self, state: State) -> None:
        """Leave what was learned; a fork or a recording played again leaves nothing.

        It comes before the result is written: a run killed in between is remembered again
        when it is resumed, and counts once.
        """
        recalled = recorded_memory(self.run, self.run.record())
        if "world" not in state:  # nobody learns in this graph
            return
        if recalled is None or self.record["parent"] or self.record["recording"]:
            return
        knowledge = knowledge_of(state, self.context.views)
        subject = memory.Subject(self.record["story_sha256"], self.record["graph"])
        learned = distil(knowledge, outlook_of(state), recalled, self.record["thread"])
        try:
            memory.remember(subject, learned, self.setup.store)
            self.run.learned.unlink(missing_ok=True)
        except RunError as error:
            self.run.keep_learned(memory.packed(learned))
            self.unremembered = f"{error}; kept in {self.run.learned} for the next episode"

    def _stand(self) -> tuple[State | None, list[str]]:
        """The state of a run that has begun, and the nodes that come next within a turn."""
        if self.graph.checkpointer is None:
            return None, []
        stand = self.graph.get_state(self._config())
        state = cast(State, stand.values) if "turn" in stand.values else None
        # A turn that broke off has tasks; `next` may be empty all the same.
        return state, [task.name for task in stand.tasks]

    def _turn(self, state: State, left: Sequence[str] = ()) -> State:
        """Play a turn, or what is left of one that broke off before these nodes."""
        config = self._config()
        if config["callbacks"]:
            played = bool(left) and not self._behind_game.isdisjoint(left)
            config["metadata"] = turn_metadata(state, played=played)
        after = run_turn(self.graph, None if left else state, config, self.context)
        while after.interrupts:
            asked = fitting("a node interrupts with", after.interrupts[0].value, Question)
            answer = self._approval(asked)
            after = run_turn(self.graph, answer, config, self.context)
        return after.value

    @property
    def _behind_game(self) -> set[str]:
        """The nodes that come after the game has answered."""
        return {*whole_shape(self.setup.config).reachable(GAME)}

    def _approval(self, question: Question) -> Command[Any]:
        if self.setup.approver is None:
            raise ConfigError("the graph asks a person, and nobody was named to be asked")
        answer = fitting("the approver answered", self.setup.approver(question), Approval)
        return Command(resume=answer.model_dump())

    def _config(self) -> RunnableConfig:
        return {
            "configurable": {"thread_id": self.record["thread"]},
            "callbacks": [*([self.tracer] if self.tracer else []), *self.live, *self._handlers()],
            "run_name": "turn",
        }

    def _handlers(self) -> Iterator[BaseCallbackHandler]:
        """What watchers want to be told of the nodes, where models are asked that take time."""
        for watcher in self.setup.watchers if self.setup.config.models else ():
            yield from getattr(watcher, "handlers", ())

    def _over(self, state: State) -> str:
        tally = state["score"].last
        if tally.ended and not way_on(state["score"], self.context.after_end):
            return "won" if tally.won else "story_ended"
        if self.setup.lives is not None and state["score"].deaths >= self.setup.lives:
            return "died"
        if state["turn"] >= self.setup.steps:
            return "steps"
        quest, guide = self.setup.config.explore, state.get("memory", no_memory())["guide"]
        if quest and guide and quest.is_over(guide, state["turn"], state["score"].deaths):
            return "explored"
        return "budget" if self._spent() else ""

    def _spent(self) -> bool:
        config, ledger = self.setup.config, self.context.models.ledger
        before = sum(one["wall_s"] or 0.0 for one in self.record["sessions"][:-1])
        budgets = (
            (config.max_tokens, ledger.tokens),
            (config.max_cost, ledger.cost),
            (config.max_seconds, before + time.monotonic() - self.started),
        )
        return any(most is not None and spent >= most for most, spent in budgets)

    def _opened(self, state: State) -> None:
        self.transcript.align(self._states(state))
        self._tell(
            EpisodeStarted(
                episode=self.number,
                episodes=self.total,
                run_dir=self.run.path,
                story=self.setup.story_id,
                graph=self.setup.config.name,
                access=self.setup.access,
                seed=self.context.seed,
                steps=self.setup.steps,
                max_score=self._max_score(state),
                state=state,
                limits=self.setup.story.limits(self.setup.config.access),
                notes=self.context.models.notes,
                remembered=(self.record["memory"] or {}).get("episodes"),
                typed=self.setup.is_played_by_hand,
            )
        )

    def _states(self, state: State) -> Iterator[State]:
        """The state and those that are kept before it."""
        yield state
        saver = self.graph.checkpointer
        if isinstance(saver, TurnSaver):
            yield from saver.states(self.record["thread"])

    def _played(self, before: State, after: State) -> None:
        self.transcript.append(after)
        self._tell(TurnPlayed(before, after, self.context.models.ledger.habits.news()))

    def _tell(self, event: Event) -> None:
        for watcher in self.setup.watchers:
            watcher(event)

    def _max_score(self, state: State | None) -> int | None:
        told = state["score"].last.max_score if state else None
        return self.setup.max_score if told is None else told

    def _result(self, state: State | None, reason: str) -> dict[str, Any]:
        usage = self._usage()
        score = state["score"] if state else None
        return {
            "steps": state["turn"] if state else 0,
            "score": score.last.score if score else 0,
            "best_score": score.best if score else 0,
            "max_score": self._max_score(state),
            "deaths": score.deaths if score else 0,
            "faults": score.faults if score else 0,
            "tried": score.tried if score else 0,
            "undone": score.undone if score else 0,
            "restarts": score.restarts if score else 0,
            "end_reason": reason,
            "llm_calls": usage.llm_calls,
            "prompt_tokens": usage.prompt_tokens,
            "uncached_tokens": self.context.models.ledger.uncached_tokens,
            "completion_tokens": usage.completion_tokens,
            "models": {
                name: one.model_dump() for name, one in self.context.models.abilities.items()
            },
            "styles": self.context.models.styles,
            "roles": counts(self.context.models.ledger, state["turn"] if state else 0),
            **_learned(state),
            "wall_s": round(sum(one["wall_s"] or 0 for one in self.record["sessions"]), 3),
        }


def _learned(state: State | None) -> dict[str, Any]:
    """What the agent came to believe, and how far it found its oracle right."""
    beliefs = (state or {}).get("beliefs") or AgentBeliefs()
    return {
        "goal": beliefs.overall_goal,
        "accomplished": list(beliefs.accomplished),
        "reliability": OracleReliability((state or {}).get("reliability")).get_summary(),
    }


def play_setup(setup: Setup, number: int = 1, total: int = 1) -> dict[str, Any]:
    """Play episode `number` of `total`; everything it opens is closed again."""
    with open_episode(setup, number, total) as episode:
        return episode.play()


@contextmanager
def open_episode(setup: Setup, number: int = 1, total: int = 1) -> Iterator[Episode]:
    """An episode in a new run directory, its game started and its files open."""
    setup = setup.of_episode(number)
    seeds = setup.seeds(number)
    subject = memory.Subject(setup.story.sha256, setup.config.name)
    if not setup.fresh:
        memory.remember_later(list_runs(setup.out), subject, setup.store)
    recalled = None if setup.fresh else memory.load(subject, setup.store)
    with (
        started(setup, *seeds, recalled) as (context, crew),
        new_run(setup, *seeds, recalled) as run,
        only_if_begun(run, setup.database),
        recorded(setup, context, crew, run) as episode,
    ):
        episode.number, episode.total = number, total
        yield episode


@contextmanager
def started(
    setup: Setup, seed: int, agent_seed: int, recalled: Memory | None
) -> Iterator[tuple[Context, Crew]]:
    """The game running, and who plays the graph's nodes, their models found ready.

    `recalled` is what is remembered, if it counts.
    """
    with open_models(setup.config.models, seed=agent_seed, cached=setup.cache) as models:
        crew = setup.crew(models)
        models.check()
        settle()
        with game_for_agents(setup.story, setup.config.access) as game:
            bounds = Bounds(setup.steps, setup.max_score)
            yield context_of(setup, game, seed, agent_seed, models, bounds, recalled), crew


def context_of(
    setup: Setup,
    game: Game,
    seed: int,
    agent_seed: int,
    models: Models,
    bounds: Bounds,
    recalled: Memory | None = None,
) -> Context:
    """What stays put during an episode, however it is played."""
    return Context(
        game=game,
        seed=seed,
        agent_seed=agent_seed,
        recalled=recall(recalled or {}, setup.config.explore, agent_seed),
        mind=setup.config.mind,
        skills=make_skills(setup.config),
        after_end=possible(setup.config.after_end, setup.story),
        bounds=bounds,
        models=models,
    )


@functools.cache
def settle() -> None:
    """Once a process: what is loaded by now stays, and is not searched for garbage in play.

    Without it a turn now and then waits for that as long as for half an answer of a model. What
    play leaves behind goes by itself, but for a few objects a turn; it is searched seldom.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(SEARCHED_AFTER)


def new_run(
    setup: Setup,
    seed: int,
    agent_seed: int,
    recalled: Memory | None,
    **record: Any,
) -> AbstractContextManager[RunDirectory]:
    """A new run directory with the setup in its record, and whatever else is given."""
    label = f"{setup.story_id}-{setup.config.name}-s{seed}"
    record = {**setup.record(seed, agent_seed), "sessions": [new_session(0)], **record}
    if recalled is None:
        return RunDirectory.create(setup.out, label, record)
    copy = memory.packed(recalled)
    record["memory"] = {
        "sha256": memory.digest(copy),
        "episodes": len(recalled.get("runs", ())),
    }
    return RunDirectory.create(setup.out, label, record, copy)


def recorded_memory(run: RunDirectory, record: Record) -> Memory | None:
    """What a run remembered when it began; None if it ignored it.

    Raises:
        RunError: the copy is not there or not the one.
    """
    if record.memory is None:
        return None
    content = run.read(run.memory)
    if memory.digest(content) != record.memory.sha256:
        raise RunError(f"{str(run.memory)!r}: is not what the run started with; put it back")
    return memory.unpacked(content, run.memory)


@contextmanager
def recorded(setup: Setup, context: Context, crew: Crew, run: RunDirectory) -> Iterator[Episode]:
    """An episode that goes on in a locked run directory, wherever that stands."""
    record = run.record()
    with ExitStack() as stack:
        saver = tracer = None
        if setup.checkpoints:
            saver = stack.enter_context(open_turns(run, record, setup.database))
        stack.enter_context(telling_the_way_on(run))
        header = {**record.header(), "run_dir": str(run.path)}
        metadata = {field: header[field] for field in TRACED}
        if setup.trace:
            writer = TraceWriter(run.trace, session_name=session_name(), metadata=metadata)
            tracer = stack.enter_context(closing(writer))
        live = live_tracers(metadata)
        transcript = stack.enter_context(closing(Transcript(run.transcript)))
        graph = compile_graph(setup.config, crew, saver)
        episode = Episode(setup, graph, context, run, header, tracer, live, transcript)
        if saver is not None:
            saver.costs = episode.spent
        yield episode
