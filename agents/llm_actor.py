"""An actor that asks a model for the next command."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from agents.answers import MAX_REQUESTS, AgentResponse, NewObjective
from agents.bayesian import BayesianActor
from agents.briefing import Briefing
from agents.models.ledger import CallRecord
from agents.prompting import DEFAULT_MODEL, Questioner, command_or_none, or_none
from agents.roles import Actor
from agents.short import Command, Id, Phrase, Sentence, ShortNotes
from agents.structured import AnyModel
from managers.language.actions import parse, same_action
from managers.language.history import History
from managers.world.queries import ToolRequest

_IN_A_ROW = 2
"""So often a command may bring the same reply before it counts as going round in a circle."""


class ShortMove(ShortNotes):
    """What a small model is asked for."""

    action: Command
    thinking: Sentence
    objective: Phrase
    done: Id = ""

    def whole(self) -> AgentResponse:
        """With the objective, if it names one, and the one that is reached."""
        return AgentResponse(
            thinking=self.thinking,
            action=self.action,
            new_objective=or_none(self.objective),
            complete_objective=or_none(self.done),
        )


class LLMActor:
    """Plays what a model proposes.

    Args:
        model: `provider:name`, a `ModelConfig`, a LangChain chat model or an `Asker`.
        prompt: A shipped prompt, or a file of one's own.
        tools: Whether the model may query the world model before it answers.
        fallback: Who proposes where the model's answer is no good twice; by default the agent's
            own actor.
    """

    def __init__(
        self,
        *,
        model: AnyModel = DEFAULT_MODEL,
        prompt: str = "actor",
        tools: bool = False,
        fallback: Actor | None = None,
    ) -> None:
        self._question = Questioner("actor", model, prompt, tools=tools)
        self._fallback = fallback or BayesianActor()

    def propose(self, briefing: Briefing) -> AgentResponse:
        requests: list[ToolRequest] = []
        answer, record = self._question.ask(
            briefing, AgentResponse, partial(problems, briefing), short=ShortMove, requests=requests
        )
        if answer is not None:
            return tidy(answer, briefing, requests)
        return stand_in(self._fallback, briefing, record)


def stand_in(actor: Actor, briefing: Briefing, record: CallRecord) -> AgentResponse:
    """What another actor proposes where a model has no usable answer; it is marked."""
    planned = actor.propose(briefing)
    faults = ", ".join(dict.fromkeys(fault.kind for fault in record.faults))
    return planned.model_copy(
        update={"thinking": f"[no usable answer of the model: {faults}] {planned.thinking}"}
    )


def problems(briefing: Briefing, response: AgentResponse) -> Iterator[str]:
    """What is wrong with an answer that has the right form."""
    command = command_or_none(response.action)
    if command is None:
        yield f"action: {response.action[:40]!r} is not one game command"
    elif _goes_round(command, briefing.history):
        yield f"action: `{command}` has just brought the same reply {_IN_A_ROW} times in a row"


def _goes_round(command: str, history: History) -> bool:
    """Only this was played of late, and the game has said the very same to it.

    One may wait so, and try what hangs on chance.
    """
    last = history.exchanges[-_IN_A_ROW:]
    played = all(same_action(one.command, command) for one in last)
    replies = {one.reply for one in last}
    chancy = parse(command).has("chancy")
    return len(last) == _IN_A_ROW and played and len(replies) == 1 and not chancy


def tidy(
    response: AgentResponse, briefing: Briefing, requests: Sequence[ToolRequest]
) -> AgentResponse:
    """The response with a clean command, and without objectives that say nothing."""
    declared = response.new_objective
    if isinstance(declared, NewObjective):
        declared = declared if or_none(declared.text) else None
    else:
        declared = or_none(declared)
    return response.model_copy(
        update={
            "action": command_or_none(response.action),
            "new_objective": declared,
            "complete_objective": _active(response.complete_objective, briefing),
            "drop_objective": _active(response.drop_objective, briefing),
            "requests": tuple(requests[:MAX_REQUESTS]),
        }
    )


def _active(id: str | None, briefing: Briefing) -> str | None:
    """The id, if it is that of an active objective."""
    named = (or_none(id) or "").upper()
    return named if any(one.id == named for one in briefing.active) else None
