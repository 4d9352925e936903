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
from managers.reliability import OracleReliability

_PATIENCE = 8.0
"""Turns without anything new after which being stuck weighs about two thirds."""
_GAIN = 4.0
"""Points that a right choice is worth where the agent has no good one of its own."""
_EVER = 0.02
"""The least chance that an answer helps: an oracle that was given up may have improved."""


class Advice(Value):
    """What the oracle answered in one turn."""

    turn: int
    number: int
    """How often it has been asked in this episode."""
    understanding: SituationUnderstanding
    failure: FailureAnalysis | None = None
    """Of the command before."""
    progress: ProgressReport | None = None
    """By the command before."""
    variables: tuple[str, ...] = ()
    """State variables it suggests for the contradictions it was shown."""
    state: dict[str, str] = Field(default_factory=dict)
    """Values of the tracked variables, read off the situation."""


class Deliberation(Value):
    """Why the oracle was asked in a turn or was not, in points of score."""

    turn: int
    worth: float
    """Of an answer: the chance that it helps, times what is at stake."""
    price: float

    @property
    def ask(self) -> bool:
        return self.worth > self.price


class Tariff(Value):
    """What asking costs."""

    tokens: int = 2500
    """Of one question with its answer."""
    price: float = 0.1
    """Points of score that a thousand tokens have to bring."""

    @property
    def cost(self) -> float:
        return self.tokens * self.price / 1000


def deliberate(
    beliefs: AgentBeliefs,
    reliability: OracleReliability,
    candidates: Sequence[Candidate],
    last: Advice | None,
    tariff: Tariff,
) -> Deliberation:
    """Weigh an answer for the coming turn.

    Args:
        beliefs: after the last turn.
        reliability: how far the oracle's recommendations can be trusted.
        candidates: what the agent would consider by itself, with the utilities.
        last: the oracle's last answer, of whatever turn.
        tariff: what asking costs.
    """
    worth = max(_EVER, reliability.hope) * urgency(beliefs, last) * stakes(candidates)
    return Deliberation(turn=beliefs.turn + 1, worth=round(worth, 3), price=tariff.cost)


def urgency(beliefs: AgentBeliefs, last: Advice | None) -> float:
    """1 where something new has come up since the oracle saw it; else it grows with the turns."""
    asked = last.turn - 1 if last else -1
    if beliefs.last_progress > asked:
        return 1.0
    return 1.0 - math.exp(-(beliefs.turn - asked) / _PATIENCE)


def stakes(candidates: Sequence[Candidate]) -> float:
    """What a right choice could add: nothing where one candidate stands out and is good."""
    utilities = [max(0.0, one.utility) for one in candidates]
    best, total = max(utilities, default=0.0), sum(utilities)
    doubt = 1.0 - best / total if total else 1.0
    return _GAIN * max(doubt, 1.0 / (1.0 + best))
