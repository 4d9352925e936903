"""A model chooses where several transitions of a statechart are open to an agent."""

from __future__ import annotations

import dataclasses
import logging
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Protocol, TypeVar

from langchain_core.messages import BaseMessage
from langchain_core.runnables import Runnable
from pydantic import BaseModel

from agents.json_text import json_objects, split_thinking
from agents.models.faults import Diagnosing, ModelFault

MAX_CONTEXT_CHARS = 2000

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
        client: Any LangChain chat model, or what answers a prompt like one; its own time-out
            bounds the wait.
    """

    def __init__(self, client: Runnable[Any, BaseMessage]) -> None:
        self.client = client

    async def decide(
        self,
        agent: AgentProfile,
        current_state: S,
        trigger: str,
        options: Sequence[S],
        context: Any = None,
    ) -> S:
        """One of the options: the model's choice, or the first where it gives no usable answer.

        Raises:
            ValueError: there are no options.
            ModelFault: the model cannot be asked at all, which is no answer to fall back from.
        """
        prompt = _question(agent, current_state, trigger, options, context)
        try:
            with Diagnosing():
                reply: BaseMessage = await self.client.ainvoke(prompt)
        except ModelFault as fault:
            return _after_timeout(fault, options)
        return _chosen(reply, options)

    def decide_sync(
        self,
        agent: AgentProfile,
        current_state: S,
        trigger: str,
        options: Sequence[S],
        context: Any = None,
    ) -> S:
        """`decide` for callers that are not asynchronous."""
        prompt = _question(agent, current_state, trigger, options, context)
        try:
            with Diagnosing():
                reply: BaseMessage = self.client.invoke(prompt)
        except ModelFault as fault:
            return _after_timeout(fault, options)
        return _chosen(reply, options)


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

    A state says what it means by a `description` attribute; without one its value does.
    """
    lines = [
        f"You are {agent_name}.",
        f"Your interests: {', '.join(agent_interests) or 'nothing in particular'}",
        f"Your personality: {agent_personality or 'not described'}",
        "",
        f'You are in the "{current_state.value}" state and the "{trigger}" event happened.',
        "",
    ]
    about = format_context(context)
    if about:
        lines += ["What it is about:", about, ""]
    lines.append("Choose your next state from these options:")
    lines += [f"- {option.value}: {describe(option)}" for option in options]
    lines += ["", "Answer with JSON only:", '{"next_state": "<one of the states above>"}']
    return "\n".join(lines)


def describe(state: Enum) -> str:
    """What a state means, for somebody who has to choose one."""
    return str(getattr(state, "description", "") or str(state.value).replace("_", " "))


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
    """The option that the answer names, in whatever letters, with or without prose around it.

    Raises:
        ValueError: the answer is not JSON, or names no option.
    """
    objects = json_objects(response_text)
    if not objects:
        raise ValueError(f"no JSON object in the oracle's response {response_text[:200]!r}")
    by_name = {str(option.value).lower(): option for option in reversed(options)}
    answers = [answer.get("next_state") for answer in objects]
    for answer in answers:
        if isinstance(answer, str) and answer.strip().lower() in by_name:
            return by_name[answer.strip().lower()]
    known = ", ".join(str(option.value) for option in options)
    raise ValueError(f"the oracle's response names no option: {answers[0]!r} (options: {known})")


def _question(
    agent: AgentProfile, state: S, trigger: str, options: Sequence[S], context: Any
) -> str:
    if not options:
        raise ValueError(f"no options to decide between after {trigger!r} in {state.value!r}")
    return build_oracle_prompt(
        agent.name, agent.interests, agent.personality, state, trigger, options, context
    )


def _after_timeout(fault: ModelFault, options: Sequence[S]) -> S:
    if fault.kind != "timeout":
        raise fault
    log.warning("statechart oracle: no answer in time (%s), taking the first option", fault)
    return options[0]


def _chosen(reply: BaseMessage, options: Sequence[S]) -> S:
    try:
        return parse_oracle_response(split_thinking(str(reply.text))[1], options)
    except ValueError as error:
        log.warning("statechart oracle: %s, taking the first option", error)
        return options[0]


def _plain(value: Any) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(str(item) for item in value)
    return str(value)
