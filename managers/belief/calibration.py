"""Whether the critic can tell what fails: its rulings against what became of the commands.

A critic can tell as far as commands that it objects to fail more often than accepted ones. One that
cannot is asked less and less and overruled; what is played all the same shows whether it learns.
Rules are no forecasts: what they object to has been shown to fail, and they are always heeded.
"""

from __future__ import annotations

import random
from typing import Literal, NamedTuple

from pydantic import Field

from environments.game import Value
from managers.belief.beta import Beta, TrackRecord, bin_of

CRITIC = "critic"
"""The source of all rulings, whichever part of a critic they are from."""
RULES = "rules"
"""The source of rulings that are no forecasts."""
_OBJECTED, _ACCEPTED = Beta(6.0, 1.0), Beta(4.0, 8.0)
"""Before anything is seen: how often a command fails that is objected to, or accepted."""
_WORTHWHILE = 0.2
"""How much likelier to fail an objection must make a command; another try costs, too."""
_NEWCOMER = 10
"""Who has made fewer rulings is heeded without question."""
_ASKED_ALL_THE_SAME = 0.1

_Ruling = Literal["accepted", "objected"]


class Forecast(NamedTuple):
    """What a verdict said of the command that was played."""

    source: str
    """The part of the critic it is from; empty where there are no parts."""
    accept: bool
    confidence: float = 1.0
    final: bool = True
    """It decided; false for an opinion that others voted on."""


class Bin(Value):
    """Commands about which the critic was about as sure."""

    plays: int = 0
    predicted: float = 0.0
    """Sum of the foretold chances of failure."""
    failed: int = 0


class CalibrationData(Value):
    """All that is known of a critic: what goes into the graph state."""

    accepted: dict[str, TrackRecord] = Field(default_factory=dict)
    """By source, how often accepted commands failed."""
    objected: dict[str, TrackRecord] = Field(default_factory=dict)
    curve: dict[int, Bin] = Field(default_factory=dict)
    """By fifths of the foretold chance."""


class CriticCalibration:
    """A view over plain data: how often commands failed by ruling and source."""

    def __init__(self, data: CalibrationData | None = None) -> None:
        self.data = data or CalibrationData()

    def update(self, forecast: Forecast, failed: bool, turn: int) -> None:
        """Take in what became of a command that was judged and played."""
        ruling: _Ruling = "accepted" if forecast.accept else "objected"
        records, curve = dict(getattr(self.data, ruling)), dict(self.data.curve)
        sources = {forecast.source or CRITIC}
        if forecast.final:
            sources.add(CRITIC)
            failing = 1.0 - forecast.confidence if forecast.accept else forecast.confidence
            place = bin_of(failing)
            old = curve.get(place, Bin())
            predicted = round(old.predicted + failing, 3)
            curve[place] = Bin(plays=old.plays + 1, predicted=predicted, failed=old.failed + failed)
        for source in sorted(sources):
            records[source] = self.record(ruling, source).after(failed, turn)
        self.data = self.data.model_copy(update={ruling: records, "curve": curve})

    def curve(self) -> list[Bin]:
        """The bins that are not empty, the lowest chance of failure first."""
        return [self.data.curve[place] for place in sorted(self.data.curve)]

    def record(self, ruling: _Ruling, source: str = CRITIC) -> TrackRecord:
        """The record of one ruling; `right` counts the commands that failed."""
        records = self.data.accepted if ruling == "accepted" else self.data.objected
        return records.get(source, TrackRecord())

    def failing(self, ruling: _Ruling, source: str = CRITIC) -> Beta:
        """What is known of how often commands fail after such a ruling."""
        record = self.record(ruling, source)
        return record.posterior(record.turn, _ACCEPTED if ruling == "accepted" else _OBJECTED)

    def weight(self, source: str = CRITIC) -> float:
        """How much likelier to fail an objection makes a command, 0 to 1."""
        objected, accepted = self.failing("objected", source), self.failing("accepted", source)
        return max(0.0, objected.mean - accepted.mean)

    def heeds(self, source: str, rng: random.Random) -> bool:
        """Whether an objection counts, by a draw of what objections and acceptances tell."""
        source = source or CRITIC
        rulings = (self.record("objected", source), self.record("accepted", source))
        if sum(record.judged for record in rulings) < _NEWCOMER:
            return True
        objected = rng.betavariate(*self.failing("objected", source))
        return objected > rng.betavariate(*self.failing("accepted", source)) + _WORTHWHILE

    def asks(self, source: str, rng: random.Random) -> bool:
        """Whether to ask at all: where it would be heeded, and now and then to see."""
        return self.heeds(source, rng) or rng.random() < _ASKED_ALL_THE_SAME
