"""The shared graph state: every field, and which role writes it."""

from __future__ import annotations

from typing import Annotated, Any, TypedDict

from pydantic import Field, SkipValidation

from agents.answers import AgentResponse, Ruling
from agents.briefing import RecentTurn
from agents.council import Cause
from environments.game import Observation, Step, Tally, Value
from managers.belief.beliefs import AgentBeliefs
from managers.belief.calibration import CalibrationData
from managers.belief.deliberation import Advice
from managers.belief.dynamics import DynamicsData
from managers.belief.ratings import Ratings
from managers.belief.reliability import ReliabilityData
from managers.core.mode import Mode
from managers.core.option import Option
from managers.language.history import HistoryData
from managers.language.reading import Reading, TurnExtraction
from managers.planning.issues import Issue
from managers.planning.objectives import Objective, ObjectiveChange
from managers.world.attempts import AttemptsData
from managers.world.facts import FactsData
from managers.world.knowledge import FrontierData
from managers.world.mapping import MapData
from managers.world.objects import WorldData
from managers.world.rates import RatesData
from managers.world.trail import MemoryData, no_memory
from orchestrator.reducers import Rounds, later, of_turn, rounds


class Proposal(Value):
    """What the actor wants to play in a turn."""

    turn: int
    attempt: int
    response: AgentResponse
    command: str
    """The response's action, cleaned: what the game gets."""
    pending: tuple[str, ...] = ()
    """The rest of a line of several commands; dropped on failure or surprise, unless blind."""
    blind: bool = False
    by: str = ""
    """The node it is from, where several propose."""
    chosen_for: str = ""
    """Why a judge chose it."""


class Judgement(Value):
    """The critic's verdict on one proposal."""

    turn: int
    attempt: int
    command: str
    verdict: Ruling
    heeded: bool = True
    """False for an objection that is overruled, because such ones have told nothing."""
    by: str = ""
    """The node it is from, where several judge."""

    @property
    def objects(self) -> bool:
        """It sends the proposal back."""
        return self.heeded and not self.verdict.accept


class Decision(Value):
    """What a person made of one proposal."""

    turn: int
    attempt: int
    accept: bool
    proposed: str
    command: str
    """What is to be played if it is accepted, edited or not."""
    reason: str = ""
    """Why it is rejected."""
    by: str = ""
    """Who decided; empty where nobody was asked."""


class Line(Value):
    """The commands that lead from the story's beginning to where it stands, and its last end."""

    length: int = 0
    """So many; what was taken back does not count."""
    ended: int = 0
    """How many there were when an end was last taken back."""
    back: int = 0
    """How many of them were taken back then."""


class Score(Value):
    """The run's tally so far; final and best score are kept apart."""

    last: Tally
    line: Line = Line()
    best: int = 0
    deaths: int = 0
    faults: int = 0
    tried: int = 0
    """Commands that the emulator tried and rolled back for the agent (access `actions`)."""
    undone: int = 0
    """So often an end was taken back."""
    restarts: int = 0
    """So often the story began anew after an end."""
    again: str = ""
    """How the play went on in this turn after an end: `undo` or `restart`."""


class Before(Value):
    """Where the play once stood."""

    at: int
    """After so many commands of its line."""
    observation: Observation
    snapshot: bytes
    tally: Tally
    world: SkipValidation[WorldData]
    """What was known then of things and their places."""
    here: str
    """The room, `L<n>`."""
    memory: SkipValidation[MemoryData] = Field(default_factory=no_memory)
    """What had led there, and how far that followed earlier episodes."""

    @property
    def step(self) -> Step:
        """What had brought the play there."""
        return Step(self.observation, self.snapshot, self.tally)


class Mark(Value):
    """How far the transcript has come."""

    size: int = 0
    """In bytes."""
    crc32: int = 0
    """Of all of them."""


class Item(Value):
    """One of the items of a list, for a node that runs once for each of them."""

    number: int
    """Its place in the list, from 0."""
    content: Any


class State(TypedDict, total=False):
    """One episode at the end of a turn. Turn 0 is the opening, before any command.

    Every field is a LangGraph channel of its own.
    """

    turn: int
    command: str
    """The one that brought the observation; empty at the opening."""
    observation: Observation
    snapshot: bytes
    before: list[Before]
    """Where the play stood 1, 2, 4, 8, ... commands ago, in graphs that take ends back."""
    score: Score
    transcript: Mark
    history: Annotated[HistoryData, later]
    """What was played and what the game said to it, word for word."""
    extraction: TurnExtraction | Reading
    world: WorldData
    map: MapData
    attempts: AttemptsData
    """What was tried where, and what became of it."""
    facts: FactsData
    """What replies have told besides things and rooms."""
    rates: RatesData
    """How often actions work, and what rooms have brought."""
    frontier: FrontierData
    """What every room still offers."""
    memory: MemoryData
    """What is left to later episodes, and how far earlier ones were followed."""
    beliefs: AgentBeliefs
    reliability: ReliabilityData
    dynamics: DynamicsData
    calibration: CalibrationData
    mode: Mode
    recent: list[RecentTurn]
    objectives: list[Objective]
    objective_changes: list[ObjectiveChange]
    """Of the turn alone."""
    options: list[Option]
    advice: Advice
    ratings: Ratings
    """How likely a model holds commands, by room."""
    issues: list[Issue]
    """What calls for attention, for nodes that run once for each."""
    causes: list[Cause]
    """What is worth arguing for, for nodes that run once for each; never empty."""
    item: Item
    """The one that a node is run for; nowhere else."""
    proposals: Annotated[list[Proposal], of_turn]
    """Those that a judge chooses from."""
    proposal: Proposal
    """The one that is judged and played."""
    opinions: Annotated[list[Judgement], of_turn]
    """Those that are put to the vote."""
    judgements: Annotated[list[Judgement], of_turn]
    decisions: list[Decision]
    rounds: Annotated[Rounds, rounds]
    """How often a turn has gone round its loops."""


Update = dict[str, Any]
"""What a node returns: some of the fields it may write."""

WRITES: dict[str, frozenset[str]] = {
    "game": frozenset(
        {
            *("turn", "command", "observation", "snapshot", "before"),
            *("score", "transcript", "history"),
        }
    ),
    "extractor": frozenset({"extraction"}),
    "learner": frozenset(
        {
            *("world", "map", "attempts", "facts", "rates", "memory"),
            *("beliefs", "reliability", "dynamics", "calibration", "recent"),
        }
    ),
    "objective_manager": frozenset({"objectives", "objective_changes"}),
    "mode": frozenset({"mode"}),
    "planner": frozenset({"options", "frontier"}),
    "issues": frozenset({"issues"}),
    "causes": frozenset({"causes"}),
    "oracle": frozenset({"advice"}),
    "rater": frozenset({"ratings"}),
    "actor": frozenset({"proposal"}),
    "judge": frozenset({"proposal"}),
    "critic": frozenset({"judgements"}),
    "vote": frozenset({"judgements"}),
    "approval": frozenset({"decisions"}),
}
"""Role -> the fields it writes."""
NEVER_EMPTY = frozenset({"causes"})
"""Lists that hold something whenever they are written."""
