"""The roles a graph asks, as protocols: anything with the right method fits.

A role is made once an episode with the options of its config table as keyword
arguments. It gets a read-only `Briefing` and returns the named value or a dict of the
same fields; `docs/roles.md` shows each with an example.
"""

from __future__ import annotations

from typing import Protocol

from agents.answers import AgentResponse, ObjectiveReview, Verdict
from agents.briefing import Briefing
from managers.extraction import TurnExtraction


class Extractor(Protocol):
    """Reads the game's last reply."""

    def extract(self, briefing: Briefing) -> TurnExtraction: ...


class ObjectiveManager(Protocol):
    """Says which objectives are new and which are done."""

    def review(self, briefing: Briefing) -> ObjectiveReview: ...


class Actor(Protocol):
    """Proposes the next command."""

    def propose(self, briefing: Briefing) -> AgentResponse: ...


class Critic(Protocol):
    """Accepts the proposal or objects to it."""

    def judge(self, briefing: Briefing) -> Verdict: ...
