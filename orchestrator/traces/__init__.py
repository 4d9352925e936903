"""Traces: LangSmith run records of every episode, and what is made of them."""
