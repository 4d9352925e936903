"""What a trace shows of the state: what a node read and what it changed, not all of it.

The same views go to the local trace and to the official client.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Mapping, Sized
from functools import partial
from typing import Any

from langgraph.types import TracePolicy

READS: dict[str, tuple[str, ...]] = {
    "game": ("turn", "proposal"),
    "extractor": ("turn", "observation", "proposal"),
    "learner": ("turn", "extraction"),
    "objective_manager": ("turn", "world", "map", "objectives", "proposal"),
    "oracle": ("turn", "world", "objectives", "candidates"),
    "actor": ("turn", "world", "objectives", "candidates", "judgements"),
    "critic": ("turn", "proposal", "judgements"),
}
"""The state fields shown as a node's inputs; a node that is not listed shows all of them."""

STORES = frozenset({"world", "map", "dynamics", "reliability", "calibration"})
"""Fields that grow with what was learned; shown as the number of entries in each part."""

RESULT = ("turn", "observation", "score", "mode", "beliefs", "proposal")
"""The fields shown as the outcome of a whole turn."""

POSITION = ("turn",)
"""The fields shown as the inputs of a router."""

MOST_READ = 5
MOST_WRITTEN = 10
"""So many items of a list are shown."""


def trace_policy(node: str) -> TracePolicy:
    """How the runs of a node are traced."""
    return TracePolicy(
        process_inputs=partial(view, fields=READS.get(node), most=MOST_READ),
        process_outputs=partial(view, most=MOST_WRITTEN),
    )


def inputs_view(inputs: Any) -> Any:
    """The inputs of any run: of a whole state only where it stands, all else as it is."""
    return view(inputs, fields=POSITION) if _is_state(inputs) else inputs


def outputs_view(outputs: Any) -> Any:
    """The outputs of any run: of a whole state only the turn's outcome, all else as it is."""
    return view(outputs, fields=RESULT) if _is_state(outputs) else outputs


def view(state: Any, fields: Iterable[str] | None = None, most: int = MOST_READ) -> Any:
    """The named fields of a state or update, all if None; large values as their outlines."""
    if not isinstance(state, Mapping):
        return state
    names = state if fields is None else fields
    return {name: _field(name, state[name], most) for name in names if name in state}


def _is_state(payload: Any) -> bool:
    return isinstance(payload, Mapping) and isinstance(payload.get("snapshot"), bytes)


def _field(name: str, value: Any, most: int) -> Any:
    if name in STORES and isinstance(value, Mapping):
        return {key: _size(part) for key, part in value.items()}
    shape: Callable[[Any, int], Any] | None = _SHAPES.get(type(value))
    return shape(value, most) if shape else value


def _size(part: Any) -> Any:
    return len(part) if isinstance(part, Sized) and not isinstance(part, str) else part


def _blob(value: bytes, _most: int) -> str:
    return f"<{len(value)} bytes, crc32 {zlib.crc32(value):08x}>"


def _list(value: list[Any] | tuple[Any, ...], most: int) -> list[Any]:
    hidden = len(value) - most
    return [*value[:most], f"<{hidden} more>"] if hidden > 0 else list(value)


_SHAPES: dict[type, Callable[[Any, int], Any]] = {bytes: _blob, list: _list, tuple: _list}
