"""Whether the critic can tell what fails: its verdicts against what became of the commands.

An objection tells something as far as commands that it is raised against fail more often than
accepted ones. A critic that cannot tell is asked less and less, and its objections are
overruled; what is played all the same shows whether it has learned better.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from managers.beta import Beta
from managers.reliability import Track

CRITIC = "critic"
"""The record of all verdicts, whichever part of a critic they are from."""
BINS = 5
"""Of the curve, from 0 to 1."""
_OBJECTIONS = Beta(6.0, 1.0)
"""Before anything is seen: how often a command fails that is objected to."""
_ACCEPTED = Beta(4.0, 8.0)
"""And one that is accepted: trying things is how such games are played."""
_WORTHWHILE = 0.2
"""How much likelier to fail an objection must make a command; another try costs, too."""
_FIRST = 10
"""So many verdicts of a newcomer count without question."""
_SELDOM = 0.1
"""How often one that cannot tell is asked all the same."""

Ruling = Literal["accepted", "objected"]


class Forecast(NamedTuple):
    """What a verdict foretold of the command that was played."""

    source: str
    """The part of the critic it is from; empty where there are no parts."""
    accept: bool
    confidence: float

    @property
    def failing(self) -> float:
        """The foretold chance that the command fails."""
        return 1.0 - self.confidence if self.accept else self.confidence


class Bin(NamedTuple):
    """One point of the calibration curve."""

    plays: int = 0
    predicted: float = 0.0
    """Sum of the foretold chances of failure."""
    failed: int = 0


class CriticCalibration:
    """A view over plain data: the commands that failed by ruling and source, and the curve."""

    def __init__(self, data: Mapping[str, Any] | None = None) -> None:
        self.data: dict[str, Any] = {"rulings": {}, "curve": {}, **(data or {})}
        """Plain data: what goes into the graph state."""

    def update(self, forecast: Forecast, failed: bool, turn: int) -> None:
        """Take in what became of a command that was judged and played."""
        rulings = dict(self.data["rulings"])
        ruling: Ruling = "accepted" if forecast.accept else "objected"
        for source in dict.fromkeys((CRITIC, forecast.source or CRITIC)):
            track = self.track(ruling, source).judging(failed, turn)
            rulings[_key(ruling, source)] = list(track)
        place = str(min(BINS - 1, int(forecast.failing * BINS)))
        plays, predicted, failures = self.data["curve"].get(place, Bin())
        point = Bin(plays + 1, round(predicted + forecast.failing, 3), failures + failed)
        self.data |= {"rulings": rulings, "curve": {**self.data["curve"], place: list(point)}}

    def track(self, ruling: Ruling, source: str = CRITIC) -> Track:
        """The record of one ruling; `good` counts the commands that failed."""
        return Track(*self.data["rulings"].get(_key(ruling, source), ()))

    def failing(self, ruling: Ruling, source: str = CRITIC) -> Beta:
        """What is known of how often commands fail after such a ruling."""
        prior = _ACCEPTED if ruling == "accepted" else _OBJECTIONS
        track = self.track(ruling, source)
        return Beta(prior.alpha + track.successes, prior.beta + track.failures)

    def weight(self, source: str = CRITIC) -> float:
        """How much likelier to fail an objection makes a command, 0 to 1."""
        return max(
            0.0, self.failing("objected", source).mean - self.failing("accepted", source).mean
        )

    def heeds(self, source: str, rng: random.Random) -> bool:
        """Whether an objection counts, by a draw of what objections and acceptances tell."""
        source = source or CRITIC
        if self.track("objected", source).judged + self.track("accepted", source).judged < _FIRST:
            return True
        objected = self.failing("objected", source).sample(rng)
        return objected > self.failing("accepted", source).sample(rng) + _WORTHWHILE

    def asks(self, source: str, rng: random.Random) -> bool:
        """Whether to ask at all: where it would be heeded, and now and then to see."""
        return self.heeds(source, rng) or rng.random() < _SELDOM

    def curve(self) -> list[Bin]:
        """The foretold chances of failure against what came of them, lowest first."""
        return [Bin(*self.data["curve"][place]) for place in sorted(self.data["curve"])]


def _key(ruling: Ruling, source: str) -> str:
    return f"{source}/{ruling}"
