"""The actor that does nothing: what a story gives to whoever only waits."""

from __future__ import annotations

from agents.answers import AgentResponse
from agents.briefing import Briefing


class IdleActor:
    """The baseline under the random one: it waits."""

    def propose(self, briefing: Briefing) -> AgentResponse:
        return AgentResponse(thinking="Doing nothing.", action="wait")
