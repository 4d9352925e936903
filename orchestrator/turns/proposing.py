"""From the actor's answer to proposals: a line of several commands takes a turn for each."""

from __future__ import annotations

from agents.answers import AgentResponse, AnswerError, clean_action
from agents.briefing import Briefing
from environments.splitting import split_commands
from managers.language.actions import table
from orchestrator.state import Proposal, State


def proposed(briefing: Briefing, response: AgentResponse, *, split: bool) -> Proposal:
    """The proposal that an answer makes for this turn; what else its line holds waits."""
    if response.then:
        return _blind(briefing, response, response.action, response.then)
    line = command_of(response.action)
    first, *rest = split_commands(line, table().words) if split else [line]
    if rest:
        response = response.model_copy(update={"action": first})
    return Proposal(
        turn=briefing.turn,
        attempt=briefing.attempt,
        response=response,
        command=first,
        pending=tuple(rest),
    )


def carried_on(state: State, briefing: Briefing) -> Proposal | None:
    """The next command of a line that is still good; None after failure, surprise, objection."""
    last = state.get("proposal")
    if last is None or last.turn != state["turn"] or not last.pending:
        return None
    first, *rest = last.pending
    if last.blind:
        return _blind(briefing, last.response, first, tuple(rest))
    if briefing.objections or _surprised(briefing):
        return None
    return Proposal(
        turn=briefing.turn,
        attempt=briefing.attempt,
        response=AgentResponse(thinking=last.response.thinking, action=first),
        command=first,
        pending=tuple(rest),
    )


def _blind(
    briefing: Briefing, response: AgentResponse, command: str, pending: tuple[str, ...]
) -> Proposal:
    """One of the commands that are played whatever comes of them."""
    return Proposal(
        turn=briefing.turn,
        attempt=briefing.attempt,
        response=AgentResponse(thinking=response.thinking, action=command),
        command=command_of(command),
        pending=pending,
        blind=True,
    )


def _surprised(briefing: Briefing) -> bool:
    read = briefing.extraction
    if read is None or read.died or read.question or briefing.observation.fault:
        return True
    return read.action_result.result == "failure"


def command_of(action: str) -> str:
    """The cleaned command; what cleaning leaves nothing of stands as it is, it may be a key."""
    try:
        return clean_action(action)
    except AnswerError:
        return action.strip()
