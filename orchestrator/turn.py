"""One run of a turn's graph."""

from __future__ import annotations

from collections import deque
from contextlib import nullcontext
from typing import Any

from langchain_core.callbacks import CallbackManager
from langchain_core.runnables import RunnableConfig

from orchestrator.context import Context
from orchestrator.graph import TurnGraph
from orchestrator.saver import TurnSaver

_THREADS = 8
"""For what may run at once."""


def run_turn(
    graph: TurnGraph, given: Any, config: RunnableConfig, context: Context
) -> dict[str, Any]:
    """The state when the graph has run; with `__interrupt__` in it where a person is asked.

    With checkpoints it is saved when the turn is over or breaks off.
    """
    saver = graph.checkpointer
    with saver.held() if isinstance(saver, TurnSaver) else nullcontext():
        # `invoke` would gather the updates of each node too, which nobody looks at.
        states = graph.stream(
            given,
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
