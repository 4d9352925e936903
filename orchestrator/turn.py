"""One run of a turn's graph."""

from __future__ import annotations

from collections import deque
from contextlib import nullcontext
from typing import Any

from langchain_core.callbacks import CallbackManager
from langchain_core.runnables import RunnableConfig
from langgraph.types import Command

from orchestrator.context import Context
from orchestrator.graph import TurnGraph, entering
from orchestrator.saver import TurnSaver
from orchestrator.state import State

_THREADS = 8
"""For what may run at once."""


def run_turn(
    graph: TurnGraph,
    given: State | Command[Any] | None,
    config: RunnableConfig,
    context: Context,
) -> dict[str, Any]:
    """The state when a graph of `compile_turns` has run; with `__interrupt__` where one is asked.

    `given` is the state after which a turn is to be played; for a turn that broke off it is
    nothing, or what the person said. With checkpoints the state is saved when the turn is over
    or breaks off.
    """
    saver = graph.checkpointer
    with saver.held() if isinstance(saver, TurnSaver) else nullcontext():
        # `invoke` would gather the updates of each node too, which nobody looks at.
        states = graph.stream(
            entering(graph, given) if isinstance(given, dict) else given,
            {**config, **_settled(config)},
            context=context,
            stream_mode="values",
            durability="exit" if saver else None,
        )
        return dict(deque(states, maxlen=1).pop())


def _settled(config: RunnableConfig) -> RunnableConfig:
    """What would be found out in every turn: who watches, and how many processors there are."""
    watching = list(config.get("callbacks") or ())  # type: ignore[arg-type]
    manager = CallbackManager(handlers=watching, inheritable_handlers=watching.copy())
    return {"callbacks": manager, "max_concurrency": _THREADS}
