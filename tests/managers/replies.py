"""A stand-in for the turn loop: feeds replies written by us through extractor, map and world."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

from agents.briefing import Briefing
from agents.extractor import RuleExtractor
from environments.game import Observation
from managers.language.reading import TurnExtraction
from managers.world.map import Map
from managers.world import WorldModel


def read(command: str, text: str, room: str | None = None, turn: int = 1) -> TurnExtraction:
    """The rule-based reading of one reply."""
    asked = SimpleNamespace(
        turn=turn, command=command, observation=Observation(text=text, room=room)
    )
    return RuleExtractor().extract(cast(Briefing, asked))


class Story:
    """What map and world have learned from the replies so far."""

    def __init__(self) -> None:
        self.map = Map.empty()
        self.world = WorldModel.empty()
        self.turn = 0

    def hears(self, command: str, text: str, room: str | None = None, scored: int = 0) -> Story:
        """One turn: a command, its reply, and what the status line shows."""
        extraction = read(command, text, room, self.turn)
        observation = Observation(text=text, room=room)
        self.map = Map.from_state(self.map.data)
        self.map.apply(extraction, observation, command)
        self.world = WorldModel.from_state(self.world.data)
        self.world.apply(extraction, observation, self.map.here, command=command, scored=scored)
        self.turn += 1
        return self
