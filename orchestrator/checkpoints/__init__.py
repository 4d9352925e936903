"""Checkpoints: LangGraph's savers with stamps, refusals and pruning, and how a state is stored."""
