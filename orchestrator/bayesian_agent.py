"""Seed 000's agent as a class: the turn graph, with the game in the caller's hands."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol, cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver

from environments.game import Observation, Tally
from managers.learning.dynamics import DynamicsModel
from managers.trust.beliefs import AgentBeliefs
from managers.trust.reliability import OracleReliability
from orchestrator.batch import play_episodes
from orchestrator.config import load_config, search_path
from orchestrator.context import Context
from orchestrator.graph import build_graph
from orchestrator.setup import Setup, make_roles
from orchestrator.state import Mark, Score, State
from orchestrator.trust import admit


class Environment(Protocol):
    """What the agent needs of a game; Jericho's `FrotzEnv` has it."""

    def reset(self) -> tuple[str, dict[str, Any]]: ...

    def step(self, action: str) -> tuple[str, float, bool, dict[str, Any]]: ...

    def get_score(self) -> int: ...


class BayesianIFAgent:
    """Chooses and learns by the same graph as `zork play`.

    The goal, the oracle's reliability and the dynamics stay from episode to episode.

    Args:
        graph: A shipped graph or a TOML file.
        settings: `KEY=VALUE`, as for `zork play -s`.
        exploration_rate: Weight of the bonus for what was seldom tried.
        agent_seed: Of the agent's own random choices.
    """

    def __init__(
        self,
        graph: str = "offline",
        settings: Sequence[str] = (),
        exploration_rate: float = 0.2,
        agent_seed: int = 1,
    ) -> None:
        bayesian = ["nodes.actor.use=bayesian", f"nodes.actor.exploration_rate={exploration_rate}"]
        self._graph_name, self._settings = graph, (*settings, *bayesian)
        self._config = load_config(graph, settings=self._settings)
        admit(self._config, search_path(graph, ()), f"graph {graph!r}", given=self._settings)
        builder = build_graph(self._config)
        self._graph = builder.compile(checkpointer=InMemorySaver(), interrupt_before=["game"])
        self._agent_seed = agent_seed
        self.episode_count = 0
        self._kept: dict[str, Any] = {}
        self._begin()

    @property
    def beliefs(self) -> AgentBeliefs:
        return self._state().get("beliefs") or AgentBeliefs()

    @property
    def reliability(self) -> OracleReliability:
        return OracleReliability(self._state().get("reliability"))

    @property
    def dynamics(self) -> DynamicsModel:
        return DynamicsModel(cast(Any, self._state().get("dynamics")))

    def reset_episode(self) -> None:
        """Start anew; the goal, the oracle's reliability and the dynamics are kept."""
        state, beliefs = self._state(), self.beliefs
        goal = beliefs.for_new_episode()
        if state:
            learned = {name: value for name, value in state.items() if name in _LEARNED}
            self._kept = {**learned, "beliefs": goal}
        self._begin()

    def _begin(self) -> None:
        self._thread: RunnableConfig = {"configurable": {"thread_id": uuid.uuid4().hex}}
        self._context = Context(
            game=cast(Any, None),
            roles=make_roles(self._config),
            seed=1,
            agent_seed=self._agent_seed + self.episode_count,
            faculties=self._config.faculties,
        )

    def choose_action(self, env: Environment, observation: str) -> str:
        """The next command; the first call of an episode takes in the opening."""
        if not self._state():
            self._tell(env, observation, "", **self._kept)
        self._graph.invoke({}, self._thread, context=self._context)
        return self._state()["proposal"].command

    def observe_outcome(self, env: Environment, observation: str, reward: float) -> None:
        """Learn from the reply to the command chosen last; `env` tells the score.

        The reward is the score's difference, so that it is not asked for twice.
        """
        del reward
        self._tell(env, observation, self._state()["proposal"].command)

    def play_episode(self, env: Environment, max_steps: int = 100) -> dict[str, Any]:
        """Play one episode in the caller's game and sum it up."""
        self.reset_episode()
        observation, _ = env.reset()
        total, steps, done = 0.0, 0, False
        while not done and steps < max_steps:
            action = self.choose_action(env, observation)
            observation, reward, done, _ = env.step(action)
            self.observe_outcome(env, observation, reward)
            total, steps = total + reward, steps + 1
        self.episode_count += 1
        return {
            "episode": self.episode_count,
            "total_reward": total,
            "final_score": env.get_score(),
            "steps": steps,
            "accomplished": list(self.beliefs.accomplished),
            "reliability": self.reliability.get_summary(),
        }

    def play_multiple_episodes(
        self, game_path: str | Path, n_episodes: int = 10, max_steps: int = 100, **options: Any
    ) -> list[dict[str, Any]]:
        """Play episodes with run directories, as `zork play --episodes` does."""
        setup = Setup.resolve(
            game_path,
            graph=self._graph_name,
            settings=self._settings,
            steps=max_steps,
            agent_seed=self._agent_seed,
            **options,
        )
        return play_episodes(setup, n_episodes)

    def _tell(self, env: Environment, text: str, command: str, **more: Any) -> None:
        """Stand in for the game node: hand the reply to the nodes behind it."""
        state, score = self._state(), int(env.get_score())
        best = max(score, state["score"].best) if state else score
        values = {
            "turn": state["turn"] + 1 if state else 0,
            "command": command,
            "observation": Observation(text=text.strip(), score=score),
            "score": Score(last=Tally(score=score), best=best),
            "snapshot": b"",
            "transcript": Mark(),
            **more,
        }
        self._graph.update_state(self._thread, values, as_node="game")
        self._graph.invoke(None, self._thread, context=self._context)

    def _state(self) -> State:
        return cast(State, self._graph.get_state(self._thread).values)


_LEARNED = ("reliability", "dynamics")
