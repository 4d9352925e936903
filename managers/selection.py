"""The choice among the candidates: one expected utility of which every source is a factor."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from typing import NamedTuple

from managers.beliefs import AgentBeliefs, FailureAnalysis, SituationUnderstanding
from managers.candidates.candidate import ESCAPE, REPLY, Candidate, in_peril
from managers.promise import Promise, trusted
from managers.reliability import OracleReliability
from managers.statements import addressing, same_command
from managers.text.commands import parse_command
from managers.transitions import DynamicsModel

ADVISED = "advised"
"""The kind of a candidate that is somebody else's idea."""
_LEAST = 0.01
"""Utility below which the planner's differences mean nothing."""
_LEAVING = frozenset({"enter", "climb", "leave"})
_EXPERIENCE = 3.0
"""How many observations in this state the planner's own estimate is worth."""
_UNBLOCKING = 2.0
"""How much likelier dealing with a certain blocker is the right thing to do."""


class Appraisal(NamedTuple):
    """A candidate with its expected utility and the factors it is the product of."""

    candidate: Candidate
    utility: float
    factors: dict[str, float]

    @property
    def reason(self) -> str:
        """The factor that speaks most for it, in words."""
        name = max(self.factors, key=lambda one: self.factors[one])
        return _REASONS[name] if self.factors[name] > 1.05 else _REASONS["planned"]


_REASONS = {
    "planned": "the best plan",
    "advised": "the oracle recommends it",
    "staying": "the oracle has more to say of this place",
    "unblocking": "it deals with what blocks the way",
    "experienced": "it worked in this state before",
    "curious": "little is known about it",
}


class InformedActionSelector:
    """Chooses by the planner's utility, advice, blockers, learned dynamics and curiosity.

    Args:
        reliability: of the oracle, or the promise that was drawn from it for this turn.
        dynamics: the learned P(s', r | s, a).
        exploration_rate: weight of the upper-confidence bonus for what was seldom tried.
    """

    def __init__(
        self,
        reliability: OracleReliability | Promise,
        dynamics: DynamicsModel,
        exploration_rate: float = 0.2,
    ) -> None:
        self.promise = (
            reliability.promise() if isinstance(reliability, OracleReliability) else reliability
        )
        self.dynamics = dynamics
        self.exploration_rate = exploration_rate

    def select_action(
        self,
        beliefs: AgentBeliefs,
        candidates: Sequence[Candidate],
        understanding: SituationUnderstanding | None = None,
    ) -> tuple[str, str]:
        """The best command and why; `look` where there is nothing to choose from."""
        ranked = self.appraise(beliefs, candidates, understanding)
        if not ranked:
            return "look", "nothing else is known"
        return ranked[0].candidate.command, ranked[0].reason

    def appraise(
        self,
        beliefs: AgentBeliefs,
        candidates: Sequence[Candidate],
        understanding: SituationUnderstanding | None = None,
    ) -> list[Appraisal]:
        """All candidates, the best first; equally good ones keep their order."""
        aims = [_aim(beliefs, one) for one in candidates]
        counts = [self.dynamics.observation_count(there, goal) for there, goal in aims]
        total = sum(counts)
        lead = self._lead(candidates, understanding)
        peril = in_peril(candidates)
        appraisals = []
        for candidate, (there, goal), count in zip(candidates, aims, counts, strict=True):
            told, own = candidate.command, candidate.kind != ADVISED
            trust = 1.0 if own else self.promise.trust(told, planned=own, peril=peril)
            planned = max(candidate.utility * trust, _LEAST)
            promise = self.promise.of(told, planned=own, peril=peril)
            promised = promise * _share(candidate, understanding)
            factors = {
                "planned": planned,
                "advised": _advised(candidate, planned, promised),
                "unblocking": _unblocking(goal, beliefs),
                "staying": _staying(candidate, planned, lead, understanding),
                "experienced": self._experienced(candidate.probability, there, goal, count),
                "curious": self._curious(count, total),
            }
            appraisals.append(Appraisal(candidate, math.prod(factors.values()), factors))
        return sorted(appraisals, key=lambda one: -one.utility)

    def _lead(
        self, candidates: Sequence[Candidate], understanding: SituationUnderstanding | None
    ) -> float:
        """How much more the oracle's next word promises, spoken of here, than any own plan."""
        if understanding is None or not understanding.recommended_action:
            return 0.0
        best = max((one.utility for one in candidates), default=0.0)
        return self.promise.beyond(best, peril=in_peril(candidates))

    def _experienced(self, probability: float, there: AgentBeliefs, goal: str, count: int) -> float:
        """Less for what failed in this very state more often than the planner supposed.

        What worked is no reason to do it again; points are.
        """
        if not count:
            return 1.0
        failed = self.dynamics.failure_count(there, goal)
        supposed = min(0.99, max(0.01, probability))
        learned = (count - failed + _EXPERIENCE * supposed) / (count + _EXPERIENCE)
        reward = max(0.0, self.dynamics.expected_reward(there, goal))
        return min(1.0, learned / supposed) * (1.0 + reward)

    def _curious(self, count: int, total: int) -> float:
        return 1.0 + self.exploration_rate * math.sqrt(math.log1p(total) / (1 + count))


def _aim(beliefs: AgentBeliefs, candidate: Candidate) -> tuple[AgentBeliefs, str]:
    """What a candidate is for in the end, and the state it is done in, wherever that is."""
    goal = candidate.route[-1] if candidate.route else candidate.command
    if len(candidate.route) < 2 or not candidate.room:
        return beliefs, goal
    return beliefs.model_copy(update={"location": candidate.room}), goal


def _advised(candidate: Candidate, planned: float, promised: float) -> float:
    """What advice promises replaces a smaller utility; which reply is right, it alone can tell."""
    return 1.0 + promised / planned if candidate.kind == REPLY else max(1.0, promised / planned)


def _unblocking(goal: str, beliefs: AgentBeliefs) -> float:
    """How far a command deals with the blocker, as far as that is likelier than an even chance."""
    believed = trusted(beliefs.blocking_weight)
    if not (beliefs.blocking_condition and believed):
        return 1.0
    return 1.0 + _UNBLOCKING * believed * addressing(goal, beliefs.blocking_condition)


def _staying(
    candidate: Candidate, planned: float, lead: float, understanding: SituationUnderstanding | None
) -> float:
    """Less for going away from where the oracle has more to say: it would only lead back."""
    parts = parse_command(candidate.command)
    leaves = (parts.direction or parts.verb in _LEAVING) and candidate.kind != ESCAPE
    if not lead or not leaves or _share(candidate, understanding):
        return 1.0
    return max(_LEAST, 1.0 - lead / planned)


def _share(candidate: Candidate, understanding: SituationUnderstanding | None) -> float:
    """How much of what advice promises a command has; alternatives share half of it."""
    if understanding is None:
        return 0.0
    told, others = understanding.recommended_action, understanding.alternative_actions
    if told and same_command(told, candidate.command):
        return 1.0
    if any(same_command(other, candidate.command) for other in others):
        return 1.0 / (2 * len(others))
    return 0.0


def with_recommended(
    candidates: Sequence[Candidate], understanding: SituationUnderstanding | None
) -> tuple[Candidate, ...]:
    """The candidates with what the oracle recommends, if it is none of them.

    Nothing is known about it, so that it counts as an average one; advice does the rest.
    """
    if understanding is None:
        return tuple(candidates)
    purpose = understanding.action_reasoning or "the oracle says so"
    return _with_unplanned(candidates, understanding.recommended_action, purpose)


def with_suggested(
    candidates: Sequence[Candidate], failure: FailureAnalysis | None
) -> tuple[Candidate, ...]:
    """The candidates with what a model would try instead of what failed, if it is none of them."""
    if failure is None:
        return tuple(candidates)
    return _with_unplanned(candidates, failure.suggested_action, "instead of what failed")


def _with_unplanned(
    candidates: Sequence[Candidate], told: str | None, purpose: str
) -> tuple[Candidate, ...]:
    if not told or any(same_command(told, one.command) for one in candidates):
        return tuple(candidates)
    utilities = [one.utility for one in candidates] or [_LEAST]
    command = " ".join(told.lower().split())
    recommended = Candidate(
        command=command,
        kind=ADVISED,
        purpose=purpose,
        probability=0.5,
        utility=round(statistics.fmean(utilities), 3),
        route=(command,),
    )
    return (*candidates, recommended)
