"""What a role is told: read-only, made anew for every question."""

from __future__ import annotations

import random
from dataclasses import dataclass

from agents.answers import AgentResponse
from environments.game import Observation, Value
from managers.candidates import Candidate
from managers.extraction import TurnExtraction
from managers.objectives import Objective
from managers.situation import Situation


class RecentTurn(Value):
    """One line of the recent history."""

    turn: int
    room: str
    command: str
    reply: str
    """The reply's first words."""
    result: str


class Objection(Value):
    """A proposal of this turn that the critic did not accept."""

    command: str
    reason: str


@dataclass(frozen=True)
class Briefing:
    """The situation as the roles see it; prompts may use nothing else."""

    turn: int
    """The turn that is being decided, or whose reply is being read."""
    seed: int
    """The agent's seed of this episode."""
    command: str
    """The last command played; empty at the opening."""
    observation: Observation
    extraction: TurnExtraction | None
    situation: Situation
    recent: tuple[RecentTurn, ...]
    objectives: tuple[Objective, ...]
    candidates: tuple[Candidate, ...]
    objections: tuple[Objection, ...] = ()
    proposal: AgentResponse | None = None

    @property
    def attempt(self) -> int:
        """1, and one more for every objection of this turn."""
        return len(self.objections) + 1

    def rng(self, purpose: str) -> random.Random:
        """A generator that depends on nothing but seed, turn, attempt and purpose."""
        return random.Random(f"{self.seed}/{self.turn}/{self.attempt}/{purpose}")
