"""The LangGraph orchestrator: state, graph, episodes, traces and command line."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from orchestrator.own_packages import claim

if TYPE_CHECKING:
    from orchestrator.api import play
    from orchestrator.saved.result import Result, to_pandas

__all__ = ["Result", "play", "to_pandas"]

claim()
_HOMES = {"play": "orchestrator.api", "Result": "orchestrator.saved.result"}
_HOMES["to_pandas"] = _HOMES["Result"]


def __getattr__(name: str) -> Any:
    """Load what is asked for only when it is: what stands behind `play` takes a second."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)
