"""The actor that weighs the planner's candidates with everything else the agent believes."""

from __future__ import annotations

from dataclasses import replace

from agents.answers import AgentResponse
from agents.briefing import Briefing
from agents.planner import PlannerActor
from managers.candidates.leanings import EVEN
from managers.selection import InformedActionSelector


class BayesianActor:
    """Plays the candidate with the highest expected utility, and says why.

    Args:
        exploration_rate: Weight of the bonus for what was seldom tried.
        declare_from: A plan of at least this many commands is declared as an objective.
        profile: How it likes to play: `even`, `cautious` or `bold`.
    """

    def __init__(
        self, *, exploration_rate: float = 0.2, declare_from: int = 3, profile: str = EVEN
    ) -> None:
        self._exploration_rate = exploration_rate
        self._planner = PlannerActor(declare_from=declare_from, profile=profile)
        self.profile = profile

    def propose(self, briefing: Briefing) -> AgentResponse:
        selector = InformedActionSelector(
            briefing.promise, briefing.dynamics, self._exploration_rate
        )
        ranked = selector.appraise(briefing.beliefs, briefing.candidates, briefing.understanding)
        weighed = tuple(one.candidate.model_copy(update={"utility": one.utility}) for one in ranked)
        response = self._planner.propose(replace(briefing, candidates=weighed))
        chosen = next((one for one in ranked if one.candidate.command == response.action), None)
        if chosen is None:
            return response
        thinking = f"{response.thinking} Of {len(ranked)} candidates: {chosen.reason}."
        return response.model_copy(update={"thinking": thinking})
