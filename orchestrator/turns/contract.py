"""The contract of a node: it finds what it needs, and returns a dict of fields it may write.

LangGraph drops unknown keys and None silently, also those of a user's swapped-in node.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, Protocol

from langgraph.runtime import Runtime

from orchestrator.errors import RoleError
from orchestrator.state import State, Update
from orchestrator.turns.awaiting import settled
from orchestrator.turns.context import Context


class Node(Protocol):
    """What the graph calls."""

    def __call__(self, state: State, *, runtime: Runtime[Context]) -> Update: ...


def keeping_contract(
    name: str, node: Callable[..., Any], needs: frozenset[str], writes: frozenset[str]
) -> Node:
    """The node, with its updates checked; a node that takes the state alone gets only that."""
    takes_runtime = len(inspect.signature(node).parameters) > 1
    needed = sorted(needs)

    def checked(state: State, *, runtime: Runtime[Context]) -> Update:
        for field in needed:
            if field not in state:
                raise RoleError(
                    f"node {name!r} reads {field!r}, which a node before it may write and did not"
                )
        update = settled(node(state, runtime) if takes_runtime else node(state))
        if not isinstance(update, dict):
            raise RoleError(f"node {name!r} returned {update!r}; expected a dict of state fields")
        for field in update:
            if field not in writes:
                allowed = ", ".join(sorted(writes)) or "none; declare them with writes = [...]"
                raise RoleError(f"node {name!r} wrote {field!r}; it may write: {allowed}")
        return update

    return checked
