"""What stays put during one episode: the running game, the roles, the seeds."""

from __future__ import annotations

from dataclasses import dataclass, field

from agents.roles import Actor, Critic, Extractor, ObjectiveManager, Oracle
from environments.game import Game
from managers.deliberation import Tariff
from managers.knowledge import Knowledge
from managers.memory import Past
from managers.situation import Situation, situation
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
    """The situation of the knowledge asked about last: the nodes of a turn share it."""

    def __init__(self) -> None:
        self._last: tuple[Knowledge, Situation] | None = None

    def situation(self, known: Knowledge) -> Situation:
        """A pure function of the knowledge, computed once a turn."""
        last = self._last
        if last is None or any(old is not new for old, new in zip(last[0], known, strict=True)):
            last = self._last = (known, situation(known))
        return last[1]


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
    past: Past = field(default_factory=Past)
    """What earlier episodes say of rooms that are found again."""
    views: Views = field(default_factory=Views)
    models: Models = field(default_factory=lambda: Models({}))
    """Whom the roles ask, and what it costs."""
