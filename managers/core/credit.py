"""Credit assignment: which of an oracle's answers were right, by what the game has shown.

A recommendation that changed nothing did not help; another one did if it, or one of the next ones,
brought something: a way through known rooms is worth what lies at its end. A blow is judged by how
the fight ends. What was not followed to its end is not judged, unless it was known to fail or is
undone at once.

A goal is right if it is reached, or if pursuing it brought something; a blocker if what it blocked
works now, or if dealing with it brought something. Both are wrong if nothing came of them for long
or until the oracle named many others. Progress that it sees is right if the game has shown some.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from managers.belief.beliefs import JUDGED_AS, AgentBeliefs, BeliefUpdater, Claim, concluded
from managers.belief.deliberation import Advice
from managers.belief.reliability import Followed, OracleReliability
from managers.belief.wording import Sort, addressing, same, sort_of
from managers.language.actions import direction_of, same_action
from managers.language.reading import ProgressReport
from managers.planning.objectives import Objective
from managers.planning.progress import check_objective_completion
from managers.world.objects import SUPPOSED
from managers.world.trail import is_fight
from managers.world.transition import Transition

_DEATH = -5.0
"""What a death is worth, in points of score."""
WINDOW = 3
"""Turns within which an action has to bring something, itself or those that follow it."""
_NEWER_THAT_END_IT = 5
"""So many newer goals or blockers of its kind make an older one wrong."""
_TAKEN_BACK = 4
"""What it counts, in judgements, that a recommended command did nothing and was undone."""
_DEALS = 0.5
"""How far a command must deal with a goal or blocker to be for it."""


class Reward(NamedTuple):
    """What the game itself shows of what one turn brought; nobody's opinion of it."""

    scored: int = 0
    gain: float = 0.0
    """With what is not counted as points, see `Transition.gain`."""
    room: str = ""
    """The room seen for the first time."""
    items: tuple[str, ...] = ()
    """What has come into the hand for the first time; what a list merely names was there before."""
    took: bool = False
    """The command was to take it."""
    objectives: tuple[str, ...] = ()
    """The texts of those that are done now."""
    unblocked: str = ""
    """`command in place` that works now and was blocked before."""
    died: bool = False

    @property
    def helped(self) -> bool:
        """Whether the command brought anything, death apart."""
        return not self.died and bool(self.said)

    @property
    def points(self) -> float:
        """What it is worth, in points of score."""
        return _DEATH if self.died else max(0.0, self.gain)

    @property
    def said(self) -> str:
        """The best of it in words; empty for nothing."""
        if self.scored > 0:
            return f"scored {self.scored}"
        if self.objectives:
            return self.objectives[0]
        if self.unblocked:
            return f"got past what blocked `{self.unblocked}`"
        if self.items:
            return f"{'took' if self.took else 'got'} the {', '.join(self.items)}"
        return f"found {self.room}" if self.room else ""


def reward_of(
    transition: Transition, objectives: Sequence[Objective], beliefs: AgentBeliefs
) -> Reward:
    """What a turn brought; `objectives` and `beliefs` are those it was chosen with."""
    after = transition.after
    place = f"{transition.command} in {beliefs.location}"
    texts = {one.id: one.text for one in objectives}
    return Reward(
        scored=transition.scored,
        gain=transition.gain,
        room=transition.place if after.map_view.new_room else "",
        items=tuple(_obtained(transition)),
        took=transition.action.verb == "take",
        objectives=tuple(texts[done.id] for done in check_objective_completion(objectives, after)),
        unblocked=place if not transition.failed and place == beliefs.blocked_action else "",
        died=transition.reading.died,
    )


def _obtained(transition: Transition) -> Iterator[str]:
    """The names of what has come into the hand for the first time.

    The object tree shows it, or the reply says so: a list of what is carried names what was there
    before, too, and what is only supposed to be taken must have been asked for.
    """
    held = {thing.id for thing in transition.before.held}
    exact = bool(transition.command and transition.observation.facts)
    for thing in transition.after.held:
        told = thing.guess != SUPPOSED or transition.action.verb == "take"
        if thing.id not in held and thing.taken <= 1 and (exact or (thing.taken and told)):
            yield thing.name


_HORIZON, _LASTING = 40, 150
"""Turns after which a goal or blocker that nothing came of is wrong, and the story's goal."""


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
    reliability: OracleReliability, beliefs: AgentBeliefs, outcome: Aftermath, advice: Advice | None
) -> AgentBeliefs:
    """Change the reliability by what one turn shows; the beliefs are those before the reply.

    They come back without goals and blockers that are judged now; what is reached is accomplished.
    """
    _judge_recommendation(reliability, outcome, advice)
    if advice is not None:
        report, last = advice.progress, reliability.data.advanced
        sees = report.made_progress if report else advice.understanding.progress_made
        if sees:  # Of seeing none nobody is the wiser: most turns bring none.
            shown = last is not None and advice.turn - last <= WINDOW
            reliability.update("progress", shown, advice.understanding.confidence)
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
        _settle(reliability, one, helped=False)
        reliability.note_effect(one.command, did=False, times=_TAKEN_BACK)
    reliability.note_own(outcome.utility, outcome.reward.points)
    reliability.replace(followed=())


def _judge_followed(
    reliability: OracleReliability, outcome: Aftermath, sort: Sort, confidence: float
) -> None:
    turn, command, reward = outcome.turn, outcome.command, outcome.reward
    over = reward.helped or reward.died
    if is_fight(command) and not over:
        return
    brought = reward.helped or (outcome.changed and bool(direction_of(command)))
    if brought or outcome.idle:
        reliability.note_effect(command, did=brought)
    now = Followed(turn=turn, sort=sort, confidence=confidence, gain=reward.points, command=command)
    waiting = []
    for one in (*reliability.data.followed, now):
        in_vain = one is now and not outcome.changed
        if over or in_vain or turn - one.turn >= WINDOW - 1:
            _settle(reliability, one, helped=reward.helped)
        else:
            waiting.append(one)
    reliability.replace(followed=tuple(waiting))


def _settle(reliability: OracleReliability, one: Followed, *, helped: bool) -> None:
    reliability.update_recommendation(helped, one.sort, one.confidence)
    reliability.note_gain(helped, one.gain)


def _judge_claims(
    reliability: OracleReliability, beliefs: AgentBeliefs, outcome: Aftermath
) -> AgentBeliefs:
    """What is judged is denied for a while: it is no goal any longer, and blocks nothing."""
    denied = {"game": True, "credence": 0.0, "turn": outcome.turn}
    claims, reached = list(beliefs.claims), []
    for at, claim in enumerate(beliefs.claims):
        kind = JUDGED_AS[claim.kind]
        if claim.game or kind == "progress":
            continue
        pursued = any(same(claim.text, text) for text in outcome.pursued)
        if pursued or addressing(outcome.command, claim.text) >= _DEALS:
            claims[at] = claim = claim.model_copy(update={"tried": outcome.turn})
        right = _is_right(claim, outcome, beliefs.claims)
        if right is not None:
            reliability.update(kind, right, claim.confidence)
            claims[at] = claim.model_copy(update=denied)
        if right and kind == "goal":
            reached.append(claim.text)
    if tuple(claims) == beliefs.claims:
        return beliefs
    beliefs = beliefs.model_copy(update={"claims": tuple(claims)})
    for text in reached:
        done = ProgressReport(made_progress=True, accomplishment=text)
        beliefs = BeliefUpdater().update_from_progress(beliefs, done)
    return concluded(beliefs)


def _is_right(claim: Claim, outcome: Aftermath, claims: Sequence[Claim]) -> bool | None:
    """Whether a goal or blocker is right; None while nobody can tell."""
    reward, blocker, lasting = outcome.reward, claim.kind == "blocker", claim.kind == "overall_goal"
    if blocker and reward.unblocked and reward.unblocked == claim.about:
        return True
    if not blocker and any(same(claim.text, text) for text in reward.objectives):
        return True
    brought = reward.scored > 0 if lasting else reward.helped
    if brought and claim.tried and outcome.turn - claim.tried < (1 if blocker else WINDOW):
        return True
    if outcome.turn - claim.since >= (_LASTING if lasting else _HORIZON):
        return False
    newer = sum(
        one.kind == claim.kind and one.since > claim.since and not one.game for one in claims
    )
    return False if newer >= _NEWER_THAT_END_IT and not lasting else None
