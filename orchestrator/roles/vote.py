"""The vote: several opinions on a proposal become one verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from agents.answers import Ruling
from agents.briefing import Briefing
from orchestrator.state import Judgement, State, Update
from orchestrator.turns.current import current_opinions


class VotePart(Protocol):
    """Plays the role."""

    def rule(self, briefing: Briefing, opinions: Sequence[Judgement]) -> Ruling: ...


class Vote:
    """Makes one verdict of what several critics think of the proposal."""

    method = "rule"
    given = 2
    answer = Ruling
    writes = "judgements"
    needs = ("proposal", "opinions")
    parts: Mapping[str, str] = {
        "majority": "agents.judges:MajorityVote",
        "veto": "agents.judges:Veto",
    }

    @staticmethod
    def ask(part: VotePart, briefing: Briefing, state: State) -> Any:
        return part.rule(briefing, current_opinions(state))

    @staticmethod
    def update(answer: Ruling, state: State) -> Update:
        proposal = state["proposal"]
        judgement = Judgement(
            turn=proposal.turn,
            attempt=proposal.attempt,
            command=proposal.command,
            verdict=answer,
        )
        return {"judgements": [judgement]}
