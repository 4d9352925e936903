"""Seed 000's agent as a class: the turn graph, with the game in the caller's hands."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from managers.belief.beliefs import AgentBeliefs
from managers.belief.dynamics import DynamicsModel
from managers.belief.reliability import OracleReliability
from orchestrator.batch import play_episodes
from orchestrator.config import listed, load_config
from orchestrator.harnesses.player import Player
from orchestrator.setup import Setup


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
        graph: str | Path = "offline",
        settings: Sequence[str] = (),
        exploration_rate: float = 0.2,
        agent_seed: int = 1,
    ) -> None:
        bayesian = ["nodes.actor.use=bayesian", f"nodes.actor.exploration_rate={exploration_rate}"]
        self._graph_name, self._settings = graph, (*listed(settings), *bayesian)
        self._seed = agent_seed
        config = load_config(graph, settings=self._settings)
        self._player = Player(config, agent_seed, given=self._settings)
        self.episode_count = 0
        self._kept: dict[str, Any] = {}

    @property
    def beliefs(self) -> AgentBeliefs:
        return self._player.state.get("beliefs") or AgentBeliefs()

    @property
    def reliability(self) -> OracleReliability:
        return OracleReliability(self._player.state.get("reliability"))

    @property
    def dynamics(self) -> DynamicsModel:
        return DynamicsModel(self._player.state.get("dynamics"))

    def reset_episode(self) -> None:
        """Start anew; the goal, the oracle's reliability and the dynamics are kept."""
        state, beliefs = self._player.state, self.beliefs
        goal = beliefs.for_new_episode()
        if "beliefs" in state:
            learned = {name: value for name, value in state.items() if name in _LEARNED}
            self._kept = {**learned, "beliefs": goal}
        self._player.agent_seed = self._seed + self.episode_count
        self._player.forget()

    def choose_action(self, env: Environment, observation: str) -> str:
        """The next command; the first call of an episode takes in the opening."""
        if not self._player.state:
            self._player.begin(observation, int(env.get_score()), **self._kept)
        return self._player.command()

    def observe_outcome(self, env: Environment, observation: str, reward: float) -> None:
        """Learn from the reply to the command chosen last; `env` tells the score.

        The reward is the score's difference, so that it is not asked for twice.
        """
        del reward
        self._player.reply(observation, int(env.get_score()))

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
            agent_seed=self._seed,
            **options,
        )
        return play_episodes(setup, n_episodes)


_LEARNED = ("reliability", "dynamics")
