"""The choice among the options: the planner's value, advice, learned dynamics and curiosity."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from managers.belief.beliefs import AgentBeliefs
from managers.belief.deliberation import expected_gain, value_of_advice
from managers.belief.dynamics import AgentState, DynamicsModel
from managers.belief.ratings import Ratings, Worth, kind_of
from managers.belief.reliability import SORTS, OracleReliability
from managers.belief.wording import Sort, sort_of
from managers.core.option import ADVISED, ESCAPE, REPLY, Option, in_peril
from managers.language.actions import canonical, parse, same_action
from managers.language.reading import SituationUnderstanding

_LEAST = 0.01
"""The least that advice is taken to be worth."""
_FAINT = 1e-6
"""The least value that an option is rounded to."""
_EXPERIENCE = 3.0
"""How many observations in this state the planner's own estimate is worth."""
_REASONS = {
    "planned": "the best plan",
    "advice": "the oracle recommends it",
    "staying": "the oracle has more to say of this place",
    "experience": "it worked in this state before",
    "information": "little is known about it",
    "likelihood": "the model holds it likely",
}


class Appraisal(NamedTuple):
    """An option with its value and the terms that the actor adds to it."""

    option: Option
    value: float
    terms: dict[str, float]

    @property
    def reason(self) -> str:
        """The term that speaks most for it, in words."""
        return _REASONS[self._most]

    @property
    def is_particular(self) -> bool:
        """Whether the reason is another than what nearly every option has."""
        return self._most not in ("planned", "information")

    @property
    def _most(self) -> str:
        name = max(self.terms, key=lambda one: self.terms[one])
        return name if self.terms[name] > 1.05 else "planned"


class _There(NamedTuple):
    """The state in another room, as far as it is known here."""

    location: str
    tracked_state: Mapping[str, str]


@dataclass
class InformedActionSelector:
    """Chooses by the options' value, advice, learned dynamics and what there is to learn."""

    reliability: OracleReliability
    dynamics: DynamicsModel
    exploration_rate: float = 0.2
    """Weight of what one would learn of an option."""
    rates: Mapping[Sort, float] = field(default_factory=dict)
    """How often recommendations help, as drawn for this turn; their means by default."""
    without: Sequence[str] = ()
    """Terms that are left out."""
    ratings: Ratings = field(default_factory=Ratings)
    """How likely a model holds commands."""

    def __post_init__(self) -> None:
        self.rates = self.rates or {sort: self.reliability.posterior(sort).mean for sort in SORTS}

    def select_action(
        self,
        beliefs: AgentBeliefs,
        options: Sequence[Option],
        understanding: SituationUnderstanding | None = None,
    ) -> tuple[str, str]:
        """The best command and why; `look` where there is nothing to choose from."""
        ranked = self.appraise(beliefs, options, understanding)
        if not ranked:
            return "look", "nothing else is known"
        return ranked[0].option.command, ranked[0].reason

    def appraise(
        self,
        beliefs: AgentBeliefs,
        options: Sequence[Option],
        understanding: SituationUnderstanding | None = None,
    ) -> list[Appraisal]:
        """All options, the best first; equally good ones keep their order."""
        lead, peril = 0.0, in_peril(options)
        if understanding is not None and understanding.rated:
            understanding = None
        if understanding and understanding.recommended_action:
            # How much more the oracle's next word promises, spoken of here, than any own plan.
            best = max((one.value for one in options), default=0.0)
            lead = expected_gain(self.reliability, self.rates, best, risky=peril)
        appraisals = []
        for option in options:
            planned = max(option.value, _FAINT)
            # What an option is for in the end, and the state in which that is done.
            elsewhere = option.room and len(option.route) > 1
            there = _There(option.room, beliefs.tracked_state) if elsewhere else beliefs
            goal = canonical(option.goal)
            terms: dict[str, float] = {}
            if understanding is not None:
                terms["advice"] = self._advice(option, planned, understanding, peril)
                terms["staying"] = _staying(option, planned, lead, understanding)
            if self.ratings.rooms:
                terms["likelihood"] = self._likelihood(option)
            terms["experience"] = self._experience(option, there, goal)
            # More for what one would learn most of by doing it.
            to_learn = self.dynamics.information(there, goal)
            terms["information"] = 1.0 + self.exploration_rate * to_learn
            terms = {name: one for name, one in terms.items() if name not in self.without}
            value = planned * math.prod(terms.values())
            appraisals.append(Appraisal(option, value, {"planned": 1.0, **terms}))
        return sorted(appraisals, key=lambda one: -one.value)

    def _advice(
        self, option: Option, planned: float, understanding: SituationUnderstanding, peril: bool
    ) -> float:
        """What advice is worth replaces a smaller value; of replies it alone can tell the right."""
        share = _share(option, understanding)
        if not share:
            return 1.0
        worth = share * value_of_advice(
            self.reliability,
            self.rates,
            sort_of(option.command, listed=option.kind != ADVISED),
            option.command,
            confidence=understanding.confidence,
            risky=peril or parse(option.command).has("risky"),
        )
        if option.kind == REPLY:
            return 1.0 + worth / planned
        if option.kind == ADVISED:
            return max(worth, _LEAST) / planned
        return max(1.0, worth / planned)

    def _likelihood(self, option: Option) -> float:
        """More for what a model holds likely where it is done, by what its word is worth."""
        kind = kind_of(option.goal)
        worth = self.reliability.data.ratings.get(kind) or Worth()
        return worth.factor(self.ratings.height(option.room, option.goal))

    def _experience(self, option: Option, there: AgentState, goal: str) -> float:
        """Less for what failed in this very state more often than the planner supposed.

        What worked is no reason to do it again; points are.
        """
        count = self.dynamics.observation_count(there, goal)
        if not count:
            return 1.0
        failed = self.dynamics.failure_count(there, goal)
        supposed = min(0.99, max(0.01, option.probability))
        learned = (count - failed + _EXPERIENCE * supposed) / (count + _EXPERIENCE)
        reward = max(0.0, self.dynamics.expected_reward(there, goal))
        return min(1.0, learned / supposed) * (1.0 + reward)


def _staying(
    option: Option, planned: float, lead: float, understanding: SituationUnderstanding
) -> float:
    """Less for going away from where the oracle has more to say: it would only lead back."""
    action = parse(option.command)
    leaves = action.verb in ("go", "enter", "climb", "leave") and option.kind != ESCAPE
    if not lead or not leaves or _share(option, understanding):
        return 1.0
    return max(_LEAST, 1.0 - lead / planned)


def _share(option: Option, understanding: SituationUnderstanding) -> float:
    """How much of what advice is worth a command has; alternatives share half of it."""
    told, others = understanding.recommended_action, understanding.alternative_actions
    if told and same_action(told, option.command):
        return 1.0
    if any(same_action(other, option.command) for other in others):
        return 1.0 / (2 * len(others))
    return 0.0


def with_recommended(
    options: Sequence[Option], understanding: SituationUnderstanding | None
) -> tuple[Option, ...]:
    """The options with what the oracle recommends, if it is none of them."""
    if understanding is None:
        return tuple(options)
    purpose = understanding.action_reasoning or "the oracle says so"
    return with_suggested(options, understanding.recommended_action, purpose)


def with_suggested(
    options: Sequence[Option],
    idea: str | None,
    purpose: str = "what the last reply suggests",
    value: float | None = None,
) -> tuple[Option, ...]:
    """The options with what somebody else would try, if it is none of them.

    Where nothing is known about such an idea, it counts as an average one.
    """
    if not idea or any(same_action(idea, one.command) for one in options):
        return tuple(options)
    values = [one.value for one in options] or [_LEAST]
    command = " ".join(idea.lower().split())
    advised = Option(
        command=command,
        kind=ADVISED,
        purpose=purpose,
        probability=0.5,
        value=round(statistics.fmean(values) if value is None else value, 3),
        route=(command,),
    )
    return (*options, advised)
