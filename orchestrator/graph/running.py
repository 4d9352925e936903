"""A node of a graph file as LangGraph calls it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

from langgraph.runtime import Runtime

from orchestrator.graph.topology import Seat
from orchestrator.reducers import Rounds
from orchestrator.roles import Role
from orchestrator.state import State, Update
from orchestrator.turns.context import Context
from orchestrator.turns.contract import Node, keeping_contract
from orchestrator.turns.crew import Post


def running(
    seat: Seat, post: Post, *, counted: bool, context: Context | None, own: Any = None
) -> Node:
    """The function of a node.

    Args:
        seat: Which node.
        post: Who plays it, and in which company.
        counted: Whether it closes a loop, so that its runs are counted.
        context: Stands in for the caller's, for a server whose callers have none.
        own: The node itself, where it is a user's own.
    """
    role = seat.role
    writes = seat.writes if role is None else role.writes
    checked = keeping_contract(seat.path, _asking(role, post) or own, seat.needs, writes)

    def node(state: State, *, runtime: Runtime[Context]) -> Update:
        update = checked(state, runtime=runtime.override(context=context) if context else runtime)
        if seat.config.into is not None:
            update = _redirected(update, seat, state)
        return {**update, "rounds": _counted(state, seat.path)} if counted else update

    node.__name__ = seat.path.rpartition(".")[2]
    return node


def _asking(role: Role | None, post: Post) -> Callable[..., Update] | None:
    """The node of a role, with who plays it; None for a node of a user's own."""
    if role is None or role.node is None:
        return None
    function = role.node

    def asking(state: State, runtime: Runtime[Context]) -> Update:
        return function(state, runtime.context, post)

    return asking


def runs(state: State, path: str) -> int:
    """How often a counted node has run in the turn at hand."""
    rounds = state.get("rounds") or Rounds()
    return rounds.runs.get(path, 0) if rounds.turn == state.get("turn", -1) else 0


def _counted(state: State, path: str) -> Rounds:
    return Rounds(turn=state.get("turn", -1), runs={path: runs(state, path) + 1})


def _redirected(update: Update, seat: Seat, state: State) -> Update:
    """The answer in the list that it is to go to, with a note of who gave it."""
    assert seat.role is not None
    assert seat.config.into is not None
    into, update = seat.config.into, dict(update)
    if seat.role.answer not in update:
        return update
    answer = update.pop(seat.role.answer)
    if isinstance(answer, list):
        answer = answer[-1]
    if hasattr(answer, "by"):
        answer = answer.model_copy(update={"by": _signature(seat, state, into)})
    return {**update, into: [answer]}


def _signature(seat: Seat, state: State, into: str) -> str:
    """The node's name, with a number where it answers more than once in a turn."""
    if "item" in state:
        return f"{seat.path} {state['item'].number + 1}"
    given = cast(Mapping[str, Any], state).get(into, [])
    earlier = [one for one in given if one.turn > state["turn"] and one.by.startswith(seat.path)]
    return f"{seat.path} {len(earlier) + 1}" if earlier else seat.path
