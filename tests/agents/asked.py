"""A model for tests that remembers what it was asked."""

from __future__ import annotations

from typing import Any

from agents.models.embedded import FunctionModel
from agents.models.scripts import ModelQuestion


class Asked:
    """A model that answers always the same and remembers what it was asked."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer
        self.questions: list[ModelQuestion] = []

    def __call__(self, question: ModelQuestion) -> Any:
        self.questions.append(question)
        return self.answer

    @property
    def model(self) -> FunctionModel:
        return FunctionModel(function=self)
