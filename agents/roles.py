"""The roles a graph asks, as protocols: anything with the right method fits.

A role is made once an episode with the options of its config table as keyword
arguments. It gets a read-only `Briefing` and returns the named value or a dict of the
same fields; `docs/roles.md` shows each with an example.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from agents.answers import AgentResponse, ObjectiveReview, Verdict
from agents.briefing import Briefing
from managers.core.mode import PlayMode
from managers.language.reading import (
    FailureAnalysis,
    ProgressReport,
    SituationUnderstanding,
    TurnExtraction,
)


class Extractor(Protocol):
    """Reads the game's last reply; a `Reading` says besides what it means."""

    def extract(self, briefing: Briefing) -> TurnExtraction: ...


class ObjectiveManagerPart(Protocol):
    """Says which objectives are new and which are done."""

    def review(self, briefing: Briefing) -> ObjectiveReview: ...


class Oracle(Protocol):
    """Says what it makes of the situation; it is asked where that is worth its price.

    A part may have some of the methods of `FurtherAnswers` too. They are called in the same
    turn with the same briefing, so that one call of a model can serve them all.
    """

    def analyse_situation(self, briefing: Briefing) -> SituationUnderstanding: ...


class FurtherAnswers(Protocol):
    """What an oracle may be asked besides."""

    def analyse_failure(self, briefing: Briefing) -> FailureAnalysis:
        """Why the last command (`briefing.command`) failed; asked only if it did."""
        ...

    def detect_progress(self, briefing: Briefing) -> ProgressReport:
        """Whether the last command brought the story forward."""
        ...

    def suggest_state_variables(self, briefing: Briefing) -> Sequence[str]:
        """What to track, given `briefing.dynamics.contradictions()`; asked if there are any."""
        ...

    def choose_mode(self, briefing: Briefing) -> PlayMode:
        """One of `briefing.mode.options`, before the options are valued; asked if there are any."""
        ...

    def extract_state(self, briefing: Briefing) -> Mapping[str, str]:
        """The present values of `briefing.dynamics.tracked`; asked if there are any."""
        ...


class Actor(Protocol):
    """Proposes the next command."""

    def propose(self, briefing: Briefing) -> AgentResponse: ...


class Critic(Protocol):
    """Accepts the proposal or objects to it."""

    def judge(self, briefing: Briefing) -> Verdict: ...
