"""What a trace shows of the state: what a node read and what it changed, not all of it.

LangGraph's TracePolicy would do it for nodes, not for whole turns, at twice
the cost (benchmarks/tracing.py); here one mechanism serves all runs and both tracers.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from langgraph.graph import START

from managers.belief.beliefs import AgentBeliefs
from managers.core.mode import Mode
from orchestrator.roles import ROLES
from orchestrator.turns.current import place_of

POSITION = ("turn",)
"""The fields shown of a state that is only handed on."""

BEGUN = ("turn", "room", "score", "mode")
"""The metadata shown as the inputs of a whole turn; its state may be in the checkpoints alone."""

RESULT = ("turn", "command", "observation", "score", "mode", "beliefs", "proposal")
"""The fields shown as the outcome of a whole turn."""

STORES = frozenset(
    {
        *("world", "map", "attempts", "facts", "rates", "frontier", "memory"),
        *("dynamics", "recent", "before", "history"),
    }
)
"""Fields that grow with what was learned; shown as the number of entries in each part."""

MOST_READ, MOST_WRITTEN = 3, 8
"""So many items of a list are shown."""


def turn_metadata(state: Mapping[str, Any], *, played: bool = False) -> dict[str, Any]:
    """What every run of the turn to come tells of it, for filters and searches.

    `played`: the rest of a turn is to come, in which the game has answered already.
    """
    if "turn" not in state:
        return {"turn": 0}
    return {
        "turn": state["turn"] + (not played),
        "room": place_of(state),
        "score": state["score"].last.score,
        "mode": (state.get("mode") or Mode()).state.value,
    }


def is_node(name: str | None, metadata: Mapping[str, Any] | None) -> bool:
    """Whether a run is that of a node itself, not of something within it or of the turn."""
    return metadata is not None and name != "__start__" and metadata.get("langgraph_node") == name


def inputs_view(inputs: Any, name: str | None, metadata: Mapping[str, Any] | None) -> Any:
    """The inputs of a chain run; anything but a whole state is shown as it is."""
    if isinstance(inputs, dict):
        inputs = inputs.get(START, inputs)
    if (not inputs or _is_state(inputs)) and (begun := _begun(metadata)):
        return begun
    if not _is_state(inputs):
        return inputs
    return view(inputs, _reads(name, metadata) if is_node(name, metadata) else POSITION, MOST_READ)


def _begun(metadata: Mapping[str, Any] | None) -> dict[str, Any]:
    """Where a whole turn begins; empty for a run within one."""
    if metadata is None or "langgraph_node" in metadata:
        return {}
    return {field: metadata[field] for field in BEGUN if field in metadata}


def _reads(name: str | None, metadata: Mapping[str, Any] | None) -> tuple[str, ...] | None:
    """The fields shown as a node's inputs; None for all of them."""
    role = ROLES.get((metadata or {}).get("role", name))
    return (role.shows or None) if role else None


def outputs_view(outputs: Any, *, of_turn: bool, of_node: bool) -> Any:
    """The outputs of a chain run; those of something within a node are shown as they are."""
    if of_turn and isinstance(outputs, Mapping):
        return view(outputs, RESULT, MOST_READ)
    if of_node and isinstance(outputs, Mapping):
        return view(outputs, None, MOST_WRITTEN)
    return view(outputs, POSITION, MOST_WRITTEN) if _is_state(outputs) else outputs


def _is_state(payload: Any) -> bool:
    return isinstance(payload, dict) and isinstance(payload.get("snapshot"), bytes)


def view(state: Mapping[str, Any], fields: Iterable[str] | None, most: int) -> dict[str, Any]:
    """The named fields, all if None; large values as their outlines."""
    names = state if fields is None else fields
    return {name: _field(name, state[name], most) for name in names if name in state}


def _field(name: str, value: Any, most: int) -> Any:
    if name in STORES:
        parts = isinstance(value, dict)
        return {key: _size(part) for key, part in value.items()} if parts else _size(value)
    shape = _SHAPES.get(type(value))
    return shape(value, most) if shape else value


_COUNTED = (dict, list, tuple)


def _size(part: Any) -> Any:
    return len(part) if isinstance(part, _COUNTED) else part


def _blob(value: bytes, _most: int) -> str:
    return f"<{len(value)} bytes, crc32 {zlib.crc32(value):08x}>"


def _list(value: list[Any] | tuple[Any, ...], most: int) -> list[Any]:
    hidden = len(value) - most
    return [*value[:most], f"<{hidden} more>"] if hidden > 0 else list(value)


def _beliefs(value: AgentBeliefs, most: int) -> Any:
    """Whole where they are written, else without what they follow from."""
    if most == MOST_WRITTEN:
        return value
    return {name: one for name, one in vars(value).items() if name != "claims"}


_SHAPES: dict[type, Callable[[Any, int], Any]] = {
    bytes: _blob,
    list: _list,
    tuple: _list,
    AgentBeliefs: _beliefs,
}
