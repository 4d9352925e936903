"""The shared graph state: every field, who writes it, and what a checkpoint holds of it."""

from __future__ import annotations

from typing import Any, TypedDict

from agents.answers import AgentResponse, Ruling
from agents.briefing import RecentTurn
from environments.game import Observation, Tally, Value
from managers.beliefs import AgentBeliefs
from managers.candidates import Candidate
from managers.deliberation import Advice
from managers.extraction import TurnExtraction
from managers.modes import Mode
from managers.objectives import Objective, ObjectiveChange
from managers.reading import Reading


class Proposal(Value):
    """What the actor wants to play in a turn."""

    turn: int
    attempt: int
    response: AgentResponse
    command: str
    """The response's action, cleaned: what the game gets."""
    pending: tuple[str, ...] = ()
    """The rest of a line of several commands; dropped on failure or surprise."""


class Judgement(Value):
    """The critic's verdict on one proposal."""

    turn: int
    attempt: int
    command: str
    verdict: Ruling
    heeded: bool = True
    """False for an objection that is overruled, because such ones have told nothing."""

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


class Score(Value):
    """The run's tally so far; final and best score are kept apart."""

    last: Tally
    best: int = 0
    deaths: int = 0
    faults: int = 0
    tried: int = 0
    """Commands that the emulator tried and rolled back for the agent (access `actions`)."""


class Mark(Value):
    """How far the transcript has come."""

    size: int = 0
    """In bytes."""
    crc32: int = 0
    """Of all of them."""


class State(TypedDict, total=False):
    """One episode at the end of a turn. Turn 0 is the opening, before any command.

    Every field is a LangGraph channel of its own.
    """

    turn: int
    command: str
    """The one that brought the observation; empty at the opening."""
    observation: Observation
    snapshot: bytes
    score: Score
    transcript: Mark
    extraction: TurnExtraction | Reading
    world: dict[str, Any]
    map: dict[str, Any]
    dynamics: dict[str, Any]
    beliefs: AgentBeliefs
    reliability: dict[str, Any]
    transitions: dict[str, Any]
    calibration: dict[str, Any]
    mode: Mode
    recent: list[RecentTurn]
    objectives: list[Objective]
    objective_changes: list[ObjectiveChange]
    """Of the turn alone."""
    candidates: list[Candidate]
    advice: Advice
    proposal: Proposal
    judgements: list[Judgement]
    decisions: list[Decision]


Update = dict[str, Any]
"""What a node returns: some of the fields it may write."""

WRITES: dict[str, frozenset[str]] = {
    "game": frozenset({"turn", "command", "observation", "snapshot", "score", "transcript"}),
    "extractor": frozenset({"extraction"}),
    "learner": frozenset(
        {
            *("world", "map", "dynamics", "beliefs", "reliability", "transitions"),
            *("calibration", "mode", "recent"),
        }
    ),
    "objective_manager": frozenset({"objectives", "objective_changes", "candidates"}),
    "oracle": frozenset({"advice"}),
    "actor": frozenset({"proposal"}),
    "critic": frozenset({"judgements"}),
    "approval": frozenset({"decisions"}),
}
"""One writer per field."""
