"""One question to a model while it is being answered: repeated, mended, or given up."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.tools import BaseTool
from pydantic import BaseModel
from tenacity import (
    RetryCallState,
    Retrying,
    retry_if_exception,
    stop_after_attempt,
    wait_exponential,
    wait_random,
)

from agents.lookups import MAX_ROUNDS, answer_in, look_up
from agents.models.bounds import pause
from agents.models.cache import question_key
from agents.models.embedded import FunctionModel
from agents.models.faults import Diagnosing, ModelFault, ModelUnavailable
from agents.models.ledger import CallRecord
from agents.models.providers import provider_of
from agents.parsing import (
    MAX_TEXT,
    Check,
    Fault,
    PlainLine,
    Reply,
    as_count,
    bounded_message,
    read_reply,
    strict_schema,
)

if TYPE_CHECKING:
    from agents.structured import Asker

MAX_WAIT = 30.0
MAX_QUOTED = 1500
SHORT_QUOTED = 200
"""Of an answer that was too long, this much is given back: it is asked again to be short."""
ENDLESS = frozenset({"truncated", "thinking", "loop"})
"""Faults of answers that came to no end."""
CACHED = "cached answer"
"""The name of a run that stands for one of long ago and cost nothing."""
TOOLS = "tools"
"""The way of asking in which the model may look things up before it answers."""
FREE = {"input_tokens": 0, "output_tokens": 0, "total_tokens": 0}


class Inquiry:
    """One question while it is being answered."""

    def __init__(
        self,
        asker: Asker,
        role: str,
        messages: Sequence[BaseMessage],
        kind: type[BaseModel],
        tools: Sequence[BaseTool] = (),
    ) -> None:
        self.asker = asker
        self.role = role
        self.messages = list(messages)
        self.prompt_chars = sum(len(str(message.text)) for message in messages)
        self.kind = kind
        self.tools = tools
        self.cache = None if tools else asker.cache
        self.lookups = 0
        self.schema = strict_schema(kind)
        self.faults: list[Fault] = []
        self.thoughts: list[str] = []
        self.usage = dict(FREE)
        self.unread = 1.0
        self.uncached = 0.0
        self.calls = 0
        self.answers = 0
        self.cached = False
        self.outcome: Literal["answered", "repaired", "failed"] = "failed"
        self.started = time.perf_counter()

    @property
    def record(self) -> CallRecord:
        """What became of it so far."""
        config = self.asker.config
        cost = (
            self.usage["input_tokens"] * config.input_price
            + self.usage["output_tokens"] * config.output_price
        ) / 1e6
        return CallRecord(
            role=self.role,
            model=config.model,
            answer_type=self.kind.__name__,
            outcome=self.outcome,
            cached=self.cached,
            calls=self.calls,
            answers=self.answers,
            lookups=self.lookups,
            prompt_chars=self.prompt_chars,
            input_tokens=self.usage["input_tokens"],
            uncached_tokens=round(self.uncached),
            output_tokens=self.usage["output_tokens"],
            cost=cost,
            seconds=time.perf_counter() - self.started,
            faults=tuple(self.faults),
            thoughts="\n".join(self.thoughts),
        )

    def put(self, check: Check[Any] | None) -> Any:
        """Ask, and ask again if need be."""
        key = question_key(self.asker.config, self.messages, self.schema, self.asker.served)
        known = self._known(key, check)
        if known is not None:
            return known
        reply = self._read(self._looked_up() or self._call(self.messages), check)
        mended = reply.answer is None
        if mended:
            if reply.thoughts and any(fault.kind in ENDLESS for fault in reply.faults):
                self.asker = self.asker.without_thoughts()
            reply = self._read(self._call([*self.messages, *_mend(reply, self.kind)]), check)
        if reply.answer is not None:
            self.outcome = "repaired" if mended else "answered"
            if self.cache is not None:
                self.cache.put(key, reply.text)
        return reply.answer

    def _known(self, key: str, check: Check[Any] | None) -> Any:
        text = self.cache.get(key) if self.cache is not None else None
        if text is None:
            return None
        said = AIMessage(text, usage_metadata=FREE)
        replay = FunctionModel(function=lambda _: said, model=self.asker.config.model, cache=False)
        reply = read_reply(
            replay.invoke(self.messages, config={"run_name": CACHED}), self.kind, check
        )
        if reply.answer is not None:
            self.cached, self.outcome = True, "answered"
        return reply.answer

    def _looked_up(self) -> AIMessage | None:
        """The answer of a model that has its tools; None where it looks things up to the end."""
        may = self.asker.method != "plain" and not self.asker.is_given_up(TOOLS)
        for _ in range(MAX_ROUNDS if self.tools and may else 0):
            message = self._call(self.messages, TOOLS)
            answer = answer_in(message, self.kind.__name__)
            if answer is not None:
                return answer
            self._count(message)
            found = look_up(message, self.tools)
            self.lookups += len(found)
            wrong = (str(one.content) for one in found if one.status == "error")
            self.faults += [Fault("schema", said) for said in wrong]
            self.messages += [message, *found]
        return None

    def _read(self, message: AIMessage, check: Check[Any] | None) -> Reply[Any]:
        reply = read_reply(message, self.kind, check)
        self.faults += reply.faults
        if reply.thoughts:
            self.thoughts.append(reply.thoughts[:MAX_TEXT])
        self._count(message)
        return reply

    def _count(self, message: AIMessage) -> None:
        self.answers += 1
        told: dict[str, Any] = {**FREE, **(message.usage_metadata or {})}
        used = {name: as_count(told[name]) for name in FREE}
        for name in self.usage:
            self.usage[name] += used[name]
        kept, read = told.get("input_token_details", {}).get("cache_read"), used["input_tokens"]
        self.uncached += self.unread * read if kept is None else read - min(as_count(kept), read)
        config = self.asker.config
        if config.provider == "ollama" and used["total_tokens"] >= config.num_ctx:
            self.faults.append(Fault("context", f"num_ctx of {config.num_ctx} tokens is used up"))

    def _call(self, messages: Sequence[BaseMessage], method: str = "") -> AIMessage:
        # Who is asked for a line is asked in words: nothing structured can be refused.
        method = "plain" if self.kind is PlainLine else method or self.asker.method
        config = self.asker.config
        retrying = Retrying(
            stop=stop_after_attempt(config.retries + 1),
            wait=lambda state: _wait(state, config.backoff),
            retry=retry_if_exception(lambda e: isinstance(e, ModelFault) and e.transient),
            sleep=pause,
            reraise=True,
        )
        self._refuse_if_open()
        try:
            message = retrying(self._call_once, messages, method)
        except ModelFault as fault:
            return self._after(fault, messages, method)
        self.unread = self.asker.unread(messages)
        self.asker.breaker.succeeded()
        return bounded_message(message)

    def _call_once(self, messages: Sequence[BaseMessage], method: str) -> AIMessage:
        self.calls += 1
        try:
            with Diagnosing():
                if self.kind is PlainLine:
                    return self.asker.model.invoke(list(messages))
                if method == "plain":
                    return self.asker.model.invoke([*messages, instructions(self.schema)])
                bound = self.asker.bound(self.kind, method, self.tools if method == TOOLS else ())
                return bound.invoke(list(messages))
        except ModelFault as fault:
            self.faults.append(Fault(fault.kind, str(fault)))
            raise

    def _after(self, fault: ModelFault, messages: Sequence[BaseMessage], method: str) -> AIMessage:
        """What to do when the client gave up: another method, a bad answer, or no answer at all."""
        if fault.kind == "truncated":
            self.faults.pop()  # the empty answer says the same
            return AIMessage("", response_metadata={"finish_reason": "length"})
        if fault.kind == "unreadable":
            return AIMessage("")
        refused = fault.kind in ("refused", "unrecorded") and method != "plain"
        if refused and self.asker.refused(method):
            return self._call(messages, "plain")
        if fault.transient:
            self.asker.breaker.failed()
        raise self._unavailable(fault.kind, str(fault)) from fault

    def _refuse_if_open(self) -> None:
        wait = self.asker.breaker.remaining()
        if wait > 0:
            self.faults.append(Fault("breaker", f"not asked: the server failed, wait {wait:.0f} s"))
            raise self._unavailable("breaker", f"it failed repeatedly; next try in {wait:.0f} s")

    def _unavailable(self, kind: str, message: str) -> ModelUnavailable:
        config = self.asker.config
        hint = provider_of(config.provider).remedy(kind, config)
        text = f"the {self.role}'s model {config.model!r} gives no answer ({kind}): {message}"
        return ModelUnavailable(text + (f"; {hint}" if hint else ""), kind=kind, role=self.role)


def _wait(state: RetryCallState, backoff: float) -> float:
    """Seconds before a call is repeated: longer each time, or as long as the server asked for."""
    usual = wait_exponential(backoff, MAX_WAIT) + wait_random(0, backoff)
    fault = state.outcome.exception() if state.outcome is not None else None
    asked = fault.after if isinstance(fault, ModelFault) else 0.0
    return max(usual(state), min(asked, MAX_WAIT))


def instructions(schema: dict[str, Any]) -> HumanMessage:
    """The wanted form in words, for models whose provider has no means to enforce it."""
    shape = json.dumps(schema, ensure_ascii=False)
    return HumanMessage(f"Answer with one JSON object of this schema and nothing else:\n{shape}")


def _mend(reply: Reply[Any], kind: type[BaseModel]) -> list[BaseMessage]:
    """The bad answer and everything that is wrong with it."""
    form = (
        "the next command alone"
        if kind is PlainLine
        else "one JSON object that has all of this right"
    )
    wrong = "\n".join(f"- {fault.message}" for fault in reply.faults if fault.kind != "extra")
    endless = any(fault.kind in ENDLESS for fault in reply.faults)
    return [
        AIMessage(reply.text[: SHORT_QUOTED if endless else MAX_QUOTED] or "(nothing)"),
        HumanMessage(
            f"That answer cannot be used:\n{wrong}\nAnswer again with {form}, and nothing else."
        ),
    ]
