"""What the agent believes of its situation, from what the game shows and an oracle says.

What is said becomes claims. One of the oracle is as probable as such claims of it were right, and
saying it again makes it no more so. The game's word settles a claim.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from pydantic import Field

from environments.figures import Chance, Count, Points
from environments.game import Value
from managers.belief.reliability import SCEPTICISM, AnswerKind, OracleReliability
from managers.belief.wording import opposed, same
from managers.language.reading import FailureAnalysis, ProgressReport, SituationUnderstanding

ClaimKind = Literal["overall_goal", "immediate_goal", "accomplished", "blocker"]
UNKNOWN = "unknown"
BELIEVED = 0.5
"""A claim more probable than this is taken for true."""
_SETTLED, _MOST_PROBABLE = 0.99, 0.98
"""The probability of what the game says, and the highest of what an oracle says."""
MOST_ACCOMPLISHED, MOST_RIVALS = 16, 12
"""So many claims are kept of what is done, and of any other kind."""
MOST_FAILED, MOST_ACTIONS, MOST_OBSERVATIONS = 12, 12, 8
STALE = 40
"""Turns after which a claim is forgotten that nobody repeats; goals lose half their weight."""
_MENTIONED = 0.2
"""A goal or blocker less probable than this is no belief at all."""
_SHOWN = 160
JUDGED_AS: dict[ClaimKind, AnswerKind] = {
    "overall_goal": "goal",
    "immediate_goal": "goal",
    "accomplished": "progress",
    "blocker": "blocker",
}


class Claim(Value):
    """What is said, and how far it is believed."""

    kind: ClaimKind
    text: str
    credence: Chance
    """The probability of the claim by who says so; the game's is 1, or 0 where it denies it."""
    confidence: Chance | None = None
    """The oracle's own opinion of that."""
    game: bool = False
    """The game has settled it."""
    about: str = ""
    """Of a blocker: the command that it keeps from working, and where."""
    since: Points = 0
    """The turn from which on it is judged: when it was first said."""
    turn: Points = 0
    """When it was said last."""
    tried: Count = 0
    """The last turn whose command was for it; 0 if none was."""
    passed: bool = False
    """Of a blocker: progress was made since anybody spoke of it."""

    @property
    def certain(self) -> bool:
        """The game says so."""
        return self.game and self.credence > BELIEVED

    @property
    def lasts(self) -> bool:
        """It is not forgotten when nobody repeats it: what is done stays done."""
        return self.kind in ("overall_goal", "accomplished") and self.credence > 0

    def contradicts(self, other: Claim) -> bool:
        """They cannot both hold; what is done blocks no longer, whether said as a deed or not."""
        if self.kind == other.kind:
            return opposed(self.text, other.text)
        facts = {self.kind, other.kind} == {"accomplished", "blocker"}
        return facts and (same(self.text, other.text) or opposed(self.text, other.text))


class AgentBeliefs(Value):
    """Everything the agent believes about the present situation, in words a prompt can use."""

    turn: Points = 0
    location: str = UNKNOWN
    """`L<n> Title`."""
    inventory: tuple[str, ...] = ()
    overall_goal: str = UNKNOWN
    current_subgoal: str = UNKNOWN
    accomplished: tuple[str, ...] = ()
    blocking_condition: str | None = None
    failed_actions: dict[str, str] = Field(default_factory=dict)
    """`command in place` -> reason, the latest last."""
    tracked_state: dict[str, str] = Field(default_factory=dict)
    """Variable -> `true`, `false` or another value; `unknown` until it is read off."""
    action_history: tuple[str, ...] = ()
    observation_history: tuple[str, ...] = ()
    claims: tuple[Claim, ...] = ()
    """What goals, accomplishments and blocker follow from."""
    last_progress: Points = 0
    """The last turn that brought anything, by the game or an oracle that is believed in this."""

    @property
    def blocker(self) -> Claim | None:
        """What is said of the blocking condition."""
        found = (one for one in self.claims if one.kind == "blocker")
        return next((one for one in found if one.text == self.blocking_condition), None)

    @property
    def blocked_action(self) -> str:
        """What the blocker keeps from working: `north in L3 Hall`."""
        claim = self.blocker
        return claim.about if claim else ""

    @property
    def blocking_weight(self) -> float:
        """The probability that the blocking condition is one."""
        claim = self.blocker
        return probability_of(claim, self.claims) if claim else 0.0

    def for_new_episode(self) -> AgentBeliefs:
        """The story's goal is all that is still believed."""
        anew = {"turn": 0, "since": 0, "tried": 0}
        goals = (one for one in self.claims if one.kind == "overall_goal")
        claims = tuple(one.model_copy(update=anew) for one in goals)
        return AgentBeliefs(overall_goal=self.overall_goal, claims=claims)

    def to_prompt_context(self) -> str:
        """The beliefs as lines of a prompt; what is empty is left out."""
        failures = list(self.failed_actions.items())[-5:]
        blocked, claim = self.blocking_condition or "", self.blocker
        if claim is not None:
            blocked += f" (in the way of {claim.about})" if claim.about else ""
            blocked += "" if claim.certain else f" ({self.blocking_weight:.0%} likely)"
        lines = {
            "LOCATION": self.location,
            "INVENTORY": ", ".join(self.inventory) or "empty",
            "OVERALL GOAL": self.overall_goal,
            "CURRENT SUBGOAL": self.current_subgoal,
            "ACCOMPLISHED": ", ".join(self.accomplished),
            "BLOCKED BY": blocked,
            "RECENT FAILURES": "; ".join(f"{action} ({why})" for action, why in failures),
            "TRACKED STATE": ", ".join(f"{k}={v}" for k, v in self.tracked_state.items()),
            "RECENT ACTIONS": ", then ".join(self.action_history[-10:]),
        }
        return "\n".join(f"{title}: {text}" for title, text in lines.items() if text)


class BeliefUpdater:
    """Revises beliefs by what a source says; the old ones are left as they are.

    The source is the oracle with this reliability, or without one the game itself.
    """

    def __init__(self, reliability: OracleReliability | None = None) -> None:
        self.reliability = reliability

    def update_from_understanding(
        self, beliefs: AgentBeliefs, understanding: SituationUnderstanding
    ) -> AgentBeliefs:
        """Goals, accomplishments and blocker, each as far as it can be trusted."""
        said: list[tuple[ClaimKind, str | None]] = [
            ("overall_goal", understanding.overall_goal),
            ("immediate_goal", understanding.immediate_goal),
            ("blocker", understanding.blocking_condition),
            *(("accomplished", text) for text in understanding.accomplished),
        ]
        progress, sure = understanding.progress_made, understanding.confidence
        return self._revised(beliefs, *said, progress=progress, confidence=sure)

    def update_from_failure_analysis(
        self, beliefs: AgentBeliefs, action: str, analysis: FailureAnalysis
    ) -> AgentBeliefs:
        """Note that `action` failed in the present place, why, and what has to come first."""
        failed = f"{action} in {beliefs.location}"
        if analysis.failure_reason:
            reasons = {key: why for key, why in beliefs.failed_actions.items() if key != failed}
            reasons[failed] = analysis.failure_reason[:_SHOWN]
            latest = dict([*reasons.items()][-MOST_FAILED:])
            beliefs = beliefs.model_copy(update={"failed_actions": latest})
        return self._revised(beliefs, ("blocker", analysis.prerequisite), about=failed)

    def update_from_progress(self, beliefs: AgentBeliefs, progress: ProgressReport) -> AgentBeliefs:
        """Note what was accomplished; progress ends the blockers that its source may end."""
        if not progress.made_progress:
            return self._revised(beliefs)
        return self._revised(beliefs, ("accomplished", progress.accomplishment), progress=True)

    def _revised(
        self,
        beliefs: AgentBeliefs,
        *said: tuple[ClaimKind, str | None],
        progress: bool = False,
        confidence: float | None = None,
        about: str = "",
    ) -> AgentBeliefs:
        """The beliefs with more claims; what the oracle has said is worth what its word is now.

        Progress passes blockers; of those that the game has named, the game's own alone.
        """
        by_game = self.reliability is None
        claims = list[Claim]()
        for one in beliefs.claims:
            if not by_game and not one.game:
                credence = self._credence(one.kind, one.confidence)
                one = one.model_copy(update={"credence": credence})
            if progress and one.kind == "blocker" and (by_game or not one.certain):
                one = one.model_copy(update={"passed": True})
            claims.append(one)
        for kind, text in said:
            if text:
                new = Claim(
                    kind=kind,
                    text=text[:_SHOWN],
                    credence=self._credence(kind, confidence),
                    confidence=confidence,
                    game=by_game,
                    about=about or (beliefs.blocked_action if kind == "blocker" else ""),
                    since=beliefs.turn,
                    turn=beliefs.turn,
                )
                claims = _stated(claims, new)
        last = beliefs.last_progress
        if progress and self._credence("accomplished", confidence) > BELIEVED:
            last = beliefs.turn
        return concluded(beliefs.model_copy(update={"claims": claims, "last_progress": last}))

    def _credence(self, kind: ClaimKind, confidence: float | None) -> float:
        if self.reliability is None:
            return 1.0
        return self.reliability.rate(JUDGED_AS[kind], confidence, SCEPTICISM)


def _stated(claims: Sequence[Claim], new: Claim) -> list[Claim]:
    """The claims with a new one, or with the same said again, in other words perhaps.

    The oracle takes back what contradicts it; the game does so for both.
    """
    kept, known = list[Claim](), False
    for one in claims:
        settled = one.game and not new.game
        if one.kind == new.kind and same(one.text, new.text):
            known, about = True, new.about or one.about
            if settled:
                kept.append(one.model_copy(update={"about": about, "passed": False}))
            else:
                since = one.since if one.game == new.game else new.since
                again = {"text": one.text, "tried": one.tried, "about": about, "since": since}
                kept.append(new.model_copy(update=again))
        elif settled or not new.contradicts(one):
            kept.append(one)
    return kept if known else [*kept, new]


class WeightedGoal(NamedTuple):
    """A goal that an oracle named, and how far it is worth pursuing."""

    text: str
    weight: float
    """How often its goals are reached, 0 to 1; less the longer it has not named this one."""
    lasting: bool
    """It is the goal of the whole story."""


def oracle_goals(beliefs: AgentBeliefs, reliability: OracleReliability) -> list[WeightedGoal]:
    """The goals of an oracle that are neither reached nor refuted, the weightiest first."""
    goals = []
    for claim in beliefs.claims:
        if claim.game or JUDGED_AS[claim.kind] != "goal":
            continue
        if any(same(claim.text, text) for text in beliefs.accomplished):
            continue
        rate, lasting = reliability.rate("goal", claim.confidence), claim.kind == "overall_goal"
        age = 0 if lasting else beliefs.turn - claim.turn
        goals.append(WeightedGoal(claim.text, rate * 0.5 ** (age / STALE), lasting))
    return sorted(goals, key=lambda goal: -goal.weight)


def observe(
    beliefs: AgentBeliefs, turn: int, command: str, text: str, *, brought_new: bool
) -> AgentBeliefs:
    """The beliefs with one more command and reply in their histories."""
    actions = (*beliefs.action_history, command) if command else beliefs.action_history
    replies = (*beliefs.observation_history, " ".join(text.split())[:_SHOWN])
    return beliefs.model_copy(
        update={
            "turn": turn,
            "action_history": actions[-MOST_ACTIONS:],
            "observation_history": replies[-MOST_OBSERVATIONS:],
            "last_progress": turn if brought_new else beliefs.last_progress,
        }
    )


def concluded(beliefs: AgentBeliefs) -> AgentBeliefs:
    """What follows from the claims, of which the most probable and the latest are kept."""
    claims = [one for one in beliefs.claims if one.lasts or beliefs.turn - one.turn < STALE]
    probable = [probability_of(one, claims) for one in claims]
    kept, best = list[int](), dict[ClaimKind, str]()
    for kind in JUDGED_AS:
        rivals = [at for at, one in enumerate(claims) if one.kind == kind]
        rivals.sort(key=lambda at: _rank(claims[at], probable[at], at), reverse=True)
        kept += rivals[: MOST_ACCOMPLISHED if kind == "accomplished" else MOST_RIVALS]
        if rivals and probable[rivals[0]] >= _MENTIONED and not claims[rivals[0]].passed:
            best[kind] = claims[rivals[0]].text
    kept.sort()
    done = [at for at in kept if claims[at].kind == "accomplished" and probable[at] > BELIEVED]
    named = any(one.kind == "overall_goal" for one in claims)
    return beliefs.model_copy(
        update={
            "claims": tuple(claims[at] for at in kept),
            "overall_goal": best.get("overall_goal", UNKNOWN if named else beliefs.overall_goal),
            "current_subgoal": best.get("immediate_goal", UNKNOWN),
            "blocking_condition": best.get("blocker"),
            "accomplished": tuple(claims[at].text for at in done),
        }
    )


def probability_of(claim: Claim, claims: Sequence[Claim]) -> float:
    """The probability of a claim in view of all that is said."""
    if claim.game:
        return _SETTLED if claim.certain else 1.0 - _SETTLED
    if any(one.certain and one.contradicts(claim) for one in claims):
        return 1.0 - _SETTLED
    return min(claim.credence, _MOST_PROBABLE)


def _rank(claim: Claim, probability: float, at: int) -> tuple[bool, float, int, int]:
    """The most probable last; of equals the goal named first, else the latest.

    What to do now is the last that was named and is not refuted.
    """
    if claim.kind == "overall_goal":
        return not claim.passed, probability, -at, 0
    if claim.kind == "immediate_goal":
        probability = float(probability >= _MENTIONED)
    return not claim.passed, probability, claim.turn, at
