"""Prompts as data: one Markdown template a question, filled from a briefing."""

from prompts.rendering import (
    SHORT,
    SUFFIX,
    Prompt,
    PromptError,
    PromptTemplate,
    load,
    quote,
    render,
    shipped,
    source,
)

__all__ = [
    "SHORT",
    "SUFFIX",
    "Prompt",
    "PromptError",
    "PromptTemplate",
    "load",
    "quote",
    "render",
    "shipped",
    "source",
]
