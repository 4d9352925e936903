"""The fixed words of a prompt: which of its sections were ever filled in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from jinja2 import Environment, meta, nodes

import prompts
from agents.models.scripts import ModelQuestion
from agents.prompting import PROMPTS

LETTERS = 3
"""Shorter bits are punctuation."""
ANSWERS = {
    "ReplyNotes": "extractor",
    "ObjectiveNotes": "objective_manager",
    "SituationNotes": "oracle",
    "AgentResponse": "actor",
    "Verdict": "critic",
}
"""The type of a wanted answer -> the role that wants it."""


class Unfilled:
    """The sections of each role's prompt that no question has had so far."""

    def __init__(self) -> None:
        self.by_role = {role: set(sections(prompt)) for role, prompt in PROMPTS.items()}

    def note(self, question: ModelQuestion) -> None:
        """Cross out what is in a question; one that is no role's has no template."""
        waiting = self.by_role.get(ANSWERS.get(question.title, ""), set())
        waiting -= {section for section in waiting if section in question.text}


def sections(prompt: str) -> Iterator[str]:
    """The lines and half lines of a prompt and its parts that are not filled in."""
    tree = Environment(trim_blocks=True, lstrip_blocks=True).parse(prompts.source(prompt))
    for data in tree.find_all(nodes.TemplateData):
        yield from _worded(data.data.splitlines())
    for choice in tree.find_all(nodes.CondExpr):
        for said in filter(None, (choice.expr1, choice.expr2)):
            constants = [said] if isinstance(said, nodes.Const) else said.find_all(nodes.Const)
            yield from _worded(constant.value for constant in constants)
    for part in filter(None, meta.find_referenced_templates(tree)):
        yield from sections(part.removesuffix(prompts.SUFFIX))


def _worded(texts: Any) -> Iterator[str]:
    for text in texts:
        if isinstance(text, str) and sum(map(str.isalpha, text)) >= LETTERS:
            yield text.strip()
