"""The LangGraph orchestrator: state, graph, episodes, traces and command line."""

from orchestrator.api import play
from orchestrator.result import Result, to_pandas

__all__ = ["Result", "play", "to_pandas"]
