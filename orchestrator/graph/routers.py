"""Routers: what a turn goes on with, as far as the state decides it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from orchestrator.state import State
from orchestrator.turns.current import current_decisions, current_judgements

OTHERWISE = "otherwise"
"""The label that is taken where a router names one that its edge does not have."""


class VerdictRouter:
    """Whether any critic objects to the proposal."""

    labels = ("object", "play")
    needs = ("turn", "proposal")

    def __call__(self, state: State) -> str:
        attempt = state["proposal"].attempt
        judged = (one for one in current_judgements(state) if one.attempt == attempt)
        return "object" if any(one.objects for one in judged) else "play"


class DecisionRouter:
    """Whether the person says no; it is the person who ends such a loop."""

    labels = ("object", "play")
    needs = ("turn", "decisions")
    ends = True

    def __call__(self, state: State) -> str:
        return "play" if current_decisions(state)[-1].accept else "object"


class Again:
    """Once more, as often as the edge's `at_most` allows."""

    labels = ("again", "done")

    def __call__(self, state: State) -> str:
        return "again"


class Every:
    """In every so many turns.

    Args:
        turns: 10 is in the turns 10, 20, 30 and so on.
    """

    labels = ("due", OTHERWISE)
    needs = ("turn",)

    def __init__(self, *, turns: int) -> None:
        if not isinstance(turns, int) or turns < 1:
            raise ValueError("turns must be a whole number of 1 or more")
        self._turns = turns

    def __call__(self, state: State) -> str:
        return "due" if state["turn"] and not state["turn"] % self._turns else OTHERWISE


class InMode:
    """What the agent is about; a mode without a label of its own is `otherwise`."""

    def __call__(self, state: State) -> str:
        return state["mode"].state.value if "mode" in state else OTHERWISE


ROUTERS: Mapping[str, Any] = {
    "verdict": VerdictRouter,
    "decision": DecisionRouter,
    "again": Again,
    "every": Every,
    "mode": InMode,
}
"""By the name that a graph file gives."""
