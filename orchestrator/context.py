"""What stays put during one episode: the running game, the roles, the seeds."""

from __future__ import annotations

from dataclasses import dataclass, field

from agents.roles import Actor, Critic, Extractor, ObjectiveManager, Oracle
from environments.game import Game
from managers.deliberation import Tariff
from managers.faculties import ALL, Faculties
from managers.knowledge import Knowledge
from managers.situation import Situation, open_issues, situation
from managers.world import Enriched
from orchestrator.models import Models


@dataclass(frozen=True)
class Roles:
    """Who is asked; None where a role is switched off."""

    extractor: Extractor
    actor: Actor
    objective_manager: ObjectiveManager | None = None
    oracle: Oracle | None = None
    critic: Critic | None = None
    tariff: Tariff = field(default_factory=Tariff)
    """What the oracle's answers cost."""


class Views:
    """What is made of the knowledge asked about last: the nodes of a turn share it."""

    def __init__(self) -> None:
        self._known: Knowledge | None = None
        self._situation: Situation | None = None
        self._issues: tuple[Enriched, ...] | None = None

    def situation(self, known: Knowledge) -> Situation:
        """A pure function of the knowledge, computed once a turn."""
        self._turn_to(known)
        if self._situation is None:
            self._situation = situation(known)
        return self._situation

    def issues(self, known: Knowledge) -> tuple[Enriched, ...]:
        """The most important issues with what bears on them, computed once a turn."""
        self._turn_to(known)
        if self._issues is None:
            self._issues = open_issues(known)
        return self._issues

    def _turn_to(self, known: Knowledge) -> None:
        last = self._known
        if last is None or any(old is not new for old, new in zip(last, known, strict=True)):
            self._known, self._situation, self._issues = known, None, None


@dataclass(frozen=True)
class Context:
    """LangGraph's runtime context of an episode; never persisted."""

    game: Game
    roles: Roles
    seed: int
    """The emulator's seed."""
    agent_seed: int
    recalled: Knowledge = field(default_factory=Knowledge.new)
    """What is known before the first word of the story."""
    faculties: Faculties = ALL
    """What the planner builds on."""
    views: Views = field(default_factory=Views)
    models: Models = field(default_factory=lambda: Models({}))
    """Whom the roles ask, and what it costs."""
