"""The judge: one of several proposals is what the turn goes on with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from agents.briefing import Briefing
from environments.game import Value
from orchestrator.errors import RoleError
from orchestrator.state import Proposal, State, Update
from orchestrator.turns.current import current_proposals


class Pick(Value):
    """Which proposal it is to be."""

    number: int
    """Its place among them, from 0."""
    reason: str = ""


class JudgePart(Protocol):
    """Plays the role."""

    def choose(self, briefing: Briefing, proposals: Sequence[Proposal]) -> Pick: ...


class Judge:
    """Chooses one of the proposals of this turn."""

    method = "choose"
    given = 2
    answer = Pick
    writes = "proposal"
    needs = ("proposals",)
    parts: Mapping[str, str] = {
        "majority": "agents.judges:MajorityJudge",
        "best": "agents.judges:BestJudge",
        "arbiter": "agents.council:Arbiter",
    }

    @staticmethod
    def ask(part: JudgePart, briefing: Briefing, state: State) -> Any:
        return part.choose(briefing, current_proposals(state))

    @staticmethod
    def update(answer: Pick, state: State) -> Update:
        proposals = current_proposals(state)
        if not 0 <= answer.number < len(proposals):
            raise RoleError(
                f"the judge chose number {answer.number} of {len(proposals)} proposals; "
                "they count from 0"
            )
        chosen = proposals[answer.number]
        return {"proposal": chosen.model_copy(update={"chosen_for": answer.reason})}
