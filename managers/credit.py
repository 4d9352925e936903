"""Credit for what came of an oracle's answers, by evidence of the game and not by opinion.

A recommendation that changed nothing did not help. One that did is judged over a few turns: it
helped if it, or one of the next ones, brought something (a way through known rooms is worth what
lies at its end). A blow is judged only by how the fight ends. What every turn was worth is added
up besides, for those on the oracle's word and for those on the agent's own plans, so that the two
can be compared.

A recommendation that was not followed is not judged, nor is a way that was left before its end:
nobody saw what it would have brought. The one exception is a command that already failed here
with everything relevant as it is now; it counts as not helpful, because the outcome was seen.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from managers.beliefs import AgentBeliefs, SituationUnderstanding
from managers.evidence import Evidence
from managers.memory.trail import is_fight
from managers.promise import Idea, idea_of
from managers.reliability import OracleReliability
from managers.statements import addressing, same, same_command

WINDOW = 3
"""Turns within which an action has to bring something, itself or those that follow it."""
_HORIZON = 40
"""Turns after which a goal or blocker that nothing came of is judged."""
_SOON = 10
"""A goal that the oracle replaces within so many turns is not judged."""

OPEN = "open"
"""Key of the answers not judged yet, in the reliability's data."""


class Answered(NamedTuple):
    """One turn as far as the oracle's answers are concerned."""

    turn: int
    command: str
    understanding: SituationUnderstanding | None
    """What the oracle said before the command, if it was asked."""
    evidence: Evidence
    changed: bool
    """The command moved the player or did something, new or not."""
    refuted: bool
    """The recommendation is known to fail as things are."""
    expected: float = 0.0
    """The utility that the planner saw in the command."""
    idle: bool = False
    """The reply was to a command that does nothing anywhere, and no refusal for some reason."""
    planned: bool = False
    """The recommendation was among the planner's candidates."""

    @property
    def idea(self) -> Idea:
        told = self.understanding.recommended_action if self.understanding else None
        return idea_of(told or self.command, planned=self.planned)


def judge(reliability: OracleReliability, answered: Answered, beliefs: AgentBeliefs) -> None:
    """Update the reliability with what one turn shows; `beliefs` are those before the reply."""
    pending = dict(reliability.data.get(OPEN, {}))
    pending["chain"] = _judged_actions(reliability, answered, pending.get("chain", []))
    pending["goal"] = _judged_goal(reliability, answered, pending.get("goal"))
    pending["blocker"] = _judged_blocker(reliability, answered, pending.get("blocker"), beliefs)
    reliability.data[OPEN] = {key: value for key, value in pending.items() if value}


def _judged_actions(
    reliability: OracleReliability, answered: Answered, pending: list[Any]
) -> list[Any]:
    """The turns on the oracle's word that are still to be judged, and what kind they were."""
    told = answered.understanding.recommended_action if answered.understanding else None
    if told is not None:
        reliability.note_answer(answered.idea)
    if told is not None and same_command(told, answered.command):
        return _judged_advice(reliability, answered, pending)
    if told is not None and answered.refuted:
        _count(reliability, answered.idea, good=False)
    reliability.note_own(answered.expected, answered.evidence.gain)
    return []


def _judged_advice(
    reliability: OracleReliability, answered: Answered, pending: list[Any]
) -> list[Any]:
    evidence, waiting = answered.evidence, list(pending)
    did = answered.changed or evidence.helped
    reliability.note_followed(evidence.gain)
    if is_fight(answered.command) and not (evidence.helped or evidence.died):
        return waiting
    if did or answered.idle:
        reliability.note_told(answered.command, did=did)
    if did:
        waiting.append([answered.turn, answered.idea])
    else:
        _count(reliability, answered.idea, good=False)
    if evidence.helped or evidence.died:
        for _, idea in waiting:
            _count(reliability, idea, good=evidence.helped)
        return []
    late = [entry for entry in waiting if answered.turn - entry[0] >= WINDOW - 1]
    for _, idea in late:
        _count(reliability, idea, good=False)
    return waiting[len(late) :]


def _count(reliability: OracleReliability, idea: Idea, *, good: bool) -> None:
    reliability.update_recommendation(good)
    reliability.update(idea, good)


def _judged_goal(
    reliability: OracleReliability, answered: Answered, goal: list[Any] | None
) -> list[Any] | None:
    named = answered.understanding.immediate_goal if answered.understanding else None
    if named and (goal is None or not same(goal[0], named)):
        if goal is not None and answered.turn - goal[1] >= _SOON:
            reliability.update_goal(False)
        goal = [named, answered.turn]
    if goal is None:
        return None
    evidence = answered.evidence
    if evidence.scored > 0 or any(same(goal[0], done) for done in evidence.objectives):
        reliability.update_goal(True)
        return None
    if answered.turn - goal[1] >= _HORIZON:
        reliability.update_goal(False)
        return None
    return goal


def _judged_blocker(
    reliability: OracleReliability,
    answered: Answered,
    blocker: list[Any] | None,
    beliefs: AgentBeliefs,
) -> list[Any] | None:
    """Resolved: what it blocked works, or dealing with it brought the story forward."""
    named = answered.understanding.blocking_condition if answered.understanding else None
    if named and (blocker is None or not same(blocker[0], named)):
        blocker = [named, beliefs.blocked_action, answered.turn, False]
    if blocker is None:
        return None
    condition, action, since, addressed = blocker
    addressed = addressed or addressing(answered.command, condition) >= 0.5
    evidence = answered.evidence
    if (evidence.unblocked and evidence.unblocked == action) or (addressed and evidence.advanced):
        reliability.update_blocker(True)
        return None
    if answered.turn - since >= _HORIZON:
        reliability.update_blocker(False)
        return None
    return [condition, action, since, addressed]
