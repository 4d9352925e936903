"""Who plays the nodes of a graph, and what one node knows of that."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from agents.roles import Actor, Critic, Extractor, ObjectiveManagerPart, Oracle
from managers.belief.deliberation import Tariff
from managers.core.value import EVEN

if TYPE_CHECKING:
    from orchestrator.graph.topology import Topology


@dataclass(frozen=True)
class Crew:
    """Who is asked; None where a role is switched off."""

    extractor: Extractor | None = None
    actor: Actor | None = None
    objective_manager: ObjectiveManagerPart | None = None
    oracle: Oracle | None = None
    critic: Critic | None = None
    tariff: Tariff = field(default_factory=Tariff)
    """What the oracle's answers cost."""
    parts: Mapping[str, Any] = field(default_factory=dict)
    """Who plays every node, by its path; of several with one role the first is named above."""
    shown: tuple[str, ...] = ()
    """Fields of the graph's own that they are shown."""
    topology: Topology | None = None
    """The graph whose nodes they play, with its names looked up."""

    @property
    def profile(self) -> str:
        """The play profile of the actor; even for one that has none."""
        return str(getattr(self.actor, "profile", EVEN))

    def at(self, path: str, role: str, ahead: int) -> Post:
        """What the node of a path closes over; its part stands for its role."""
        part = self.parts.get(path)
        named = {role: part} if role in self.__dataclass_fields__ and part is not None else {}
        return Post(replace(self, **named), part, ahead)


@dataclass(frozen=True)
class Post:
    """A node's place in a crew."""

    crew: Crew = field(default_factory=Crew)
    part: Any = None
    """Who plays the node."""
    ahead: int = 1
    """1 where it decides on the coming turn, 0 where that has been played."""
