"""Scripted answers: what an embedded model or the fake server says to which question."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from agents.models.faults import ModelError
from environments.plain_files import read_whole

Schema = Mapping[str, Any]


class ModelQuestion(NamedTuple):
    """What a model is asked, as a script sees it."""

    messages: tuple[tuple[str, str], ...]
    """(role, text) each, the roles being `system`, `user`, `assistant` or `tool`."""
    schema: Schema | None = None
    """The JSON schema of the wanted answer, where one is wanted."""
    tools: Mapping[str, Schema] = MappingProxyType({})
    """The JSON schemas of the tools that may be called before, by their names."""

    @property
    def text(self) -> str:
        """Everything said so far."""
        return "\n\n".join(text for _, text in self.messages)

    @property
    def title(self) -> str:
        """The name of the wanted answer's type."""
        return str((self.schema or {}).get("title", ""))


def wanted(tools: Sequence[Mapping[str, Any]]) -> tuple[Schema | None, dict[str, Schema]]:
    """The schema of the last of a request's tools, which takes the answer, and of those before."""
    functions = [tool.get("function", {}) for tool in tools]
    schemas = [{**f.get("parameters", {}), "title": str(f.get("name", ""))} for f in functions]
    if not schemas:
        return None, {}
    return schemas[-1], {schema["title"]: schema for schema in schemas[:-1]}


class Rule(BaseModel):
    """An answer, or a fault, and the questions it is for."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    when: str = ""
    """A regular expression that is looked for in the whole prompt."""
    asked: str = ""
    """Only for answers of the type of this name."""
    times: int | None = Field(default=None, ge=1)
    """How often it answers; without end by default."""
    answer: Any = None
    """Text, or JSON; for null the fake server makes one up."""
    call: str = ""
    """The tool that is called, with the answer as its arguments; empty to give the answer."""
    thinking: str = ""
    """What the model thinks first."""
    fault: str = ""
    """How the fake server misbehaves; the answer is what it does it to."""

    @field_validator("when")
    @classmethod
    def _is_pattern(cls, when: str) -> str:
        try:
            re.compile(when)
        except (re.error, OverflowError, RecursionError) as error:
            raise ValueError(f"{when!r} is no regular expression: {error}") from error
        return when

    def fits(self, question: ModelQuestion) -> bool:
        """Whether the question is one of its own."""
        if self.asked and self.asked != question.title:
            return False
        if self.call and self.call not in question.tools:
            return False
        return not self.when or re.search(self.when, question.text) is not None


class Script:
    """Rules, of which the first that fits and is not used up answers; safe with many threads."""

    def __init__(self, rules: Sequence[Rule] = ()) -> None:
        self.rules = tuple(rules)
        self._left = [rule.times for rule in self.rules]
        self._lock = threading.Lock()

    @classmethod
    def of_answers(cls, answers: Sequence[Any]) -> Script:
        """Each answer once, one after the other."""
        return cls([Rule(answer=answer, times=1) for answer in answers])

    @classmethod
    def read(cls, path: Path) -> Script:
        """A script file: a JSON list of answers, `{"rules": [...]}`, or one answer a line (.jsonl).

        Raises:
            ModelError: what is wrong with the file.
        """
        try:
            text = read_whole(path, links=True).decode("utf-8-sig")
            if path.suffix == ".jsonl":
                lines = filter(str.strip, text.split("\n"))
                return cls.of_answers([json.loads(line) for line in lines])
            content = json.loads(text)
        except (OSError, ValueError, RecursionError) as error:
            raise ModelError(f"script {str(path)!r} cannot be read: {error}") from error
        if isinstance(content, list):
            return cls.of_answers(content)
        if not (isinstance(content, dict) and set(content) == {"rules"}):
            raise ModelError(f"script {str(path)!r} is neither a list nor {{'rules': [...]}}")
        try:
            return cls([Rule.model_validate(rule) for rule in content["rules"]])
        except (ValidationError, TypeError) as error:
            raise ModelError(f"script {str(path)!r}: {error}") from error

    def answer(self, question: ModelQuestion) -> Rule | None:
        """The rule that answers; it is used up a little."""
        with self._lock:
            for i, rule in enumerate(self.rules):
                left = self._left[i]
                if left != 0 and rule.fits(question):
                    self._left[i] = None if left is None else left - 1
                    return rule
        return None
