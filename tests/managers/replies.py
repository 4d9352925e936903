"""A stand-in for the turn loop: replies written by us go through extractor and learner."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

from agents.briefing import Briefing
from agents.extractor import RuleExtractor
from environments.game import Observation
from managers.knowledge import Knowledge
from managers.language.reading import TurnExtraction
from managers.learning.learner import learn
from managers.planning.world_model import WorldModel
from managers.world.map import Map


def read(command: str, text: str, room: str | None = None, turn: int = 1) -> TurnExtraction:
    """The rule-based reading of one reply."""
    asked = SimpleNamespace(
        turn=turn, command=command, observation=Observation(text=text, room=room)
    )
    return RuleExtractor().extract(cast(Briefing, asked))


class Story:
    """What map and world have learned from the replies so far."""

    def __init__(self) -> None:
        self.knowledge = Knowledge.new()
        self.turn = 0

    @property
    def map(self) -> Map:
        """Rooms and ways as known by now."""
        return self.knowledge.map_view

    @property
    def world(self) -> WorldModel:
        """Things as known by now."""
        return self.knowledge.world_view

    def hears(self, command: str, text: str, room: str | None = None, scored: int = 0) -> Story:
        """One turn: a command, its reply, what the status line shows, the points it brought."""
        score = self.knowledge.score + scored
        observation = Observation(text=text, room=room, score=score)
        reading = read(command, text, room, self.turn)
        self.knowledge = learn(self.knowledge, self.turn, command, observation, reading).after
        self.turn += 1
        return self
