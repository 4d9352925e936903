"""What the agent believes, and what an oracle told it: observations, weighted by reliability."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import Field

from environments.game import Value
from managers.reliability import OracleReliability
from managers.statements import opposed, same

UNKNOWN = "unknown"
MOST_ACCOMPLISHED = 16
MOST_CLAIMS = 12
MOST_FAILED = 12
MOST_ACTIONS = 12
MOST_OBSERVATIONS = 4
_SHOWN = 160
_BELIEVED = 0.5
"""From which weight on a claim counts as true."""
_FADING = 0.9
"""What is left of the weight of an overall goal when the oracle names one again."""
_GIVEN_UP = 40
"""Turns after which a blocker that nothing came of is forgotten."""


class SituationUnderstanding(Value):
    """An oracle's analysis of the situation of one turn."""

    overall_goal: str | None = None
    immediate_goal: str | None = None
    accomplished: tuple[str, ...] = ()
    progress_made: bool = False
    blocking_condition: str | None = None
    blocking_reason: str | None = None
    recommended_action: str | None = None
    action_reasoning: str | None = None
    alternative_actions: tuple[str, ...] = ()
    important_state_variables: tuple[str, ...] = ()
    confidence: float = 0.5
    """The oracle's own opinion of it, 0 to 1."""

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> SituationUnderstanding:
        """Read an oracle's JSON; what it left out keeps its default, other keys are ignored."""
        known = {key: data[key] for key in cls.model_fields if data.get(key) is not None}
        return cls.model_validate(known)


class FailureAnalysis(Value):
    """Why a command failed, and what would have to come first."""

    failure_reason: str = ""
    prerequisite: str | None = None
    suggested_action: str | None = None
    lesson: str = ""


class ProgressReport(Value):
    """Whether a command brought the story forward."""

    made_progress: bool = False
    progress_type: str = "none"
    """`score`, `location`, `item`, `story` or `none`."""
    explanation: str = ""
    accomplishment: str | None = None


class AgentBeliefs(Value):
    """Everything the agent believes about the present situation, in words a prompt can use."""

    turn: int = 0
    location: str = UNKNOWN
    """`L<n> Title`."""
    inventory: tuple[str, ...] = ()
    overall_goal: str = UNKNOWN
    current_subgoal: str = UNKNOWN
    accomplished: tuple[str, ...] = ()
    blocking_condition: str | None = None
    blocked_action: str = ""
    """What it keeps from working: `north in L3 Hall`."""
    blocked_since: int = 0
    blocking_weight: float = 0.0
    last_progress: int = 0
    """The last turn that brought anything."""
    failed_actions: dict[str, str] = Field(default_factory=dict)
    """`command in place` -> reason, the latest last."""
    tracked_state: dict[str, str] = Field(default_factory=dict)
    """Variable -> `true`, `false` or another value; `unknown` until it is read off."""
    action_history: tuple[str, ...] = ()
    observation_history: tuple[str, ...] = ()
    goals: dict[str, float] = Field(default_factory=dict)
    """What has been said to be the overall goal, with the weight of the evidence."""
    claims: dict[str, float] = Field(default_factory=dict)
    """What is said to be accomplished and not yet believed, with its weight."""

    def to_prompt_context(self) -> str:
        """The beliefs as lines of a prompt; what is empty is left out."""
        carried = ", ".join(self.inventory) or "empty"
        lines = {
            "LOCATION": self.location,
            "INVENTORY": carried,
            "OVERALL GOAL": self.overall_goal,
            "CURRENT SUBGOAL": self.current_subgoal,
            "ACCOMPLISHED": ", ".join(self.accomplished),
            "BLOCKED BY": self._blocker(),
            "RECENT FAILURES": "; ".join(f"{a} ({r})" for a, r in self._latest_failures()),
            "TRACKED STATE": ", ".join(f"{k}={v}" for k, v in self.tracked_state.items()),
            "RECENT ACTIONS": ", then ".join(self.action_history[-10:]),
        }
        return "\n".join(f"{title}: {text}" for title, text in lines.items() if text)

    def _blocker(self) -> str:
        if not self.blocking_condition:
            return ""
        return self.blocking_condition + (
            f" (in the way of {self.blocked_action})" if self.blocked_action else ""
        )

    def _latest_failures(self) -> list[tuple[str, str]]:
        return list(self.failed_actions.items())[-5:]


class BeliefUpdater:
    """Revises beliefs by what an oracle or the game says; the old ones are left as they are.

    Args:
        reliability: How much an oracle's words weigh. None where the game itself speaks.
    """

    def __init__(self, reliability: OracleReliability | None = None) -> None:
        self.reliability = reliability

    def update_from_understanding(
        self, beliefs: AgentBeliefs, understanding: SituationUnderstanding
    ) -> AgentBeliefs:
        """Goal, subgoal, accomplishments and blocker, each as far as it can be trusted.

        Progress without a blocker says that the last one is gone.
        """
        changes: dict[str, Any] = {}
        weight = self._weight("goal", understanding.confidence)
        if understanding.overall_goal:
            rivals = {text: _FADING * believed for text, believed in beliefs.goals.items()}
            changes["goals"] = goals = _strengthened(rivals, understanding.overall_goal, weight)
            changes["overall_goal"] = max(goals, key=lambda text: goals[text])
        if understanding.immediate_goal and (
            weight >= _BELIEVED / 2 or beliefs.current_subgoal == UNKNOWN
        ):
            changes["current_subgoal"] = understanding.immediate_goal
        beliefs = beliefs.model_copy(update=changes)
        for text in understanding.accomplished:
            beliefs = _claimed(beliefs, text, weight)
        if understanding.blocking_condition:
            weight = self._weight("blocker", understanding.confidence)
            return _blocked(beliefs, understanding.blocking_condition, weight)
        weight = self._weight("blocker", understanding.confidence)
        gone = understanding.progress_made and weight >= beliefs.blocking_weight
        return unblocked(beliefs) if gone else beliefs

    def update_from_failure_analysis(
        self, beliefs: AgentBeliefs, action: str, analysis: FailureAnalysis
    ) -> AgentBeliefs:
        """Note that `action` failed in the present place, why, and what has to come first."""
        failed = f"{action} in {beliefs.location}"
        if analysis.failure_reason:
            reasons = {**beliefs.failed_actions}
            reasons.pop(failed, None)
            reasons[failed] = analysis.failure_reason[:_SHOWN]
            latest = dict(list(reasons.items())[-MOST_FAILED:])
            beliefs = beliefs.model_copy(update={"failed_actions": latest})
        if analysis.prerequisite:
            weight = self._weight("blocker", 1.0)
            beliefs = _blocked(beliefs, analysis.prerequisite, weight, failed)
        return beliefs

    def update_from_progress(self, beliefs: AgentBeliefs, progress: ProgressReport) -> AgentBeliefs:
        """Note what was accomplished; progress clears the blocker."""
        if not progress.made_progress:
            return beliefs
        if progress.accomplishment:
            beliefs = _claimed(beliefs, progress.accomplishment, self._weight("goal", 1.0))
        return unblocked(beliefs)

    def _weight(self, kind: Any, confidence: float) -> float:
        """An oracle's own confidence counts for half at most."""
        if self.reliability is None:
            return 1.0
        return self.reliability.posterior(kind).mean * (1.0 + confidence) / 2


def unblocked(beliefs: AgentBeliefs) -> AgentBeliefs:
    """The beliefs without a blocker."""
    if beliefs.blocking_condition is None:
        return beliefs
    return beliefs.model_copy(
        update={"blocking_condition": None, "blocked_action": "", "blocking_weight": 0.0}
    )


def _blocked(
    beliefs: AgentBeliefs, condition: str, weight: float, action: str = ""
) -> AgentBeliefs:
    """A blocker gives way to a better founded one, or when nothing came of it for long."""
    old = beliefs.blocking_condition
    if old is not None and beliefs.turn - beliefs.blocked_since < _GIVEN_UP:
        if same(old, condition):
            weight = max(weight, beliefs.blocking_weight)
            return beliefs.model_copy(update={"blocking_weight": weight})
        if weight < beliefs.blocking_weight:
            return beliefs
    if weight < _BELIEVED / 2 or any(same(done, condition) for done in beliefs.accomplished):
        return beliefs
    return beliefs.model_copy(
        update={
            "blocking_condition": condition,
            "blocked_action": action or beliefs.blocked_action,
            "blocked_since": beliefs.turn,
            "blocking_weight": weight,
        }
    )


def _claimed(beliefs: AgentBeliefs, text: str, weight: float) -> AgentBeliefs:
    """Believed once the evidence for it is more likely than not; what it denies is dropped."""
    if any(same(done, text) for done in beliefs.accomplished):
        return beliefs
    claims = _strengthened(beliefs.claims, text, weight)
    key = next((known for known in claims if known == text or same(known, text)), "")
    if claims.get(key, 0.0) < _BELIEVED:
        return beliefs.model_copy(update={"claims": claims})
    del claims[key]
    kept = [done for done in beliefs.accomplished if not opposed(done, text)]
    done = tuple([*kept, text[:_SHOWN]][-MOST_ACCOMPLISHED:])
    return beliefs.model_copy(update={"claims": claims, "accomplished": done})


def _strengthened(claims: Mapping[str, float], text: str, weight: float) -> dict[str, float]:
    """Independent evidence adds up as 1 - (1 - p)(1 - q); what it denies loses as much."""
    text = text[:_SHOWN]
    merged = {
        known: believed * (1.0 - weight if opposed(known, text) else 1.0)
        for known, believed in claims.items()
    }
    key = next((known for known in merged if known == text or same(known, text)), text)
    merged[key] = 1.0 - (1.0 - claims.get(key, 0.0)) * (1.0 - min(weight, 0.99))
    strongest = sorted(merged, key=lambda known: -merged[known])[:MOST_CLAIMS]
    return {known: round(merged[known], 4) for known in strongest}


def shortened(history: Sequence[str], text: str, most: int) -> tuple[str, ...]:
    """A bounded history with one more entry."""
    return tuple([*history, " ".join(text.split())[:_SHOWN]][-most:])
