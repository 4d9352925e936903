"""The LangGraph orchestrator: state, graph, episodes, traces and command line."""
