"""An actor that fails every other turn, and critics that see it coming or do not."""

from __future__ import annotations

from agents.answers import AgentResponse, Verdict
from agents.briefing import Briefing

WORKS, FAILS = "look", "take the moon"


class Wavering:
    """Plays what works and what fails by turns, whatever is said against it."""

    def propose(self, briefing: Briefing) -> AgentResponse:
        return AgentResponse(thinking="", action=FAILS if briefing.turn % 2 else WORKS)


class Against:
    """Objects to one command and accepts all others."""

    def __init__(self, command: str) -> None:
        self.command = command

    def judge(self, briefing: Briefing) -> Verdict:
        assert briefing.proposal is not None
        accept = briefing.proposal.action != self.command
        return Verdict(accept=accept, reason="I do not like it", confidence=0.9)
