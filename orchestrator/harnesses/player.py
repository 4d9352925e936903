"""An agent whose game somebody else runs: it is told replies and says commands."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any, cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver

from environments.game import Observation, Tally
from orchestrator.checkpoints.serializer import StateSerializer
from orchestrator.config import GraphConfig
from orchestrator.errors import RunError
from orchestrator.graph.build import build_graph
from orchestrator.graph.crew import make_crew, make_skills
from orchestrator.nodes import told
from orchestrator.settings.models import Models
from orchestrator.settings.trust import admit
from orchestrator.state import Mark, Score, State
from orchestrator.turns.context import Context


class Player:
    """Plays by the same graph as `zork play`, but for the node that commands the game.

    Args:
        config: The graph; it may have access `text` only, because only text is told.
        agent_seed: Of the agent's own random choices.
        trust: Allow the code and the servers that the graph names.
        given: `KEY=VALUE` texts that the config was loaded with; what they name is allowed.

    Raises:
        ConfigError: it names some that are not allowed.
    """

    def __init__(
        self,
        config: GraphConfig,
        agent_seed: int = 1,
        *,
        trust: bool = False,
        given: Sequence[str] = (),
    ) -> None:
        admit(config, config.folders, f"graph {config.name!r}", given=given, trust=trust)
        self._config = config
        self._kept = InMemorySaver(serde=StateSerializer())
        self.agent_seed = agent_seed
        self._thread: RunnableConfig = {"configurable": {"thread_id": ""}}
        self.forget()

    @property
    def state(self) -> State:
        """What it knows by now; empty before the opening."""
        return cast(State, self._graph.get_state(self._thread).values)

    def forget(self) -> None:
        """Be ready for another game; nothing of the one before is known any more."""
        self._kept.delete_thread(self._thread["configurable"]["thread_id"])
        self._thread = {"configurable": {"thread_id": uuid.uuid4().hex, "checkpoint_ns": ""}}
        self._models = Models(self._config.models, seed=self.agent_seed)
        self._context = Context(
            game=cast(Any, None),
            seed=1,
            agent_seed=self.agent_seed,
            mind=self._config.mind,
            skills=make_skills(self._config),
            models=self._models,
        )
        crew = make_crew(self._config, self._models)
        self._graph = build_graph(self._config, crew).compile(
            checkpointer=self._kept, interrupt_before=["game"]
        )

    @property
    def tokens(self) -> int:
        """Prompt and completion tokens of its models in this game."""
        return self._models.ledger.tokens

    def begin(self, text: str, score: int = 0, **kept: Any) -> None:
        """Take in the opening of the game. `kept` are state fields that it knows already."""
        self._tell(text, "", score, kept)

    def command(self) -> str:
        """The next command.

        Raises:
            RunError: no game has begun.
        """
        if not self.state:
            raise RunError("no game has begun: begin(text) comes before command()")
        self._graph.invoke({}, self._thread, context=self._context)
        return self.state["proposal"].command

    def reply(self, text: str, score: int | None = None, *, ended: bool = False) -> None:
        """Take in the reply to the command said last, and the score where it is told.

        Raises:
            RunError: no command was said.
        """
        state = self.state
        if "proposal" not in state:
            raise RunError("no command was said: begin(text) and command() come before reply(text)")
        told = state["score"].last.score if score is None else score
        self._tell(text, state["proposal"].command, told, {}, ended=ended)

    def heard(self, command: str, text: str, score: int, *, ended: bool = False) -> None:
        """Take in the reply to a command that somebody else decided on."""
        self._tell(text, command, score, {}, ended=ended)

    def _tell(
        self, text: str, command: str, score: int, more: dict[str, Any], *, ended: bool = False
    ) -> None:
        """Stand in for the game node: hand the reply to the nodes behind it."""
        state = self.state
        best = max(score, state["score"].best) if state else score
        turn = state["turn"] + 1 if state else 0
        observation = Observation(text=text.strip(), score=score, ended=ended)
        values = {
            "turn": turn,
            "command": command,
            "observation": observation,
            "history": [told(state, turn, command, observation)],
            "score": Score(last=Tally(score=score, ended=ended), best=best),
            "snapshot": b"",
            "before": [],
            "transcript": Mark(),
            **more,
        }
        self._graph.update_state(self._thread, values, as_node="game")
        self._graph.invoke(None, self._thread, context=self._context)
        self._keep_newest()

    def _keep_newest(self) -> None:
        """Let go of all checkpoints but the last: nobody asks for those of earlier turns."""
        newest = self._kept.get_tuple(self._thread)
        assert newest is not None
        saved = newest.checkpoint
        self._kept.delete_thread(self._thread["configurable"]["thread_id"])
        self._kept.put(self._thread, saved, newest.metadata, saved["channel_versions"])
