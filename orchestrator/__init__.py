"""The LangGraph orchestrator: state, graph, episodes, traces and command line."""

from orchestrator.episode import play

__all__ = ["play"]
