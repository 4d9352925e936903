"""The typed reading of one reply: what the extractor writes and everybody learns from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from environments.game import Value

Question = Literal["", "yes_no", "which", "menu", "missing", "end", "key"]
"""What the game waits for; a `menu` is of numbers, `end` asks what to do at the story's end."""
SURE = 0.85
"""From this confidence on what rules have read is told in the game's stock words: `Taken.`"""


class ObjectMention(Value):
    """An object the reply speaks of."""

    name: str
    location: str = "here"
    """`here`, `inventory`, or the name of the container or supporter that holds it."""
    properties: tuple[str, ...] = ()
    """What the text says it is or can do: takeable, container, supporter, scenery, person, ..."""
    state: dict[str, str] = Field(default_factory=dict)
    """For instance {"open": "false", "locked": "true"}; also `lit`, `on`, `worn`."""
    confidence: float = 1.0


class StateChange(Value):
    """A property of an object that the reply says has changed."""

    object: str
    property: str
    """`open`, `locked`, `lit`, `on`, `worn`; `location` (`inventory`, `here`, `gone`, a holder)."""
    old_value: str | None = None
    new_value: str
    confidence: float = 1.0


class ActionResult(Value):
    """How the command went, as far as the reply tells."""

    action: str
    """The command, with the things that the game chose for it in brackets put in their place."""
    result: Literal["success", "failure", "partial", "unknown"]
    reason: str = ""
    """Why it failed, one of the reasons of `outcomes.toml`: `locked`, `not_here`, `refused`, ..."""
    prerequisite: str = ""
    """A command that the reply suggests has to come first, for instance `get up`."""
    confidence: float = 1.0


class RoomView(Value):
    """A room as the reply describes it."""

    title: str
    description: str = ""
    """Empty where the reply gives only the title."""
    exits: tuple[str, ...] = ()
    """Directions the prose mentions."""
    claimed: tuple[str, ...] = ()
    """Those of them that a model alone has read."""
    dark: bool = False
    inside: str = ""
    """The vehicle or furniture the player is in: `bed`, `boat`."""
    unnamed: bool = False
    """No line names the room: the title is made of the sentence that begins the description."""


class TurnExtraction(Value):
    """Everything read from one reply."""

    turn: int
    room: RoomView | None = None
    objects_mentioned: tuple[ObjectMention, ...] = ()
    state_changes: tuple[StateChange, ...] = ()
    action_result: ActionResult
    new_information: tuple[str, ...] = ()
    """Sentences that say something new and were not understood otherwise."""
    died: bool = False
    score_change: int = 0
    """By how much the text says the score went up or down."""
    unknown_words: tuple[str, ...] = ()
    """Words the game says it does not know."""
    question: Question = ""
    choices: tuple[str, ...] = ()
    """What to choose from where the question is `which` or `menu`."""
    listed: tuple[str, ...] = ()
    """Holders (or `inventory`) whose contents are mentioned completely, empty ones too."""


class FailureAnalysis(Value):
    """Why a command failed, and what would have to come first."""

    failure_reason: str = ""
    prerequisite: str | None = None
    suggested_action: str | None = None
    lesson: str = ""


class ProgressReport(Value):
    """Whether a command brought the story forward."""

    made_progress: bool = False
    progress_type: str = "none"
    """`score`, `location`, `item`, `story` or `none`."""
    explanation: str = ""
    accomplishment: str | None = None


class Reading(TurnExtraction):
    """A reading that also says what the reply means; an extractor may answer it instead."""

    progress: ProgressReport | None = None
    failure: FailureAnalysis | None = None
    suggestion: str = ""
    """A command that the reply makes worth trying, whether the last one failed or not."""
    unheard: bool = False
    """Its reader is too often wrong in where things are, so that the rules' word stands."""
    judged: tuple[tuple[Literal["place", "change", "outcome", "way"], bool], ...] = ()
    """Claims of the reader that the game itself bears out or refutes, by their kind."""
    state: dict[str, str] = Field(default_factory=dict)
    """Tracked variables with the values that the reply tells: `true`, `false` or another."""


class SituationUnderstanding(Value):
    """An oracle's analysis of the situation of one turn."""

    overall_goal: str | None = None
    immediate_goal: str | None = None
    accomplished: tuple[str, ...] = ()
    progress_made: bool = False
    blocking_condition: str | None = None
    blocking_reason: str | None = None
    recommended_action: str | None = None
    action_reasoning: str | None = None
    alternative_actions: tuple[str, ...] = ()
    important_state_variables: tuple[str, ...] = ()
    confidence: float = 0.5
    """The oracle's own opinion of it, 0 to 1."""
    rated: bool = False
    """It only says again what the oracle's ratings say, which weigh by themselves."""

    @classmethod
    def from_json(cls, data: Mapping[str, object]) -> SituationUnderstanding:
        """Read an oracle's JSON; what it left out keeps its default, other keys are ignored."""
        known = {key: data[key] for key in cls.model_fields if data.get(key) is not None}
        return cls.model_validate(known)
