"""What a role is told: read-only, made anew for every question."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from agents.answers import AgentResponse
from agents.shown.situation import Situation
from environments.game import Observation, Value
from managers.belief.beliefs import AgentBeliefs
from managers.belief.calibration import RULES, CriticCalibration
from managers.belief.deliberation import Advice
from managers.belief.dynamics import DynamicsModel
from managers.belief.ratings import Ratings
from managers.belief.reliability import OracleReliability
from managers.belief.wording import Sort
from managers.core.mode import Mode
from managers.core.option import Option
from managers.core.value import EVEN, Profile, profiles
from managers.language.history import Gain, History
from managers.language.reading import SituationUnderstanding, TurnExtraction
from managers.planning.issues import Enriched
from managers.planning.objectives import Objective
from managers.world.facts import Fact
from managers.world.map import Map
from managers.world.view import World

_SEVERAL_PLACES = 3
"""So many new places with the same points make it likely that others bring them, too."""
_SPELL = 8
"""For so many turns one random draw of the oracle's reliability is kept."""


class RecentTurn(Value):
    """One line of the recent history."""

    turn: int
    room: str
    """Where the command was played."""
    command: str
    reply: str
    """The reply's first words."""
    result: str


class Bid(Value):
    """A proposal of this turn that waits for a judge."""

    command: str
    thinking: str


class Objection(Value):
    """A proposal of this turn that the critic did not accept."""

    command: str
    reason: str


@dataclass(frozen=True)
class Standing:
    """How the play goes, as far as it can be known, found out when somebody asks for it."""

    history: History = field(default_factory=History)
    maximum: int | None = None
    left: int | None = None
    """Commands that may still be played."""

    @property
    def score(self) -> int | None:
        """As the game has told it."""
        return self.history.points

    @property
    def gains(self) -> tuple[Gain, ...]:
        """Every change of the score."""
        return self.history.gains

    @property
    def earned(self) -> list[tuple[int, int, list[Gain]]]:
        """The changes of the score that are alike, the most points first.

        Each with its points, for how many new places they were given (0 where these are too few
        to tell), and the other deeds that brought as many.
        """
        told = []
        for points in sorted({one.points for one in self.gains}, reverse=True):
            some = [one for one in self.gains if one.points == points]
            places = sum(one.arrived for one in some)
            if places < _SEVERAL_PLACES:
                told.append((points, 0, some))
            else:
                told.append((points, places, [one for one in some if not one.arrived]))
        return told

    @property
    def dry(self) -> int:
        """How many of the last commands have brought no points, where the score is known."""
        last = max((one.turn for one in self.gains if one.points > 0), default=0)
        return self.history.last.turn - last if self.score is not None else 0


@dataclass(frozen=True)
class Briefing:
    """The situation as the roles see it; prompts may use nothing else."""

    turn: int
    """The turn that is being decided, or whose reply is being read."""
    seed: int
    """The agent's seed of this episode."""
    command: str
    """The last command played; empty at the opening."""
    observation: Observation
    extraction: TurnExtraction | None
    situation: Situation
    recent: tuple[RecentTurn, ...]
    objectives: tuple[Objective, ...]
    options: tuple[Option, ...]
    """Ranked by the planner; what the oracle recommends besides stands last."""
    offers: Sequence[str] = ()
    """Commands that a model is shown as guesses."""
    history: History = field(default_factory=History)
    """Everything the game has said, word for word."""
    memory: int = 0
    """So many tokens of it are shown to the model that is asked."""
    standing: Standing = field(default_factory=Standing)
    """Score, maximum, commands left, and what brought points."""
    notes: tuple[Fact, ...] = ()
    """What the actor has written down, the oldest first."""
    beliefs: AgentBeliefs = field(default_factory=AgentBeliefs)
    advice: Advice | None = None
    """The oracle's last answer, of whatever turn."""
    ratings: Ratings = field(default_factory=Ratings)
    """How likely a model holds commands, by room."""
    reliability: OracleReliability = field(default_factory=OracleReliability)
    calibration: CriticCalibration = field(default_factory=CriticCalibration)
    """How far the critic's verdicts have told what fails."""
    mode: Mode = field(default_factory=Mode)
    """What the agent is about: exploring, fighting, stuck, ..."""
    profile: Profile = field(default_factory=lambda: profiles()[EVEN])
    """How the actor likes to play."""
    dynamics: DynamicsModel = field(default_factory=DynamicsModel)
    map: Map = field(default_factory=Map)
    world: World = field(default_factory=World)
    """A view to ask; only the learner writes."""
    issues: Sequence[Enriched] = ()
    """What calls for attention, with what bears on it; the most important first."""
    objections: tuple[Objection, ...] = ()
    proposal: AgentResponse | None = None
    proposals: tuple[Bid, ...] = ()
    """Those of this turn that wait for a judge."""
    shown: Mapping[str, Any] = field(default_factory=dict)
    """Fields of the graph's own that it shows to the roles, by name."""
    item: Any = None
    """What this one question is about: an item of the list of `each`, or what the role of a model
    hands over besides the briefing."""

    @property
    def understanding(self) -> SituationUnderstanding | None:
        """What the oracle says of this turn; None where it was not asked."""
        fresh = self.advice is not None and self.advice.turn == self.turn
        return self.advice.understanding if self.advice and fresh else None

    @property
    def active(self) -> tuple[Objective, ...]:
        """The objectives that are pursued."""
        return tuple(one for one in self.objectives if one.status == "active")

    @property
    def sample(self) -> int:
        """So many answers to the same question wait for a judge already."""
        return len(self.proposals)

    @property
    def attempt(self) -> int:
        """1, and one more for every objection of this turn."""
        return len(self.objections) + 1

    @property
    def advice_rates(self) -> dict[Sort, float]:
        """How often recommendations help, as drawn for this turn.

        The draw that decides whether the oracle is asked decides what its answer weighs, too,
        and for a few turns: what advice leads to takes more than one.
        """
        return self.reliability.draw(random.Random(f"{self.seed}/{self.turn // _SPELL}/advice"))

    def heeds_critic(self, source: str) -> bool:
        """Whether an objection from a part of the critic counts in this turn."""
        own = self._turns_own(f"critic {source}")
        return source == RULES or self.calibration.heeds(source, own)

    def asks_critic(self, source: str) -> bool:
        """Whether a part of the critic is worth asking in this turn, by the same draw."""
        return self.calibration.asks(source, self._turns_own(f"critic {source}"))

    def _turns_own(self, purpose: str) -> random.Random:
        """The same for every attempt of the turn."""
        return random.Random(f"{self.seed}/{self.turn}/{purpose}")

    def rng(self, purpose: str) -> random.Random:
        """A generator that depends on nothing but seed, turn, attempt, sample and purpose."""
        again = f"/{self.sample}" if self.sample else ""
        return random.Random(f"{self.seed}/{self.turn}/{self.attempt}/{purpose}{again}")
