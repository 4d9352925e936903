"""An oracle that asks a model what to make of the situation."""

from __future__ import annotations

from collections.abc import Iterator

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.runnables import RunnableLambda
from pydantic import Field

from agents.briefing import Briefing
from agents.notes import NamedValue, Notes, failure_of, progress_of, state_of
from agents.prompting import DEFAULT_MODEL, Questioner, command_or_none, or_none
from agents.short import Command, Phrase, ShortNotes
from agents.statechart_oracle import StatechartOracle
from agents.structured import AnyModel
from managers.core.mode import PlayMode
from managers.language.reading import (
    FailureAnalysis,
    ProgressReport,
    Reading,
    SituationUnderstanding,
)

MAX_ALTERNATIVES = 3
MAX_VARIABLES = 3
MAX_ACCOMPLISHED = 8


class SituationNotes(Notes):
    """What the model is asked for: the situation first, then the last command."""

    overall_goal: str | None
    immediate_goal: str | None
    accomplished: list[str] = Field(max_length=MAX_ACCOMPLISHED)
    blocking_condition: str | None
    blocking_reason: str | None
    recommended_action: str = Field(description="One command for this turn")
    action_reasoning: str
    alternative_actions: list[str] = Field(
        description="Other good commands", max_length=MAX_ALTERNATIVES
    )
    confidence: float = Field(ge=0, le=1)
    important_state_variables: list[str] = Field(max_length=MAX_VARIABLES)
    state: list[NamedValue]
    accomplishment: str | None
    failure_reason: str
    prerequisite: str | None = Field(description="A command, or null")
    suggested_action: str | None = Field(description="A command, or null")
    lesson: str


class ShortSituation(ShortNotes):
    """What a small model is asked for."""

    recommended: Command
    alternative: Command
    goal: Phrase
    obstacle: Phrase

    def whole(self) -> SituationNotes:
        """What keeps one from the goal is why a command failed, and what to do now comes first.

        How sure it is nobody asked.
        """
        return SituationNotes(
            overall_goal=None,
            immediate_goal=self.goal,
            accomplished=[],
            blocking_condition=self.obstacle,
            blocking_reason=None,
            recommended_action=self.recommended,
            action_reasoning="",
            alternative_actions=[self.alternative],
            confidence=0.5,
            important_state_variables=[],
            state=[],
            accomplishment=None,
            failure_reason=self.obstacle,
            prerequisite=None,
            suggested_action=self.recommended if self.obstacle else None,
            lesson="",
        )


class NextState(Notes):
    """The choice among several states."""

    next_state: str


class LLMOracle:
    """Everything that can be asked of one situation, in one call of a model.

    All answers are observations to be weighed, not commands. Where a model has read the
    last reply already (`briefing.extraction` is a `Reading`), its word on that reply stands. A
    small model that rates commands is not asked to write besides: what it holds likeliest here is
    its recommendation, and how likely that is how sure it is.

    Args:
        model: `provider:name`, a `ModelConfig`, a LangChain chat model or an `Asker`.
        prompt: A shipped prompt, or a file of one's own.
        tools: Whether the model may query the world model before it answers.
    """

    def __init__(
        self, *, model: AnyModel = DEFAULT_MODEL, prompt: str = "situation", tools: bool = False
    ) -> None:
        self._question = Questioner("oracle", model, prompt, tools=tools)
        self._asked: tuple[Briefing, SituationNotes | None] | None = None

    def analyse_situation(self, briefing: Briefing) -> SituationUnderstanding:
        """What it is about, what is in the way, and what to do now.

        Without a usable answer it knows nothing, and says so by a confidence of 0.
        """
        if self._has_rated(briefing):
            return _by_ratings(briefing)
        notes = self._notes(briefing)
        if notes is None:
            return SituationUnderstanding(confidence=0.0)
        return SituationUnderstanding(
            overall_goal=or_none(notes.overall_goal),
            immediate_goal=or_none(notes.immediate_goal),
            accomplished=_texts(notes.accomplished),
            progress_made=or_none(notes.accomplishment) is not None,
            blocking_condition=or_none(notes.blocking_condition),
            blocking_reason=or_none(notes.blocking_reason),
            recommended_action=command_or_none(notes.recommended_action),
            action_reasoning=or_none(notes.action_reasoning),
            alternative_actions=tuple(
                filter(None, map(command_or_none, notes.alternative_actions))
            ),
            important_state_variables=_texts(notes.important_state_variables),
            confidence=notes.confidence,
        )

    def analyse_failure(self, briefing: Briefing) -> FailureAnalysis | None:
        """Why the last command failed; None if it did not, or if nobody knows."""
        if isinstance(briefing.extraction, Reading):
            return briefing.extraction.failure
        notes = self._notes(briefing)
        return failure_of(notes) if notes else None

    def detect_progress(self, briefing: Briefing) -> ProgressReport | None:
        """Whether the last command brought the player any further; None if nobody knows."""
        if isinstance(briefing.extraction, Reading):
            return briefing.extraction.progress
        notes = self._notes(briefing)
        return progress_of(notes) if notes else None

    def suggest_state_variables(self, briefing: Briefing) -> tuple[str, ...]:
        """Hidden conditions that may explain why the same command works only sometimes."""
        notes = self._notes(briefing)
        return _texts(notes.important_state_variables) if notes else ()

    def extract_state(self, briefing: Briefing) -> dict[str, str]:
        """The values of the tracked conditions, as far as the situation tells them."""
        read = briefing.extraction.state if isinstance(briefing.extraction, Reading) else {}
        notes = self._notes(briefing)
        return {**(state_of(notes.state) if notes else {}), **read}

    def choose_mode(self, briefing: Briefing) -> PlayMode:
        """What suits the actor's profile, where the statechart of the modes leaves a choice."""
        if self._has_rated(briefing):
            return briefing.mode.options[0]
        client, mode = RunnableLambda(self._next_state), briefing.mode
        about = {
            "place": briefing.situation.place,
            "in the way": briefing.beliefs.blocking_condition,
            "last words of the game": briefing.observation.text,
        }
        oracle = StatechartOracle(client, timeout=self._question.asker.config.timeout)
        return oracle.decide_sync(briefing.profile, mode.state, mode.trigger, mode.options, about)

    def _next_state(self, prompt: str) -> BaseMessage:
        """The same model, asked and accounted for like any other question of this role."""
        asker, asked = self._question.asker, [HumanMessage(prompt)]
        answer, _ = asker.ask(self._question.role, asked, NextState)
        return AIMessage(answer.model_dump_json() if answer else "")

    def _has_rated(self, briefing: Briefing) -> bool:
        """A small model has told how likely it holds commands."""
        return self._question.is_short and bool(briefing.ratings.rooms)

    def _notes(self, briefing: Briefing) -> SituationNotes | None:
        """The model's answer: asked for once, however many parts of it are wanted."""
        if self._has_rated(briefing):
            return None
        if self._asked is None or self._asked[0] is not briefing:
            answer, _ = self._question.ask(
                briefing, SituationNotes, _problems, short=ShortSituation
            )
            self._asked = (briefing, answer)
        return self._asked[1]


def _by_ratings(briefing: Briefing) -> SituationUnderstanding:
    """What a model that rated the commands here recommends; nothing where it rated none."""
    here = briefing.map.here
    goals = (one.goal for one in briefing.options if one.room == here)
    told = briefing.ratings.probabilities(here, dict.fromkeys(goals))
    if not told:
        return SituationUnderstanding(confidence=0.0)
    best, *others = told
    return SituationUnderstanding(
        recommended_action=best,
        action_reasoning=f"the likeliest of {len(told)}",
        alternative_actions=tuple(others[:MAX_ALTERNATIVES]),
        confidence=round(told[best], 3),
        rated=True,
    )


def _problems(notes: SituationNotes) -> Iterator[str]:
    if command_or_none(notes.recommended_action) is None:
        yield f"recommended_action: {notes.recommended_action[:40]!r} is not one game command"


def _texts(texts: list[str]) -> tuple[str, ...]:
    said = (or_none(text) for text in texts)
    return tuple(dict.fromkeys(text for text in said if text is not None))
