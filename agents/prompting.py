"""A model together with the prompt that it is asked with."""

from __future__ import annotations

import dataclasses
from typing import TypeVar

from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage
from pydantic import BaseModel

import prompts
from agents.answers import AnswerError, clean_action
from agents.briefing import Briefing
from agents.models.ledger import CallRecord
from agents.parsing import Check
from agents.structured import AnyModel, as_asker
from prompts import PromptError as PromptError

T = TypeVar("T", bound=BaseModel)

PROMPTS = {
    "extractor": "reading",
    "objective_manager": "objectives",
    "oracle": "situation",
    "actor": "actor",
    "critic": "critic",
}
"""Role -> what it asks a model with, unless its table names another prompt."""
DEFAULT_MODEL = "ollama:llama3.1:8b"
MAX_COMMAND = 100
NOTHING = frozenset({"", "null", "none", "n/a", "nil", "-"})
"""What models write where they should leave a field empty."""


class Questioner:
    """Asks one question of one model, about whatever briefing it gets.

    Raises:
        ModelError: the model cannot be made.
        PromptError: the prompt is missing, or asks for more than a briefing has.
    """

    def __init__(self, role: str, model: AnyModel, prompt: str) -> None:
        self.role = role
        self.asker = as_asker(model)
        self.template = prompts.load(prompt).check(
            [field.name for field in dataclasses.fields(Briefing)]
        )

    def ask(
        self, briefing: Briefing, kind: type[T], check: Check[T] | None = None
    ) -> tuple[T | None, CallRecord]:
        """The model's answer, or None where it has no usable one.

        Raises:
            ModelUnavailable: there is no answer to be had now.
        """
        return self.asker.ask(
            self.role,
            self.messages(briefing),
            kind,
            check,
            prompt=f"{self.template.name}@{self.template.version}",
        )

    def messages(self, briefing: Briefing) -> list[BaseMessage]:
        """The filled prompt, what never changes first."""
        prompt = self.template.render(briefing)
        system: list[BaseMessage] = [SystemMessage(prompt.system)] if prompt.system else []
        return [*system, HumanMessage(prompt.user)]


def prompt_source(role: str) -> str:
    """The shipped template of a role, not filled."""
    return prompts.source(PROMPTS[role])


def filled_prompt(name: str, briefing: Briefing) -> str:
    """The whole text of a prompt.

    Raises:
        PromptError: the prompt is missing, or asks for more than a briefing has.
    """
    prompt = prompts.render(name, briefing)
    return "\n\n".join(filter(None, (prompt.system, prompt.user)))


def command_or_none(text: str) -> str | None:
    """The one command of a text, if there is one of a length that a game takes."""
    try:
        command = clean_action(text)
    except AnswerError:
        return None
    return command if len(command) <= MAX_COMMAND and or_none(command) else None


def or_none(text: str | None) -> str | None:
    """The text, unless it only says that there is none."""
    said = (text or "").strip()
    return None if said.lower() in NOTHING else said
