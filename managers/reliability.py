"""How far an oracle can be trusted: Beta posteriors over what became of its answers.

Old evidence fades slowly, with every newer judgement and with the turns that pass, so that a
change of the oracle is noticed and one that was given up is tried again some day.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from managers.beta import Beta
from managers.fading import KEPT_PER_JUDGEMENT, kept_over
from managers.payoff import Payoff
from managers.promise import IDEAS, Idea, Promise, essential

Kind = Literal["recommendation", "goal", "blocker", "variable", "planned", "concrete", "vague"]
"""Recommendations are counted twice: all of them, and by what kind of idea they are."""

UNKNOWN = Beta(1.0, 1.0)
"""Before anything is seen: how often an oracle's answers hold."""
PAYOFF = "payoff"
"""Key of what following brought, in the plain data."""
ANSWERS = "ideas"
"""Key of how many recommendations of each kind there were."""
TOLD = "told"
"""Key of what became of each command that was recommended and followed, in the plain data."""
_MOST_TOLD = 60
_ANY_IDEA = 1 / len(IDEAS)
"""How many answers of each kind are supposed before there are any."""
_FIRST = 0.5
"""How many times a command must have done nothing to promise half of what others do."""


class Track(NamedTuple):
    """The record of one kind of answer."""

    judged: int = 0
    """All judgements ever, fading or not."""
    good: int = 0
    successes: float = 0.0
    """Of the evidence that still counts."""
    failures: float = 0.0
    turn: int = 0
    """Of the last judgement."""

    def faded(self, turn: int) -> Track:
        """The same record when some turns have passed since the last judgement."""
        kept = kept_over(turn - self.turn)
        return self._replace(successes=self.successes * kept, failures=self.failures * kept)

    def judging(self, good: bool, turn: int) -> Track:
        """The record with one more judgement."""
        old, kept = self.faded(turn), KEPT_PER_JUDGEMENT
        return Track(
            judged=old.judged + 1,
            good=old.good + good,
            successes=old.successes * kept + good,
            failures=old.failures * kept + (not good),
            turn=turn,
        )


class OracleReliability:
    """A view over plain data, one record a kind of answer; updates replace what they change.

    What a recommendation is worth is measured in what following brought, and compared with what
    the agent's own plans bring: an action that brings something now and then proves nothing.
    """

    def __init__(self, data: Mapping[str, Any] | None = None, turn: int | None = None) -> None:
        self.data: dict[str, Any] = dict(data or {})
        """Plain data: what goes into the graph state."""
        self._turn = turn

    def track(self, kind: Kind) -> Track:
        """The record of one kind of answer."""
        return Track(*self.data.get(kind, ()))

    def posterior(self, kind: Kind) -> Beta:
        """What is known about the rate at which these answers hold."""
        track = self.track(kind)
        track = track.faded(track.turn if self._turn is None else self._turn)
        return Beta(UNKNOWN.alpha + track.successes, UNKNOWN.beta + track.failures)

    def update(self, kind: Kind, good: bool) -> None:
        """Take in one judgement."""
        track = self.track(kind)
        turn = track.turn if self._turn is None else self._turn
        self.data[kind] = list(track.judging(good, turn))

    @property
    def payoff(self) -> Payoff:
        """What it has brought to follow the recommendations, and one's own plans."""
        payoff = Payoff(*self.data.get(PAYOFF, ()))
        return payoff.at(payoff.turn if self._turn is None else self._turn)

    def promise(self, rng: random.Random | None = None) -> Promise:
        """What the next recommendation promises.

        With a generator it varies as much as the rate of help is uncertain, upwards only
        (optimistic Thompson sampling), so that an oracle about which little is known gets its
        chance.
        """
        planned, concrete, vague = (self._promised(idea, rng) for idea in IDEAS)
        counts = [self.data.get(ANSWERS, {}).get(idea, 0) + _ANY_IDEA for idea in IDEAS]
        sure = self.posterior("recommendation").least
        return Promise(
            planned,
            concrete,
            vague,
            tuple(count / sum(counts) for count in counts),
            {name: self._repute(entry) for name, entry in self.data.get(TOLD, {}).items()},
            tuple(max(sure, self.posterior(idea).least) for idea in IDEAS),
        )

    def _repute(self, entry: Sequence[Any]) -> float:
        track = Track(*entry)
        track = track.faded(track.turn if self._turn is None else self._turn)
        return (_FIRST + track.successes) / (_FIRST + track.successes + track.failures)

    def _promised(self, kind: Idea, rng: random.Random | None) -> float:
        posterior = self.posterior(kind)
        drawn = posterior.sample(rng) if rng else 0.0
        return self.payoff.promise(max(drawn, posterior.mean))

    def note_answer(self, idea: Idea) -> None:
        """A recommendation of some kind was given."""
        counts = self.data.get(ANSWERS, {})
        self.data[ANSWERS] = {**counts, idea: counts.get(idea, 0) + 1}

    def note_followed(self, gain: float) -> None:
        """A recommendation was followed, and brought so many points' worth."""
        turn = self.payoff.turn if self._turn is None else self._turn
        self.data[PAYOFF] = list(self.payoff.after_advice(gain, turn))

    def note_told(self, command: str, *, did: bool) -> None:
        """A command that was recommended did something, or is one that never does."""
        key, told = essential(command), dict(self.data.get(TOLD, {}))
        track = Track(*told.pop(key, ()))
        turn = track.turn if self._turn is None else self._turn
        told[key] = list(track.judging(did, turn))
        self.data[TOLD] = dict(list(told.items())[-_MOST_TOLD:])

    def note_own(self, utility: float, gain: float) -> None:
        """A choice of the agent's own was expected to bring the one and brought the other."""
        self.data[PAYOFF] = list(Payoff(*self.data.get(PAYOFF, ())).after_own(utility, gain))

    # -- the kinds by name ----------------------------------------------------

    def update_recommendation(self, helped: bool) -> None:
        """A recommendation was followed."""
        self.update("recommendation", helped)

    def update_goal(self, achieved: bool) -> None:
        """A goal the oracle named was pursued."""
        self.update("goal", achieved)

    def update_blocker(self, resolved: bool) -> None:
        """A blocker the oracle named was taken for one."""
        self.update("blocker", resolved)

    def update_variable(self, useful: bool) -> None:
        """A state variable the oracle suggested was tried out."""
        self.update("variable", useful)

    @property
    def recommendations_followed(self) -> int:
        return self.track("recommendation").judged

    @property
    def recommendations_helped(self) -> int:
        return self.track("recommendation").good

    @property
    def goals_pursued(self) -> int:
        return self.track("goal").judged

    @property
    def goals_achieved(self) -> int:
        return self.track("goal").good

    @property
    def blockers_identified(self) -> int:
        return self.track("blocker").judged

    @property
    def blockers_resolved(self) -> int:
        return self.track("blocker").good

    @property
    def variables_suggested(self) -> int:
        return self.track("variable").judged

    @property
    def variables_useful(self) -> int:
        return self.track("variable").good

    @property
    def recommendation_accuracy(self) -> float:
        return self.posterior("recommendation").mean

    @property
    def goal_accuracy(self) -> float:
        return self.posterior("goal").mean

    @property
    def blocker_accuracy(self) -> float:
        return self.posterior("blocker").mean

    @property
    def variable_accuracy(self) -> float:
        return self.posterior("variable").mean

    def get_summary(self) -> dict[str, Any]:
        """Accuracies with their 95 % credible intervals, and how many answers were judged."""
        summary: dict[str, Any] = {}
        for kind in ("recommendation", "goal", "blocker", "variable"):
            posterior = self.posterior(kind)
            low, high = posterior.interval()
            summary[f"{kind}_accuracy"] = round(posterior.mean, 3)
            summary[f"{kind}_interval"] = [round(low, 3), round(high, 3)]
            summary[f"total_{kind}s"] = self.track(kind).judged
        return summary
