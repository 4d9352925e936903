"""The rater: how likely a model holds the commands of a turn, kept by room."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from agents.briefing import Briefing
from managers.belief.ratings import Ratings
from orchestrator.state import State


class RaterPart(Protocol):
    """Plays the role."""

    def rate(self, briefing: Briefing, known: Ratings) -> Ratings: ...


class Rater:
    """Says how likely the commands are that could be played where one is."""

    method = "rate"
    given = 2
    answer = Ratings
    writes = "ratings"
    needs = ("options",)
    parts: Mapping[str, str] = {"likelihood": "agents.rater:LikelihoodRater"}

    @staticmethod
    def ask(part: RaterPart, briefing: Briefing, state: State) -> Any:
        return part.rate(briefing, state.get("ratings") or Ratings())
