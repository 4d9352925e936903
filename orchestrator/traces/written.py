"""What readers look at in what nodes wrote, each field with its type.

A trace may be anybody's: `orchestrator.tolerant` says what becomes of what does not fit.
"""

from __future__ import annotations

from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, ConfigDict, Field, OnErrorOmit

from managers.belief.calibration import Bin, CalibrationData
from managers.belief.reliability import ReliabilityData
from orchestrator.tolerant import LARGEST, Count, Number, Share, Some, Texts, Tolerant, Whole
from orchestrator.traces.envelope import LAST_TURN, Turn


class ToldRoom(Tolerant):
    """Where a reading says that the turn ended."""

    title: str = ""


class ToldOutcome(Tolerant):
    """How a command went."""

    action: str = ""
    result: str = ""
    reason: str = ""
    prerequisite: str = ""


class ToldMention(Tolerant):
    """A thing that a reply speaks of."""

    name: str = ""
    location: str = ""
    properties: Texts = ()
    confidence: Number | None = None


class ToldReading(Tolerant):
    """What the extractor made of a reply, with all else that it told."""

    model_config = ConfigDict(extra="allow")

    room: ToldRoom = ToldRoom()
    action_result: ToldOutcome = ToldOutcome()
    objects_mentioned: Some[ToldMention] = ()
    state_changes: tuple[Any, ...] = ()
    new_information: tuple[Any, ...] = ()
    score_change: Whole = 0
    died: bool = False


class ToldReply(Tolerant):
    """What the game answered."""

    text: str = ""
    room: str = ""
    fault: str = ""


class ToldTally(Tolerant):
    """The score of a turn."""

    score: Whole | None = None


class ToldScore(Tolerant):
    """The run's tally so far."""

    last: ToldTally = ToldTally()
    best: Whole | None = None
    deaths: Count | None = None
    faults: Count | None = None


class ToldWish(Tolerant):
    """An objective that an actor would like to have."""

    text: str = ""


class ToldResponse(Tolerant):
    """An actor's answer."""

    thinking: str = ""
    action: str = ""
    new_objective: ToldWish | str | None = None
    option: Count | None = None


class ToldProposal(Tolerant):
    """What is to be played."""

    attempt: Count | None = None
    response: ToldResponse = ToldResponse()
    command: str = ""
    by: str = ""
    chosen_for: str = ""


class ToldVerdict(Tolerant):
    """A critic's answer."""

    accept: bool = True
    reason: str = ""
    confidence: Share | None = None
    source: str = ""


class ToldJudgement(Tolerant):
    """A verdict on one proposal."""

    attempt: Count | None = None
    command: str = ""
    verdict: ToldVerdict | None = None
    heeded: bool = True
    by: str = ""


class ToldDecision(Tolerant):
    """What a person made of one proposal."""

    accept: bool = True
    proposed: str = ""
    command: str = ""
    reason: str = ""
    by: str = ""


class ToldOption(Tolerant):
    """A ranked command."""

    command: str = ""
    purpose: str = ""
    probability: Share | None = None
    value: Number | None = None
    terms: dict[str, OnErrorOmit[Number]] = Field(default_factory=dict)
    objective: str = ""


class ToldStep(Tolerant):
    """One of a plan."""

    command: str = ""
    room: str = ""


class ToldObjective(Tolerant):
    """An objective."""

    id: str = ""
    text: str = ""
    source: str = ""
    priority: Whole | None = None
    parent: str = ""
    status: str = ""
    evidence: str = ""
    plan: Some[ToldStep] = ()
    way: str = ""


class ToldChange(Tolerant):
    """What became of an objective."""

    event: str = ""
    id: str = ""
    text: str = ""
    source: str = ""
    why: str = ""


class ToldMode(Tolerant):
    """How the agent plays."""

    state: str = ""
    since: Whole | None = None


class ToldClaim(Tolerant):
    """One of the claims behind the beliefs."""

    kind: str = ""
    text: str = ""
    credence: Number = 0.0
    game: bool = False


class ToldBeliefs(Tolerant):
    """What is believed, with all else that is told of it."""

    model_config = ConfigDict(extra="allow")

    location: str = ""
    overall_goal: str = ""
    current_subgoal: str = ""
    blocked_action: str = ""
    accomplished: Texts = ()


class ToldDeliberation(Tolerant):
    """Why an oracle was asked."""

    worth: Number | None = None
    price: Number | None = None


class ToldUnderstanding(Tolerant):
    """How an oracle sees the situation, with all else that it told."""

    model_config = ConfigDict(extra="allow")

    confidence: Share | None = None


class ToldAdvice(Tolerant):
    """What an oracle said."""

    deliberation: ToldDeliberation = ToldDeliberation()
    understanding: ToldUnderstanding | None = None


def _possible(data: _Known) -> _Known:
    """Refuse figures that no judgements make: what is computed of them may divide by them."""
    bins: list[Bin] = []
    if isinstance(data, ReliabilityData):
        records = [*data.records.values()]
    else:
        records, bins = [*data.accepted.values(), *data.objected.values()], [*data.curve.values()]
    sane = all(
        0 <= one.right <= one.judged <= LARGEST
        and min(one.successes, one.failures) >= 0
        and max(one.successes, one.failures, one.squares) <= LARGEST
        and (one.squares >= 1 or not one.judged)
        and abs(one.turn) <= LAST_TURN
        for one in records
    ) and all(
        0 <= one.failed <= one.plays <= LARGEST
        and one.plays > 0
        and 0 <= one.predicted <= one.plays
        for one in bins
    )
    if not sane:
        raise ValueError("such a record comes of no judgements")
    return data


_Known = TypeVar("_Known", ReliabilityData, CalibrationData)


class Written(Tolerant):
    """What a node wrote, or a whole turn came to: fields of the state, as a trace shows them."""

    turn: Turn | None = None
    command: str = ""
    observation: ToldReply | None = None
    score: ToldScore = ToldScore()
    extraction: ToldReading | None = None
    beliefs: ToldBeliefs | None = None
    reliability: Annotated[ReliabilityData, AfterValidator(_possible)] | None = None
    calibration: Annotated[CalibrationData, AfterValidator(_possible)] | None = None
    mode: ToldMode | None = None
    issues: tuple[Any, ...] = ()
    options: Some[ToldOption | str] = ()
    """The last may be a text that says how many more there were; as with the next."""
    objectives: Some[ToldObjective | str] = ()
    objective_changes: Some[ToldChange] = ()
    advice: ToldAdvice | None = None
    proposals: Some[ToldProposal] | None = None
    proposal: ToldProposal | None = None
    opinions: Some[ToldJudgement] | None = None
    judgements: Some[ToldJudgement] | None = None
    decisions: Some[ToldDecision] = ()
