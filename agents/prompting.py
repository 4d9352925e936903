"""A model together with the prompt that it is asked with."""

from __future__ import annotations

import dataclasses
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeVar, cast

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from pydantic import BaseModel

import prompts
from agents.answers import AnswerError, clean_action
from agents.briefing import Briefing
from agents.conversation import conversation
from agents.models import ModelConfig, ModelError
from agents.models.ledger import CallRecord
from agents.models.size import is_asked_short
from agents.parsing import Check, Fault
from agents.short import Short
from agents.structured import AnyModel, as_asker
from agents.world_tools import world_tools
from managers.world.queries import ToolRequest
from prompts import SHORT
from prompts import PromptError as PromptError
from prompts.rendering import PromptTemplate

T = TypeVar("T", bound=BaseModel)

PROMPTS = {
    "extractor": "reading",
    "objective_manager": "objectives",
    "oracle": "situation",
    "actor": "actor",
    "critic": "critic",
}
"""Role -> what its usual part asks a model with, unless its table names another prompt."""
WITH_TOOLS = "parts/tools"
"""What a model is told that has tools."""
DEFAULT_MODEL = "ollama:llama3.1:8b"
MAX_COMMAND = 100
_COMMANDS = ("action", "text", "recommended_action")
"""Fields of answers that hold a command."""
NOTHING = frozenset({"", "null", "none", "n/a", "nil", "-"})
"""What models write where they should leave a field empty."""


class Questioner:
    """Asks one question of one model, about whatever briefing it gets.

    Args:
        role: Whose question it is, for traces and figures.
        model: `provider:name`, a `ModelConfig`, a LangChain chat model or an `Asker`.
        prompt: A shipped prompt, or a file of one's own. Where a shipped one has a short form,
            small models are asked by that (see `suiting`).
        tools: Whether the model may query the world model before it answers.

    Raises:
        ModelError: the model cannot be made, or takes no tools.
        PromptError: the prompt is missing, or asks for more than a briefing has.
    """

    def __init__(self, role: str, model: AnyModel, prompt: str, *, tools: bool = False) -> None:
        self.role = role
        self.asker = as_asker(model)
        self.tools = tools
        self._prompt = prompt
        self._loaded: dict[str, PromptTemplate] = {}
        self.template  # noqa: B018 - a prompt that will not do is told now
        if tools and type(self.asker.model).bind_tools is BaseChatModel.bind_tools:
            raise ModelError(
                f"model {self.asker.config.model!r} takes no tools: set nodes.{role}.tools = false"
            )

    @property
    def template(self) -> PromptTemplate:
        """The prompt, in the form that suits the model by what is known of it by now."""
        style = self.asker.config.style
        if style not in self._loaded:
            name = suiting(self._prompt, self.asker.config, tools=self.tools)
            fields = [field.name for field in dataclasses.fields(Briefing)]
            self._loaded[style] = prompts.load(name).check(fields)
        return self._loaded[style]

    @property
    def is_short(self) -> bool:
        """Whether the model is asked by the short form."""
        return self.template.name.startswith(SHORT)

    @property
    def label(self) -> str:
        """The prompt's name and version, as traces tell them."""
        return f"{self.template.name}@{self.template.version}"

    def ask_behind(self, talk: Sequence[BaseMessage], kind: type[T]) -> tuple[T | None, CallRecord]:
        """The model's answer to messages of one's own, or None where it has no usable one.

        Raises:
            ModelUnavailable: there is no answer to be had now.
        """
        return self.asker.ask(self.role, talk, kind, prompt=self.label)

    def ask(
        self,
        briefing: Briefing,
        kind: type[T],
        check: Check[T] | None = None,
        *,
        short: type[Short[T]] | None = None,
        requests: list[ToolRequest] | None = None,
    ) -> tuple[T | None, CallRecord]:
        """The model's answer, or None where it has no usable one.

        A model that is asked by the short form of the prompt answers with `short`.

        What its tools want written is added to `requests`; without it they only read.

        Raises:
            ModelUnavailable: there is no answer to be had now.
        """
        asker, prompt = self.asker, self.label
        tools = world_tools(briefing.world, requests) if self.tools else ()
        messages = self.messages(briefing)

        def wrong(answer: T) -> Iterable[str | Fault]:
            yield from check(answer) if check else ()
            yield from _in_another_language(answer, briefing)

        if short is None or not self.is_short:
            return asker.ask(self.role, messages, kind, wrong, prompt=prompt, tools=tools)

        def whole(answer: Any) -> Iterable[str | Fault]:
            return wrong(answer.whole())

        form = cast(Any, short)
        said, record = asker.ask(self.role, messages, form, whole, prompt=prompt, tools=tools)
        return (said.whole() if said else None), record

    def messages(self, briefing: Briefing) -> list[BaseMessage]:
        """Instructions, the game's words, and the question; see `conversation`."""
        return _messages(self.template, briefing, self.asker.config, tools=self.tools)


def _in_another_language(answer: BaseModel, briefing: Briefing) -> Iterator[Fault]:
    """Its commands that are in letters which the story has never used."""
    for field in _COMMANDS:
        command = getattr(answer, field, None)
        if isinstance(command, str) and foreign_letters(command, _told_by_story(briefing)):
            told = f"{command[:40]!r} is in another language; type what the game's parser knows"
            yield Fault("language", told)


def _told_by_story(briefing: Briefing) -> Iterator[str]:
    yield briefing.observation.text
    yield from (exchange.reply for exchange in briefing.history.exchanges)


def suiting(prompt: str, config: ModelConfig, *, tools: bool = False) -> str:
    """The name of a prompt in the form that suits a model.

    A shipped prompt may have a short form, for small models that have no tools.
    """
    short = SHORT + prompt
    is_short = not tools and short in prompts.shipped() and is_asked_short(config)
    return short if is_short else prompt


def prompt_names() -> list[str]:
    """What `prompt_source` knows: the roles that ask a model, and every shipped prompt."""
    return [*dict.fromkeys([*PROMPTS, *prompts.shipped()])]


def prompt_source(name: str) -> str:
    """The shipped template of that name, or of the role of that name, not filled."""
    return prompts.source(PROMPTS.get(name, name))


def filled_prompt(
    name: str, briefing: Briefing, config: ModelConfig, *, tools: bool = False
) -> str:
    """The whole text of a question, for a model with or without tools.

    Args:
        name: The prompt's.
        briefing: What fills it.
        config: The model's.
        tools: Whether it has any.

    Raises:
        PromptError: the prompt is missing, or asks for more than a briefing has.
    """
    template = prompts.load(suiting(name, config, tools=tools))
    return as_text(_messages(template, briefing, config, tools=tools))


def as_text(messages: Sequence[BaseMessage]) -> str:
    """The messages one below the other, the player's commands as they were typed."""
    return "\n\n".join(
        f"> {one.text}" if isinstance(one, AIMessage) else str(one.text) for one in messages
    )


def _messages(
    template: PromptTemplate, briefing: Briefing, config: ModelConfig, *, tools: bool
) -> list[BaseMessage]:
    prompt = template.render(dataclasses.replace(briefing, memory=config.memory))
    if tools:
        said = (prompt.system, prompts.source(WITH_TOOLS).strip())
        prompt = prompt._replace(system="\n\n".join(filter(None, said)))
    return conversation(prompt, briefing.history, config.memory)


def command_or_none(text: str) -> str | None:
    """The one command of a text, if there is one of a length that a game takes."""
    try:
        command = clean_action(_without_layout(text))
    except AnswerError:
        return None
    is_one = len(command) <= MAX_COMMAND and not command.startswith("{")
    return command if is_one and or_none(command) else None


def _without_layout(text: str) -> str:
    """The first line of a model's text that announces nothing, without what marks a command."""
    lines = [line.strip() for line in text.translate(_UNSEEN).splitlines()]
    lines = [line for line in lines if line and not _FENCE.fullmatch(line)]
    first = next((line for line in lines if not line.endswith(":")), "".join(lines[:1]))
    return _MARK.sub("", _TAGGED.sub(r"\2", first))


def or_none(text: str | None) -> str | None:
    """The text, unless it only says that there is none."""
    said = (text or "").strip()
    return None if said.lower() in NOTHING else said


_UNSEEN = dict.fromkeys(map(ord, "\u00ad\u200b\u200e\u200f\u2060\ufeff"))
_FENCE = re.compile(r"(?:```|~~~)\w{0,20}")
_TAGGED = re.compile(r"^<(\w{1,20})>([^<>]*)</\1>$")
_MARK = re.compile(
    r"^(?:[-\u2022]\s+|\d{1,2}[.)]\s+(?=[^\W\d])"
    r"|[*_]{0,3}(?:next )?(?:command|action)[*_]{0,3}:[*_]{0,3}\s*)",
    re.IGNORECASE,
)
"""What stands before a command in a list, or names it as one."""
USUAL = "LATIN"
"""What every story's parser takes."""


def foreign_letters(command: str, texts: Iterable[str]) -> str:
    """The letters of a command that belong to an alphabet in which none of a story's texts is.

    Args:
        command: What a model wants to type.
        texts: What the story has said.
    """
    strange = {letter: _alphabet(letter) for letter in command if letter.isalpha()}
    unknown = set(strange.values()) - {USUAL}
    for text in texts if unknown else ():
        unknown -= {_alphabet(letter) for letter in set(text) if letter.isalpha()}
    return "".join(letter for letter, alphabet in strange.items() if alphabet in unknown)


def _alphabet(letter: str) -> str:
    """The first word of a letter's name in Unicode: LATIN, CYRILLIC, CJK, HIRAGANA."""
    return unicodedata.name(letter, "UNNAMED").split()[0]
