"""Credit assignment: which of an oracle's answers were right, by what the game has shown.

A recommendation that changed nothing did not help. One that did is judged over a few turns: it
helped if it, or one of the next ones, brought something, as a way through known rooms is worth
what lies at its end. A blow is judged only by how the fight ends. Of what was not followed, or
left before its end, nobody saw what it would have brought; the exceptions are a command that has
failed here already with everything relevant as it is now, and what the agent undoes at once.

A goal is right if it is reached, or if pursuing it brought something; a blocker if what it blocked
works now, or if dealing with it brought something. Both are wrong if nothing came of them for long
or until the oracle named many others. Progress that it sees is right if the game has shown some.
"""

from __future__ import annotations

from operator import is_
from typing import NamedTuple

from managers.language.actions import direction_of, same_action
from managers.language.reading import ProgressReport
from managers.learning.transition import Reward
from managers.memory.trail import is_fight
from managers.trust.beliefs import JUDGED_AS, AgentBeliefs, BeliefUpdater, Claim, concluded
from managers.trust.deliberation import Advice
from managers.trust.reliability import Followed, OracleReliability
from managers.trust.wording import Sort, addressing, same, sort_of

WINDOW = 3
"""Turns within which an action has to bring something, itself or those that follow it."""
_HORIZON = 40
"""Turns after which a goal or blocker that nothing came of is judged."""
_LASTING = 150
"""The same for the goal of the whole story."""
_SUPERSEDED = 5
"""So many newer ones of a kind end it, too."""
_TAKEN_BACK = 4
"""So many times is it worth that a recommended command did nothing, if it was taken back."""
_DEALS = 0.5
"""How far a command must deal with a goal or blocker to be for it."""


class Aftermath(NamedTuple):
    """What the game has shown of one command, and what had been expected of it."""

    turn: int
    command: str
    reward: Reward
    changed: bool = False
    """It moved the player or did something, new or not."""
    idle: bool = False
    """It does nothing anywhere, rather than being refused for some reason."""
    pursued: tuple[str, ...] = ()
    """The texts of the objectives that the command was for."""
    utility: float = 0.0
    """That the agent saw in the command."""
    listed: bool = False
    """The recommended command was among the agent's own options."""
    refuted: bool = False
    """The recommended command was known to fail as things are."""
    undone: bool = False
    """It took up again what had been put down."""


def judge(
    reliability: OracleReliability,
    beliefs: AgentBeliefs,
    outcome: Aftermath,
    advice: Advice | None,
) -> AgentBeliefs:
    """Update the reliability, which is changed, with what one turn shows.

    Args:
        reliability: of the oracle.
        beliefs: before the reply, with what the oracle said in this turn.
        outcome: of the turn's command.
        advice: the oracle's answer of this turn, if it was asked.

    Returns:
        The beliefs without the goals and blockers that are judged now; a goal that is reached is
        accomplished.
    """
    _judge_recommendation(reliability, outcome, advice)
    if advice is not None:
        _judge_progress(reliability, advice)
    if outcome.reward.helped:
        reliability.replace(advanced=outcome.turn)
    return _judge_claims(reliability, beliefs, outcome)


def _judge_recommendation(
    reliability: OracleReliability, outcome: Aftermath, advice: Advice | None
) -> None:
    told = advice.understanding.recommended_action if advice else None
    if advice is not None and told:
        sort = sort_of(told, listed=outcome.listed)
        sure = advice.understanding.confidence
        reliability.note_recommended(sort)
        if same_action(told, outcome.command):
            _judge_followed(reliability, outcome, sort, sure)
            return
        if outcome.refuted:
            reliability.update_recommendation(False, sort, sure)
    for one in reliability.data.followed if outcome.undone else ():
        reliability.update_recommendation(False, one.sort, one.confidence)
        reliability.note_gain(False, one.gain)
        reliability.note_effect(one.command, did=False, times=_TAKEN_BACK)
    reliability.note_own(outcome.utility, outcome.reward.points)
    reliability.replace(followed=())


def _judge_followed(
    reliability: OracleReliability, outcome: Aftermath, sort: Sort, confidence: float
) -> None:
    did = outcome.changed or outcome.reward.helped
    now = Followed(
        turn=outcome.turn,
        sort=sort,
        confidence=confidence,
        gain=outcome.reward.points,
        command=outcome.command,
    )
    waiting = (*reliability.data.followed, now)
    over = outcome.reward.helped or outcome.reward.died
    if is_fight(outcome.command) and not over:
        return
    brought = outcome.reward.helped or (outcome.changed and bool(direction_of(outcome.command)))
    if brought or outcome.idle:
        reliability.note_effect(outcome.command, did=brought)
    settled = [
        one
        for one in waiting
        if over or outcome.turn - one.turn >= WINDOW - 1 or (one is now and not did)
    ]
    for one in settled:
        reliability.update_recommendation(outcome.reward.helped, one.sort, one.confidence)
        reliability.note_gain(outcome.reward.helped, one.gain)
    reliability.replace(followed=tuple(one for one in waiting if one not in settled))


def _judge_progress(reliability: OracleReliability, advice: Advice) -> None:
    """Of seeing no progress nobody is the wiser: most turns bring none."""
    told = advice.progress.made_progress if advice.progress else advice.understanding.progress_made
    if told:
        last = reliability.data.advanced
        shown = last is not None and advice.turn - last <= WINDOW
        reliability.update("progress", shown, advice.understanding.confidence)


def _judge_claims(
    reliability: OracleReliability, beliefs: AgentBeliefs, outcome: Aftermath
) -> AgentBeliefs:
    """What is judged is denied for a while: it is no goal any longer, and blocks nothing."""
    denied = {"game": True, "credence": 0.0, "turn": outcome.turn}
    open_ = [one for one in beliefs.claims if not one.game]
    claims, reached = [], []
    for claim in beliefs.claims:
        kind = JUDGED_AS[claim.kind]
        if kind in ("goal", "blocker") and not claim.game:
            if _is_for(outcome, claim):
                claim = claim.model_copy(update={"tried": outcome.turn})
            newer = sum(one.kind == claim.kind and one.since > claim.since for one in open_)
            right = _is_right(claim, outcome, newer)
            if right is not None:
                reliability.update(kind, right, claim.confidence)
                claim = claim.model_copy(update=denied)
            if right and kind == "goal":
                reached.append(claim.text)
        claims.append(claim)
    if all(map(is_, claims, beliefs.claims)):
        return beliefs
    beliefs = beliefs.model_copy(update={"claims": tuple(claims)})
    for text in reached:
        done = ProgressReport(made_progress=True, accomplishment=text)
        beliefs = BeliefUpdater().update_from_progress(beliefs, done)
    return concluded(beliefs)


def _is_for(outcome: Aftermath, claim: Claim) -> bool:
    for_it = any(same(claim.text, text) for text in outcome.pursued)
    return for_it or addressing(outcome.command, claim.text) >= _DEALS


def _is_right(claim: Claim, outcome: Aftermath, newer: int) -> bool | None:
    """None while nobody can tell; `newer` ones of the kind were named since."""
    blocker, lasting = claim.kind == "blocker", claim.kind == "overall_goal"
    if blocker and outcome.reward.unblocked and outcome.reward.unblocked == claim.about:
        return True
    if not blocker and any(same(claim.text, text) for text in outcome.reward.objectives):
        return True
    brought = outcome.reward.scored > 0 if lasting else outcome.reward.helped
    if brought and claim.tried and outcome.turn - claim.tried < (1 if blocker else WINDOW):
        return True
    over = outcome.turn - claim.since >= (_LASTING if lasting else _HORIZON)
    return False if over or (newer >= _SUPERSEDED and not lasting) else None
