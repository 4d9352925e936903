"""Our agent for TALES (`tale-suite`): `examples/tale_suite_agent.py` registers it there."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from orchestrator.config import load_config
from orchestrator.harnesses.player import Player


class TalesAgent:
    """What `benchmark.py` of tale-suite asks for commands.

    A story that is begun again is begun with nothing known of the attempt before.
    """

    def __init__(
        self, graph: str | Path = "offline", agent_seed: int = 1, **_of_the_benchmark: Any
    ) -> None:
        self._graph, self._seed = str(graph), agent_seed
        self._player = Player(load_config(graph), agent_seed)

    @property
    def uid(self) -> str:
        """The agent's name in logs."""
        return f"ZorkOrchestrator_{self._graph}_s{self._seed}"

    @property
    def params(self) -> dict[str, Any]:
        """What the agent was made with."""
        return {"agent_type": "zork-orchestrator", "graph": self._graph, "seed": self._seed}

    def reset(self, obs: str, info: Mapping[str, Any], env: str = "") -> None:
        """The game begins, or begins again."""
        self._player.forget()

    def act(
        self, obs: str, reward: float, done: bool, info: Mapping[str, Any]
    ) -> tuple[str, dict[str, Any]]:
        """The next command, and what it took."""
        spent = self._player.tokens
        if self._player.state:
            self._player.reply(obs, int(info["score"]), ended=done)
        else:
            self._player.begin(obs, int(info["score"]))
        command = self._player.command()
        tokens = self._player.tokens - spent
        thinking = self._player.state["proposal"].response.thinking
        stats = {"prompt": None, "response": thinking, "nb_tokens": tokens}
        return command, {**stats, "nb_tokens_prompt": tokens, "nb_tokens_response": 0}


def add_arguments(parser: argparse.ArgumentParser | None = None) -> argparse.ArgumentParser:
    """The agent's own options for `benchmark.py`."""
    parser = parser or argparse.ArgumentParser()
    group = parser.add_argument_group("zork-orchestrator settings")
    group.add_argument("--graph", default="offline", help="A shipped graph or a TOML file.")
    group.add_argument("--agent-seed", type=int, default=1, help="Of the agent's own choices.")
    return parser
