"""One run of a turn's graph."""

from __future__ import annotations

from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.types import Command, GraphOutput

from orchestrator.graph.build import TurnGraph
from orchestrator.state import State
from orchestrator.turns.context import Context


def run_turn(
    graph: TurnGraph,
    given: State | Command[Any] | None,
    config: RunnableConfig,
    context: Context,
) -> GraphOutput[State]:
    """The state when the graph of a turn has run; with an interrupt where a person is asked.

    `given` is the state after which a turn is to be played; for a turn that broke off it is
    nothing, or what the person said. With checkpoints a turn goes on from the last one, and the
    state is saved when the turn is over or breaks off.
    """
    saved = graph.checkpointer is not None
    return graph.invoke(
        State() if saved and isinstance(given, dict) else given,
        config,
        context=context,
        durability="exit" if saved else None,
        version="v2",
    )
