"""How much to deliberate: the oracle is asked where its answer is worth more than its price."""

from __future__ import annotations

import math
from collections.abc import Sequence

from pydantic import Field

from environments.game import Value
from managers.beliefs import (
    AgentBeliefs,
    FailureAnalysis,
    ProgressReport,
    SituationUnderstanding,
)
from managers.candidates.candidate import REPLY, Candidate, in_peril
from managers.modes import PlayMode
from managers.promise import Promise
from managers.statements import same_command

_PATIENCE = 3.0
"""Turns without anything new after which being stuck weighs about two thirds."""


class Deliberation(Value):
    """What an answer is worth and what it costs, in points of score."""

    worth: float
    """Of an answer: by how much what it promises exceeds the agent's own best plan."""
    price: float

    @property
    def ask(self) -> bool:
        return self.worth > self.price or not self.price


class Advice(Value):
    """What the oracle answered in one turn."""

    turn: int
    number: int
    """How often it has been asked in this episode."""
    deliberation: Deliberation
    """Why it was asked."""
    understanding: SituationUnderstanding
    failure: FailureAnalysis | None = None
    """Of the command before."""
    progress: ProgressReport | None = None
    """By the command before."""
    variables: tuple[str, ...] = ()
    """State variables it suggests for the contradictions it was shown."""
    state: dict[str, str] = Field(default_factory=dict)
    """Values of the tracked variables, read off the situation."""
    mode: PlayMode | None = None
    """What it makes of the choice that the play mode left."""


class Tariff(Value):
    """What asking costs."""

    tokens: int = 2500
    """Of one question with its answer."""
    price: float = 0.3
    """Points of score that a thousand tokens have to bring."""

    @property
    def cost(self) -> float:
        return self.tokens * self.price / 1000


def deliberate(
    beliefs: AgentBeliefs,
    promise: Promise,
    candidates: Sequence[Candidate],
    last: Advice | None,
    tariff: Tariff,
) -> Deliberation:
    """Weigh an answer for the coming turn.

    Args:
        beliefs: after the last turn.
        promise: what a recommendation promises in this turn, in the candidates' utility; where
            it is drawn from the oracle's reliability, one that is poorly known gets its chance.
        candidates: what the agent would consider by itself, with the utilities.
        last: the oracle's last answer, of whatever turn.
        tariff: what asking costs.
    """
    best = _to_exceed(candidates) if candidates else 0.0
    lead = promise.beyond(best, peril=in_peril(candidates))
    worth = urgency(beliefs, last) * lead
    return Deliberation(worth=round(worth, 3), price=tariff.cost)


def _to_exceed(candidates: Sequence[Candidate]) -> float:
    """The utility of the best candidate; of the best reply to a question, its lead.

    That a question is to be answered does not tell which answer is the right one.
    """
    best, *others = sorted(candidates, key=lambda one: -one.utility)
    rivals = [one.utility for one in others if one.kind == REPLY == best.kind]
    return best.utility - max(rivals, default=0.0)


def urgency(beliefs: AgentBeliefs, last: Advice | None) -> float:
    """1 after something new and on a way the oracle has led to; else it grows with the turns."""
    asked = last.turn - 1 if last else -1
    if beliefs.last_progress > asked or (last is not None and _following(beliefs, last)):
        return 1.0
    return 1.0 - math.exp(-(beliefs.turn - asked) / _PATIENCE)


def _following(beliefs: AgentBeliefs, last: Advice) -> bool:
    """The last command was what the oracle had recommended for it."""
    told = last.understanding.recommended_action
    played = beliefs.action_history[-1:]
    return last.turn == beliefs.turn and bool(told and played and same_command(told, *played))
