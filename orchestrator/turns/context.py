"""What stays put during one episode, who plays its nodes, and what one node knows of that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from operator import is_
from threading import RLock
from typing import TYPE_CHECKING, Any, NamedTuple

from agents.roles import Actor, Oracle
from agents.shown.offers import Lazy
from agents.shown.situation import Situation
from environments.game import Game
from managers.belief.deliberation import Tariff
from managers.core.handover import Recalled, recall
from managers.core.scene import WHOLE, Mind, Scene, Stance
from managers.core.skill import Skills
from managers.core.value import EVEN, profiles
from managers.planning.issues import Enriched, open_issues
from managers.skills import all_skills
from managers.world.knowledge import Knowledge
from orchestrator.settings.models import Models
from orchestrator.turns.ends import AfterEnd

if TYPE_CHECKING:
    from orchestrator.graph.topology import Topology


NAMED = ("actor", "oracle")
"""Roles that other nodes ask something of, too."""


@dataclass(frozen=True)
class Crew:
    """Who is asked; None where a role is switched off."""

    actor: Actor | None = None
    oracle: Oracle | None = None
    tariff: Tariff = field(default_factory=Tariff)
    """What the oracle's answers cost."""
    parts: Mapping[str, Any] = field(default_factory=dict)
    """Who plays every node, by its path; the first actor and oracle of several stand above."""
    shown: tuple[str, ...] = ()
    """Fields of the graph's own that they are shown."""
    topology: Topology | None = None
    """The graph whose nodes they play, with its names looked up."""

    @property
    def profile(self) -> str:
        """The play profile of the actor; even for one that has none of ours."""
        profile = getattr(self.actor, "profile", EVEN)
        return str(profile) if profile in [*profiles()] else EVEN

    def at(self, path: str, role: str, ahead: int) -> Post:
        """What the node of a path closes over; an actor or oracle stands for its role there."""
        part = self.parts.get(path)
        named = {role: part} if role in NAMED and part is not None else {}
        return Post(replace(self, **named), part, ahead)


@dataclass(frozen=True)
class Post:
    """A node's place in a crew."""

    crew: Crew = field(default_factory=Crew)
    part: Any = None
    """Who plays the node."""
    ahead: int = 1
    """1 where it decides on the coming turn, 0 where that has been played."""


class Views:
    """The knowledge asked about last, with what was computed of it: the nodes of a turn share it.

    All of it is a pure function of the state, so that nothing hangs on it but time. Nodes that run
    at the same time take turns.
    """

    def __init__(self, skills: Skills | None = None) -> None:
        self._skills = all_skills() if skills is None else skills
        self._lock = RLock()
        self._known = Knowledge.new()
        self._scene: Scene | None = None
        self._situation: Situation | None = None
        self._issues: Sequence[Enriched] | None = None

    def of(self, known: Knowledge) -> Knowledge:
        """The same knowledge, with the views that were made of it.

        Where only the frontier is another, which the planner writes, the other views stay true.
        """
        with self._lock:
            if not all(map(is_, known, self._known)):
                same = map(is_, known._replace(frontier=self._known.frontier), self._known)
                if all(same):
                    self._known = self._known.with_(frontier=known.frontier)
                    self._scene = self._scene and self._scene.offering(self._known)
                else:
                    self._known, self._scene, self._issues = known, None, None
                self._situation = None
            return self._known

    def scene(self, known: Knowledge) -> Scene:
        """The scene as nobody in particular sees it, no part of it found out more than once."""
        with self._lock:
            known = self.of(known)
            if self._scene is None:
                self._scene = Scene(known, self._skills)
            return self._scene

    def situation(self, known: Knowledge) -> Situation:
        """The situation, no part of it computed more than once a turn."""
        with self._lock:
            known = self.of(known)
            if self._situation is None:
                self._situation = Situation(self.scene(known))
            return self._situation

    def issues(self, known: Knowledge) -> Sequence[Enriched]:
        """The most important issues with what bears on them, computed at most once a turn."""
        with self._lock:
            known = self.of(known)
            if self._issues is None:
                self._issues = Lazy(lambda: open_issues(known.world_view, known.map_view))
            return self._issues


class Bounds(NamedTuple):
    """How far a play can go; None where nobody knows."""

    steps: int | None = None
    """Commands that may be played."""
    score: int | None = None
    """The most points."""


@dataclass(frozen=True)
class Context:
    """LangGraph's runtime context of an episode; never persisted."""

    game: Game
    seed: int
    """The emulator's seed."""
    agent_seed: int
    recalled: Recalled = field(default_factory=lambda: recall({}))
    """What is known before the first word of the story."""
    mind: Mind = WHOLE
    """What of the mind's core is switched on."""
    skills: Skills = field(default_factory=all_skills)
    """What the agent is capable of."""
    after_end: AfterEnd = "stop"
    """What becomes of the play when the story ends before its time."""
    bounds: Bounds = field(default_factory=Bounds)
    """How far the play can go."""
    models: Models = field(default_factory=lambda: Models({}))
    """Whom the roles ask, and what it costs."""

    @property
    def stance(self) -> Stance:
        """How the planner looks at situations in this episode."""
        return Stance(self.agent_seed, self.mind, past=self.recalled.past)

    @cached_property
    def views(self) -> Views:
        """What was made of the knowledge asked about last."""
        return Views(self.skills)
