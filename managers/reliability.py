"""How far an oracle can be trusted: Beta posteriors over what became of its answers.

Old evidence fades slowly, with every newer judgement and with the turns that pass, so that a
change of the oracle is noticed and one that was given up is tried again some day.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from managers.beta import Beta

Kind = Literal["recommendation", "goal", "blocker", "variable", "own"]

KEPT_PER_JUDGEMENT = 0.99
"""What is left of older evidence after one more judgement: about the last 100 count."""
OWN_KEPT = 0.95
"""The same for the agent's own choices: what counts is whether it is getting anywhere now."""
KEPT_PER_TURN = 0.998
"""What is left of it after a turn without one; half is gone after 350 turns."""
CHANCE = Beta(1.0, 3.0)
"""Before anything is seen: how often the agent's own choices bring something."""
UNKNOWN = Beta(1.0, 1.0)
"""Before anything is seen: how often an oracle's answers hold."""
MOST_TRUST = 0.98


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
        kept = KEPT_PER_TURN ** max(0, turn - self.turn)
        return self._replace(successes=self.successes * kept, failures=self.failures * kept)

    def judging(self, good: bool, turn: int, kept: float = KEPT_PER_JUDGEMENT) -> Track:
        """The record with one more judgement."""
        old = self.faded(turn)
        return Track(
            judged=old.judged + 1,
            good=old.good + good,
            successes=old.successes * kept + good,
            failures=old.failures * kept + (not good),
            turn=turn,
        )


class OracleReliability:
    """A view over plain data, one record a kind of answer; updates replace what they change.

    Recommendations are compared with the record of the agent's own choices (`own`), because an
    action that brings something now and then proves nothing.
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
        track, prior = self.track(kind), CHANCE if kind == "own" else UNKNOWN
        track = track.faded(track.turn if self._turn is None else self._turn)
        return Beta(prior.alpha + track.successes, prior.beta + track.failures)

    def update(self, kind: Kind, good: bool) -> None:
        """Take in one judgement."""
        track = self.track(kind)
        turn = track.turn if self._turn is None else self._turn
        kept = OWN_KEPT if kind == "own" else KEPT_PER_JUDGEMENT
        self.data[kind] = list(track.judging(good, turn, kept))

    def trust(self, rng: random.Random | None = None) -> float:
        """How far a recommendation tells more than the agent's own choice, 0 to 1.

        The share of recommendations that help beyond what own choices would have brought. With
        a generator the rate is drawn from its posterior (Thompson sampling), so that an oracle
        about which little is known gets its chance.
        """
        posterior = self.posterior("recommendation")
        return self._beyond_chance(posterior.sample(rng) if rng else posterior.mean)

    def _beyond_chance(self, rate: float) -> float:
        chance = self.posterior("own").mean
        return min(MOST_TRUST, max(0.0, (rate - chance) / (1.0 - chance)))

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
