"""A model chooses where several transitions of a statechart are open to an agent."""

from __future__ import annotations

import asyncio
import contextvars
import dataclasses
import logging
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from enum import Enum
from typing import Any, Protocol, TypeVar

from langchain_core.messages import BaseMessage
from langchain_core.runnables import Runnable
from pydantic import BaseModel

from agents.answers import AnswerError
from agents.json_text import json_objects, split_thinking
from agents.models.faults import Diagnosing

MAX_CONTEXT_CHARS = 2000
SAID = 200
"""So much of an answer a warning tells, in characters."""
TIMEOUT = 120.0

log = logging.getLogger(__name__)

S = TypeVar("S", bound=Enum)


class AgentProfile(Protocol):
    """Who chooses."""

    @property
    def name(self) -> str: ...

    @property
    def interests(self) -> Sequence[str]: ...

    @property
    def personality(self) -> str: ...


class StatechartOracle:
    """Asks a model which of the open transitions fits an agent.

    Args:
        client: Any LangChain chat model, or what answers a prompt like one.
        timeout: Seconds after which the first option is taken without the model.
    """

    def __init__(self, client: Runnable[Any, BaseMessage], *, timeout: float = TIMEOUT) -> None:
        self.client = client
        self.timeout = timeout

    async def decide(
        self,
        agent: AgentProfile,
        current_state: S,
        trigger: str,
        options: Sequence[S],
        context: Any = None,
    ) -> S:
        """The option that the model chooses.

        Where its answer does not come in time, is no JSON or names no option, a warning is
        logged and the first option taken.

        Raises:
            ValueError: there are no options.
            ModelFault: the model cannot be asked at all.
        """
        prompt = build_oracle_prompt(
            agent.name, agent.interests, agent.personality, current_state, trigger, options, context
        )
        with _forgiving(), Diagnosing():
            reply = await asyncio.wait_for(self.client.ainvoke(prompt), self.timeout)
            return parse_oracle_response(str(reply.text), options)
        return options[0]

    def decide_sync(
        self,
        agent: AgentProfile,
        current_state: S,
        trigger: str,
        options: Sequence[S],
        context: Any = None,
    ) -> S:
        """`decide` for callers that are not asynchronous."""
        prompt = build_oracle_prompt(
            agent.name, agent.interests, agent.personality, current_state, trigger, options, context
        )
        with _forgiving(), Diagnosing():
            reply = _within(self.timeout, lambda: self.client.invoke(prompt))
            return parse_oracle_response(str(reply.text), options)
        return options[0]


def build_oracle_prompt(
    agent_name: str,
    agent_interests: Sequence[str],
    agent_personality: str,
    current_state: S,
    trigger: str,
    options: Sequence[S],
    context: Any,
) -> str:
    """The question: who the agent is, what happened, and what each option means.

    A state says what it means by a `description` attribute, or else by its value or name.

    Raises:
        ValueError: there are no options.
    """
    if not options:
        raise ValueError(f"no options to decide between after {trigger!r} in {current_state!r}")
    about = format_context(context)
    subject = f"What it is about:\n{about}\n\n" if about else ""
    meanings = "\n".join(f"- {_label(option)}: {_meaning(option)}" for option in options)
    return f"""You are {agent_name}.
Your interests: {", ".join(agent_interests) or "nothing in particular"}
Your personality: {agent_personality or "not described"}

You are in the "{_label(current_state)}" state and the "{trigger}" event happened.

{subject}Choose your next state from these options:
{meanings}

Answer with JSON only:
{{"next_state": "<one of the states above>"}}"""


def format_context(context: Any) -> str:
    """What a decision is about, as short lines of text: a mapping, a value object or plain text."""
    if context is None:
        return ""
    if isinstance(context, BaseModel):
        context = context.model_dump()
    elif dataclasses.is_dataclass(context) and not isinstance(context, type):
        context = {f.name: getattr(context, f.name) for f in dataclasses.fields(context)}
    if isinstance(context, Mapping):
        context = "\n".join(f"{key}: {_plain(value)}" for key, value in context.items())
    return str(context)[:MAX_CONTEXT_CHARS]


def parse_oracle_response(response_text: str, options: Sequence[S]) -> S:
    """The option whose value, or else name, the answer gives, with or without prose around it.

    Raises:
        AnswerError: a ValueError; the answer is not JSON, or names no option.
    """
    objects = json_objects(split_thinking(response_text)[1]).found
    if not objects:
        raise AnswerError(f"no JSON object in the oracle's response {response_text[:SAID]!r}")
    answers = [answer.get("next_state") for answer in reversed(objects)]
    for answer in answers:
        option = None if answer is None else _named(str(answer).strip(), options)
        if option is not None:
            return option
    known, said = ", ".join(map(_label, options)), repr(answers[0])[:SAID]
    raise AnswerError(f"the oracle's response names no option: {said} (options: {known})")


def _within(seconds: float, ask: Callable[[], BaseMessage]) -> BaseMessage:
    """The reply; a call that takes longer goes on unheard, and does not hold up an exit."""
    reply: Future[BaseMessage] = Future()

    def run() -> None:
        try:
            reply.set_result(ask())
        except BaseException as error:  # noqa: BLE001 - it is raised again where we wait
            reply.set_exception(error)

    threading.Thread(target=contextvars.copy_context().run, args=(run,), daemon=True).start()
    return reply.result(seconds)


@contextmanager
def _forgiving() -> Iterator[None]:
    """Only warns where there is no usable answer; other faults of the model, and bugs, pass."""
    try:
        yield
    except Exception as error:
        why = _why_useless(error)
        if not why:
            raise
        log.warning("statechart oracle: %s, taking the first option", why)


def _why_useless(error: Exception) -> str:
    """No answer in time, by any library's word for that, or none to read; empty for the rest."""
    if isinstance(error, AnswerError):
        return str(error)
    cause: BaseException | None = error
    while cause is not None:
        kind, names = getattr(cause, "kind", ""), [base.__name__ for base in type(cause).__mro__]
        if kind == "timeout" or any("timeout" in name.lower() for name in names):
            return f"no answer in time ({error})"
        if kind in ("garbled", "truncated"):
            return f"no JSON in the oracle's response ({error})"
        cause = cause.__cause__
    return ""


def _named(said: str, options: Sequence[S]) -> S | None:
    """Values come before names, and exact letters before capital ones for small."""
    for field in ("value", "name"):
        names = [str(getattr(option, field)).strip() for option in options]
        for wanted, known in ((said, names), (said.casefold(), [n.casefold() for n in names])):
            if wanted in known:
                return options[known.index(wanted)]
    return None


def _label(state: Enum) -> str:
    """What a model calls a state: its value if that is a text, or else its name."""
    return state.value if isinstance(state.value, str) else state.name or str(state.value)


def _meaning(state: Enum) -> str:
    return str(getattr(state, "description", "") or _label(state).replace("_", " "))


def _plain(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
