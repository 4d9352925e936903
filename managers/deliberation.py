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
from managers.candidates.candidate import Candidate
from managers.modes import PlayMode
from managers.statements import same_command

_PATIENCE = 8.0
"""Turns without anything new after which being stuck weighs about two thirds."""
_GAIN = 4.0
"""Points that a right choice is worth where the agent has no good one of its own."""


class Deliberation(Value):
    """What an answer is worth and what it costs, in points of score."""

    worth: float
    """Of an answer: the chance that it helps, times what is at stake."""
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
    trust: float,
    candidates: Sequence[Candidate],
    last: Advice | None,
    tariff: Tariff,
) -> Deliberation:
    """Weigh an answer for the coming turn.

    Args:
        beliefs: after the last turn.
        trust: how far a recommendation is trusted in this turn, 0 to 1; where it is drawn from
            the oracle's reliability, one that is poorly known gets its chance.
        candidates: what the agent would consider by itself, with the utilities.
        last: the oracle's last answer, of whatever turn.
        tariff: what asking costs.
    """
    worth = trust * urgency(beliefs, last) * stakes(candidates, trust)
    return Deliberation(worth=round(worth, 3), price=tariff.cost)


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


def stakes(candidates: Sequence[Candidate], trust: float) -> float:
    """What a right choice could add, as far as an answer could change the choice at all.

    Nothing where one candidate stands out and is good, or where the oracle is trusted too
    little to lift an average one above the best.
    """
    utilities = [max(0.0, one.utility) for one in candidates]
    best, total = max(utilities, default=0.0), sum(utilities)
    if len(utilities) < 2 or not total:
        return _GAIN
    lifted = times_likelier(trust, len(utilities)) * total / len(utilities) > best
    return _GAIN * max(1.0 - best / total, 1.0 / (1.0 + best)) * lifted


def times_likelier(trust: float, choices: int) -> float:
    """How much likelier to be right an oracle's choice is than any other one.

    It is right with probability `trust` and else names any of the choices.
    """
    return 1.0 + choices * trust / (1.0 - trust)
