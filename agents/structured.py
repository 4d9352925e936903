"""Structured answers: a model is asked for a value of a type."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.runnables import Runnable, RunnableLambda, RunnableSequence
from langchain_core.tools import BaseTool
from pydantic import BaseModel

from agents.asking import Inquiry, instructions
from agents.models.breaker import Breaker
from agents.models.cache import AnswerCache
from agents.models.config import Method, ModelConfig, configured
from agents.models.factory import make_model
from agents.models.faults import ModelUnavailable
from agents.models.ledger import CallRecord, Ledger
from agents.models.pace import Pace
from agents.models.providers import provider_of
from agents.parsing import Check, strict_schema

T = TypeVar("T", bound=BaseModel)

MAX_REFUSALS = 2
MAX_BOUND = 64
"""Types for which a model is kept that answers with them."""
ASKING = "ask "
"""What the name of a question's run starts with; the role follows."""


class Asker:
    """A model that is ready to be asked; safe with many threads, so that roles can share it."""

    def __init__(
        self,
        model: BaseChatModel,
        config: ModelConfig | None = None,
        *,
        cache: AnswerCache | None = None,
        ledger: Ledger | None = None,
        breaker: Breaker | None = None,
        surest: Method = "auto",
        pace: Pace | None = None,
    ) -> None:
        self.model = model
        self.surest = surest
        """The way of asking for structured answers that the model's server was found to keep."""
        self.served = ""
        """What its server said that it has loaded, where that was asked."""
        self.config = config or ModelConfig(model=f"embedded:{type(model).__name__}")
        self.cache = cache
        self.ledger = ledger or Ledger()
        self.breaker = breaker or Breaker()
        self.pace = pace or Pace(self.config.tokens_per_minute)
        self._bound: dict[tuple[Any, ...], Runnable[Any, AIMessage]] = {}
        self._hushed: Asker | None = None
        self._refusals: Counter[str] = Counter()
        self._asked = ""

    @classmethod
    def of(cls, config: ModelConfig, **shared: Any) -> Asker:
        """The asker of a config; `cache`, `ledger` and `breaker` may be shared with others.

        Raises:
            ModelError: the model cannot be made.
        """
        return cls(make_model(config), config, **shared)

    def ask(
        self,
        role: str,
        messages: Sequence[BaseMessage],
        kind: type[T],
        check: Check[T] | None = None,
        *,
        prompt: str = "",
        tools: Sequence[BaseTool] = (),
    ) -> tuple[T | None, CallRecord]:
        """A value of the wanted type, or None where the second answer is no good either.

        `check` says what is wrong with an answer of the right form. Whatever is wrong with
        the first answer goes back to the model once, all at a time. `prompt` names the
        prompt and its hash for the trace, as `name@hash`. With `tools` the model may look things up
        first; such an answer is not cached, because it depends on more than the question.

        Raises:
            ModelUnavailable: there is no answer at all, not even a bad one.
        """
        inquiry = Inquiry(self, role, messages, kind, tools)
        answers: list[T | None] = []
        outages: list[ModelUnavailable] = []

        def run(_about: dict[str, str]) -> dict[str, Any]:
            try:
                answers.append(inquiry.put(check))
            except ModelUnavailable as outage:
                outages.append(outage)
            return inquiry.record.model_dump(mode="json", exclude_defaults=True)

        name, _, version = prompt.partition("@")
        about = {"role": role, "prompt": name, "prompt_hash": version}
        traced = RunnableLambda(run).with_config(run_name=f"{ASKING}{role}", metadata=about)
        self.pace.wait()
        try:
            traced.invoke({"role": role, "answer_type": kind.__name__, "prompt": prompt})
        finally:
            record = inquiry.record
            self.pace.spent(record.input_tokens + record.output_tokens)
            self.ledger.add(record, self.config)
        for outage in outages:
            raise outage
        return answers[0], inquiry.record

    def bound(
        self, kind: type[BaseModel], method: str, tools: Sequence[BaseTool] = ()
    ) -> Runnable[Any, AIMessage]:
        """The model, told by its provider's own means to answer with a type.

        With `tools` it may call those as well; the answer is a tool of its type's name, the last.
        """
        key = (kind, method, *(tool.name for tool in tools))
        bound = self._bound.get(key)
        if bound is None:
            schema = strict_schema(kind)
            bound = (
                self.model.bind_tools([*tools, schema])
                if tools
                else bind(self.model, schema, method)
            )
            # Every list of commands to choose from is a type of its own.
            kept = self._bound if len(self._bound) < MAX_BOUND else {}
            self._bound = {**kept, key: bound}
        return bound

    def without_thoughts(self) -> Asker:
        """The same model, told not to think before it answers; itself where that cannot be told."""
        config = self.config
        if config.reasoning is False or not provider_of(config.provider).can_be_hushed(config):
            return self
        if self._hushed is None:
            quiet = config.model_copy(update={"reasoning": False})
            shared = {"ledger": self.ledger, "breaker": self.breaker, "surest": self.surest}
            self._hushed = Asker.of(quiet, **shared)
        return self._hushed

    def unread(self, messages: Sequence[BaseMessage]) -> float:
        """Which share of a question does not begin like the one before it.

        A server that keeps what it has read reads only that anew.
        """
        text = "\0".join(f"{one.type}\0{one.text}" for one in messages)
        before, self._asked = self._asked, text
        same = next(
            (at for at, (a, b) in enumerate(zip(before, text, strict=False)) if a != b), None
        )
        return 1 - (min(len(before), len(text)) if same is None else same) / (len(text) or 1)

    @property
    def method(self) -> str:
        """How structured answers are asked for now."""
        if self.config.method != "auto":
            return self.config.method
        return "plain" if self.is_given_up(self.surest) else self.surest

    def is_given_up(self, method: str) -> bool:
        """Whether the server has refused to be asked in that way too often."""
        return self._refusals[method] >= MAX_REFUSALS

    def refused(self, method: str) -> bool:
        """The server refused the way it was asked; whether plain JSON may be tried instead.

        Where it does so again, it is not asked in that way from then on.
        """
        self._refusals[method] += 1
        return self.config.method == "auto"


AnyModel = Asker | BaseChatModel | ModelConfig | Mapping[str, Any] | str
"""Whatever names a model: ready, made, configured, a config table, or just `provider:name`."""


def as_asker(model: AnyModel) -> Asker:
    """The model, ready to be asked.

    Raises:
        ModelError: the model cannot be made.
    """
    if isinstance(model, Asker):
        return model
    if isinstance(model, BaseChatModel):
        return Asker(model)
    if isinstance(model, ModelConfig):
        return Asker.of(model)
    return Asker.of(configured({"model": model} if isinstance(model, str) else model))


def ask(
    model: AnyModel,
    messages: Sequence[BaseMessage],
    kind: type[T],
    *,
    role: str = "caller",
    check: Check[T] | None = None,
) -> tuple[T | None, CallRecord]:
    """One question to a model, for those who have only one; see `Asker.ask`."""
    return as_asker(model).ask(role, messages, kind, check)


def bind(model: BaseChatModel, schema: dict[str, Any], method: str) -> Runnable[Any, AIMessage]:
    """Only the call: LangChain's parsers would repair a truncated answer without a word."""
    chosen: dict[str, Any] = {} if method == "auto" else {"method": method}
    try:
        structured = model.with_structured_output(schema, **chosen)
    except NotImplementedError:
        return _instructed(model, schema)
    if not isinstance(structured, RunnableSequence):
        return _instructed(model, schema)
    call: Runnable[Any, AIMessage] = structured.first
    return _instructed(call, schema) if method == "json_mode" else call


def _instructed(model: Runnable[Any, Any], schema: dict[str, Any]) -> Runnable[Any, AIMessage]:
    def add(messages: list[BaseMessage]) -> list[BaseMessage]:
        return [*messages, instructions(schema)]

    return RunnableLambda(add) | model
