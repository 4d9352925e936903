"""What stays put during one episode: the running game, the roles, the seeds."""

from __future__ import annotations

from dataclasses import dataclass

from agents.roles import Actor, Critic, Extractor, ObjectiveManager
from environments.game import Game


@dataclass(frozen=True)
class Roles:
    """Who is asked; None where a role is switched off."""

    extractor: Extractor
    actor: Actor
    objective_manager: ObjectiveManager | None = None
    critic: Critic | None = None


@dataclass(frozen=True)
class Context:
    """LangGraph's runtime context of an episode; never persisted."""

    game: Game
    roles: Roles
    seed: int
    """The emulator's seed."""
    agent_seed: int
