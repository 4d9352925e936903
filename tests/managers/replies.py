"""A stand-in for the turn loop: replies written by us go through extractor and learner."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import cast

from agents.briefing import Briefing
from agents.extractor import RuleExtractor
from environments.game import Observation, Words
from managers.core.learner import learn
from managers.language.reading import TurnExtraction
from managers.skills import all_skills
from managers.world.knowledge import Knowledge
from managers.world.map import Map
from managers.world.queries import ToolRequest
from managers.world.view import World

HALL = "Hall\nYou are in a long hall with a marble floor. Doors lead north and east.\n"
YARD = "Yard\nThis is a cobbled yard behind the house, open to the sky. The hall is south.\n"


def read(
    command: str,
    text: str,
    room: str | None = None,
    turn: int = 1,
    words: Words | None = None,
    known: Map | None = None,
) -> TurnExtraction:
    """The rule-based reading of one reply; `words` is what the dictionary tells of it."""
    observation = Observation(text=text, room=room, words=words)
    map = known or Map()
    asked = SimpleNamespace(turn=turn, command=command, observation=observation, map=map)
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
    def world(self) -> World:
        """Things as known by now."""
        return self.knowledge.world_view

    def hears(
        self,
        command: str,
        text: str,
        room: str | None = None,
        scored: int = 0,
        requests: Sequence[ToolRequest] = (),
    ) -> Story:
        """A turn: command, reply, what the status line shows, the points it brought.

        `requests` were made before it.
        """
        score = self.knowledge.score + scored
        observation = Observation(text=text, room=room, score=score)
        reading = read(command, text, room, self.turn, known=self.map)
        self.knowledge = learn(
            self.knowledge,
            self.turn,
            command,
            observation,
            reading,
            all_skills(),
            requests=requests,
        ).after
        self.turn += 1
        return self


def key_and_grate() -> Story:
    """A brass key in the hall; a locked grate in the yard."""
    story = Story().hears("", HALL + "There is a brass key here.", "Hall")
    story.hears("north", YARD + "An iron grate is set in the ground here.", "Yard")
    return story.hears("open grate", "The iron grate is locked.", "Yard")


def jewelled_case() -> Story:
    """A ruby in a locked case, and the brass key in the hand."""
    story = Story().hears(
        "", HALL + "There is a jewelled case here.\nThere is a brass key here.", "Hall"
    )
    story.hears("examine case", "In the jewelled case is a ruby.\nThe case is locked.", "Hall")
    story.hears("open case", "The jewelled case is closed.", "Hall")
    return story.hears("take key", "Taken.", "Hall")
