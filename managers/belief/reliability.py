"""How often an oracle is right, by kind of answer, and what it brings to follow it."""

from __future__ import annotations

import random
from functools import partialmethod
from typing import Annotated, Literal, get_args

from pydantic import Field

from environments.figures import Amount, Count, Weight
from environments.game import Value
from managers.belief.beta import BINS, UNIFORM, Beta, TrackRecord, bin_of
from managers.belief.ratings import Kind, Worth
from managers.belief.wording import Sort
from managers.language.actions import canonical

AnswerKind = Literal["recommendation", "goal", "blocker", "variable", "progress"]
"""What an oracle can be right in; each is learned apart from the others."""
ReadingKind = Literal["place", "change", "outcome", "way"]
"""What a reader of replies can be right in: a thing's place, a change, how it went, a way on."""
AnyKind = AnswerKind | Sort | ReadingKind
KINDS: tuple[AnswerKind, ...] = get_args(AnswerKind)
SORTS: tuple[Sort, ...] = get_args(Sort)
_SORT_PRIOR = 4.0
"""The weight, in judgements, of the rate of all sorts when the rate of one is estimated."""
SCEPTICISM = 1.0
"""So many wrong ones are added to what claims are weighed by: believing too much costs the most."""
_BIN_PRIOR = 4.0
"""So many judgements must differ for a stated confidence to count half."""
_SURELY = 0.05
_MOST_COMMANDS = 60
_KEPT = 0.99
"""Points are rarer than judgements, and their weight fades more slowly."""


class Mean(Value):
    """A mean of weighted observations, the older ones faded."""

    weight: Weight = 0.0
    total: Amount = 0.0

    def after(self, value: float, weight: float = 1.0) -> Mean:
        """With one more value, the sum over `weight` units."""
        return Mean(weight=self.weight * _KEPT + weight, total=self.total * _KEPT + value)

    def estimate(self, prior: float, strength: float) -> float:
        """The mean a unit, when `prior` is worth `strength` units."""
        return (prior * strength + self.total) / (strength + self.weight)


class Followed(Value):
    """A recommendation that was followed and is to be judged by the turns after it."""

    turn: int
    sort: Sort
    confidence: float
    gain: float
    """What that turn brought, in points."""
    command: str = ""
    """Empty in runs of earlier code."""


class ReliabilityData(Value):
    """All that is known of one oracle: what goes into the graph state."""

    records: dict[str, TrackRecord] = Field(default_factory=dict)
    """By kind of answer; those of recommendations by their sort, too."""
    confidence: dict[
        str, Annotated[tuple[TrackRecord, ...], Field(min_length=BINS, max_length=BINS)]
    ] = Field(default_factory=dict)
    """By kind, too, a record for each fifth of the confidence that was stated."""
    recommended: dict[Sort, Count] = Field(default_factory=dict)
    gain_right: Mean = Mean()
    """Points a turn that recommendations brought that helped."""
    gain_wrong: Mean = Mean()
    """Points a turn that the others brought: fewer than none, by death."""
    gain_own: Mean = Mean()
    """Points that the agent's own choices brought for each point of utility they promised."""
    ineffective: dict[str, Count] = Field(default_factory=dict)
    """Recommended command -> how often it did nothing since it last brought something."""
    followed: tuple[Followed, ...] = ()
    ratings: dict[Kind, Worth] = Field(default_factory=dict)
    """What the ratings of commands are worth, by kind of command."""
    advanced: Count | None = None
    """The last turn of this episode that the game showed to have brought something."""


def total_key(kind: AnswerKind) -> str:
    """What a summary calls the number of answers of a kind that were judged."""
    return f"total_{kind.removesuffix('s')}s"


def _count(kind: AnswerKind, which: Literal["judged", "right"]) -> property:
    return property(lambda self: getattr(self.record(kind), which), doc=f"How many {kind}s.")


def _accuracy(kind: AnswerKind) -> property:
    return property(lambda self: self.posterior(kind).mean, doc=f"How often a {kind} is right.")


class OracleReliability:
    """A view over plain data; what changes is replaced and never edited.

    Judgements fade with the turns until the present one; if it is 0, only with newer ones.
    """

    def __init__(self, data: ReliabilityData | None = None, turn: int = 0) -> None:
        self.data = data or ReliabilityData()
        self._turn = turn

    def for_new_episode(self) -> OracleReliability:
        """The same knowledge with turns counted anew and nothing left to judge."""
        data, anew = self.data, {"turn": 0}
        records = {kind: one.model_copy(update=anew) for kind, one in data.records.items()}
        confidence = {
            kind: tuple(one.model_copy(update=anew) for one in bins)
            for kind, bins in data.confidence.items()
        }
        kept = {"records": records, "confidence": confidence, "followed": (), "advanced": None}
        return OracleReliability(data.model_copy(update=kept))

    # -- what is known --------------------------------------------------------

    def record(self, kind: AnyKind) -> TrackRecord:
        """The judgements of one kind of answer."""
        return self.data.records.get(kind, TrackRecord())

    def posterior(self, kind: AnyKind, prior: Beta = UNIFORM) -> Beta:
        """What is known of how often such answers are right; of a sort, starting from all sorts."""
        if kind in SORTS:
            prior = self.posterior("recommendation").weighing(_SORT_PRIOR)
        return self.record(kind).posterior(self._turn, prior)

    def rate(
        self, kind: AnswerKind, confidence: float | None = None, scepticism: float = 0.0
    ) -> float:
        """How often such answers are right that are given with so much confidence."""
        known = self.posterior(kind)
        mean = Beta(known.alpha, known.beta + scepticism).mean
        return max(0.01, min(0.99, mean + self.shift(confidence)))

    def shift(self, confidence: float | None) -> float:
        """How much oftener than others answers are right that are given with so much confidence.

        Kind by kind: one kind may be both harder and answered with less confidence than another.
        """
        if confidence is None:
            return 0.0
        at, count, surplus = bin_of(confidence), 0.0, 0.0
        for bins in self.data.confidence.values():
            right = sum(one.successes for one in bins)
            judged = right + sum(one.failures for one in bins)
            rate = right / judged if judged else 0.0
            here = bins[at].successes + bins[at].failures
            count += here
            surplus += bins[at].successes - here * rate
        return surplus / (_BIN_PRIOR + count)

    def proven(self, sort: Sort) -> float:
        """The rate that recommendations of a sort, and all of them, hardly help less often than."""
        known = (self.posterior(sort), self.posterior("recommendation"))
        return min(one.quantile(_SURELY) for one in known)

    def draw(self, rng: random.Random, exploration_rate: float = 1.0) -> dict[Sort, float]:
        """How often recommendations of each sort help, for one decision or a few.

        With probability `exploration_rate` drawn from what is known (Thompson 1933), but not
        below the mean (May et al., JMLR 2012); else the means (Jin et al., ICML 2023).
        """
        explores, rates = rng.random() < exploration_rate, {}
        for sort in SORTS:
            known = self.posterior(sort)
            drawn = rng.betavariate(*known)
            rates[sort] = max(drawn, known.mean) if explores else known.mean
        return rates

    def is_ineffective(self, command: str | None) -> bool:
        """It has done nothing when it was recommended before; it is worth asking once more."""
        return bool(command and canonical(command) in self.data.ineffective)

    # -- learning -------------------------------------------------------------

    def update(self, kind: AnyKind, right: bool, confidence: float | None = None) -> None:
        """Take in one judgement, of an answer given with so much confidence."""
        record = self.record(kind).after(right, self._turn)
        self.replace(records={**self.data.records, kind: record})
        if confidence is not None:
            bins = list(self.data.confidence.get(kind, (TrackRecord(),) * BINS))
            at = bin_of(confidence)
            bins[at] = bins[at].after(right, self._turn)
            self.replace(confidence={**self.data.confidence, kind: tuple(bins)})

    update_goal = partialmethod(update, "goal")
    """A goal the oracle named was pursued: whether it was achieved."""
    update_blocker = partialmethod(update, "blocker")
    """A blocker the oracle named was taken for one: whether it was resolved."""
    update_variable = partialmethod(update, "variable")
    """A state variable the oracle suggested was tried out: whether it was useful."""

    def update_recommendation(
        self, helped: bool, sort: Sort | None = None, confidence: float | None = None
    ) -> None:
        """A recommendation was followed."""
        self.update("recommendation", helped, confidence)
        if sort is not None:
            self.update(sort, helped)

    def note_recommended(self, sort: Sort) -> None:
        """A recommendation of some sort was given."""
        counts = self.data.recommended
        self.replace(recommended={**counts, sort: counts.get(sort, 0) + 1})

    def note_gain(self, helped: bool, points: float) -> None:
        """A turn on the oracle's word brought so much."""
        name = "gain_right" if helped else "gain_wrong"
        self.replace(**{name: getattr(self.data, name).after(points)})

    def note_own(self, utility: float, points: float) -> None:
        """A choice of the agent's own was expected to bring the one and brought the other."""
        self.replace(gain_own=self.data.gain_own.after(points, weight=max(0.0, utility)))

    def note_effect(self, command: str, *, did: bool, times: int = 1) -> None:
        """A recommended command brought something, or nothing, which counts so many times."""
        key, rest = canonical(command), dict(self.data.ineffective)
        known = rest.pop(key, 0)
        if not did:
            rest[key] = known + times
        self.replace(ineffective=dict(list(rest.items())[-_MOST_COMMANDS:]))

    def replace(self, **changes: object) -> None:
        """Replace some of the data."""
        self.data = self.data.model_copy(update=changes)

    # -- by the names that docs/seeds.md promises ------------------------------

    recommendations_followed = _count("recommendation", "judged")
    recommendations_helped = _count("recommendation", "right")
    goals_pursued = _count("goal", "judged")
    goals_achieved = _count("goal", "right")
    blockers_identified = _count("blocker", "judged")
    blockers_resolved = _count("blocker", "right")
    variables_suggested = _count("variable", "judged")
    variables_useful = _count("variable", "right")
    recommendation_accuracy = _accuracy("recommendation")
    goal_accuracy = _accuracy("goal")
    blocker_accuracy = _accuracy("blocker")
    variable_accuracy = _accuracy("variable")

    def get_summary(self) -> dict[str, float | list[float]]:
        """Accuracies with their 95 % credible intervals, and how many answers were judged."""
        summary: dict[str, float | list[float]] = {}
        for kind in KINDS:
            known = self.posterior(kind)
            summary[f"{kind}_accuracy"] = round(known.mean, 3)
            summary[f"{kind}_interval"] = [round(bound, 3) for bound in known.interval()]
            summary[total_key(kind)] = self.record(kind).judged
        return summary
