"""Prompts as data: one Markdown template a question."""
