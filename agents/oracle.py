"""An oracle that asks a model what to make of the situation."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import BaseModel, ConfigDict, Field

from agents.briefing import Briefing
from agents.llm_extractor import LLMExtractor
from agents.prompting import DEFAULT_MODEL, Questioner, command_or_none, or_none
from agents.structured import AnyModel
from managers.beliefs import FailureAnalysis, Progress, SituationUnderstanding
from managers.reading import Reading

MAX_ALTERNATIVES = 3
MAX_VARIABLES = 3
MAX_ACCOMPLISHED = 8


class SituationNotes(BaseModel):
    """What the model is asked for."""

    model_config = ConfigDict(extra="forbid")

    overall_goal: str | None
    immediate_goal: str | None
    accomplished: list[str] = Field(max_length=MAX_ACCOMPLISHED)
    progress_made: bool
    blocking_condition: str | None
    blocking_reason: str | None
    recommended_action: str = Field(description="One command for this turn")
    action_reasoning: str
    alternative_actions: list[str] = Field(
        description="Other good commands", max_length=MAX_ALTERNATIVES
    )
    important_state_variables: list[str] = Field(max_length=MAX_VARIABLES)
    confidence: float = Field(ge=0, le=1)


class LLMOracle:
    """Analyses the situation before acting in one call, and a reply after it in another.

    All answers are observations to be weighed, not commands.

    Args:
        model: `provider:name`, a `ModelConfig`, a LangChain chat model or an `Asker`.
        prompt: A shipped prompt, or a file of one's own.
        reader: Who reads replies; with the same model by default.
    """

    def __init__(
        self,
        *,
        model: AnyModel = DEFAULT_MODEL,
        prompt: str = "situation",
        reader: LLMExtractor | None = None,
    ) -> None:
        self._question = Questioner("oracle", model, prompt)
        self._reader = reader or LLMExtractor(model=self._question.asker)
        self._read: tuple[object, Reading] | None = None

    def analyse_situation(self, briefing: Briefing) -> SituationUnderstanding:
        """What it is about, what is in the way, and what to do now.

        Without a usable answer it knows nothing, and says so by a confidence of 0.
        """
        notes, _ = self._question.ask(briefing, SituationNotes, _problems)
        if notes is None:
            return SituationUnderstanding(confidence=0.0)
        return SituationUnderstanding(
            overall_goal=or_none(notes.overall_goal),
            immediate_goal=or_none(notes.immediate_goal),
            accomplished=_texts(notes.accomplished),
            progress_made=notes.progress_made,
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

    def suggest_state_variables(self, briefing: Briefing) -> tuple[str, ...]:
        """Hidden conditions that may explain why the same command works only sometimes."""
        return self.analyse_situation(briefing).important_state_variables

    def analyse_failure(self, briefing: Briefing) -> FailureAnalysis | None:
        """Why the last command failed; None if it did not."""
        return self.read(briefing).failure

    def detect_progress(self, briefing: Briefing) -> Progress:
        """Whether the last command brought the player any further."""
        return self.read(briefing).progress

    def explain(self, briefing: Briefing) -> str:
        """What the last reply means, in one sentence."""
        return self.read(briefing).progress.explanation

    def read(self, briefing: Briefing) -> Reading:
        """All there is to know of the last reply, in one call however many parts are asked for."""
        asked = (briefing.turn, briefing.seed, briefing.command, briefing.observation)
        if self._read is None or self._read[0] != asked:
            self._read = (asked, self._reader.extract(briefing))
        return self._read[1]


def _problems(notes: SituationNotes) -> Iterator[str]:
    if command_or_none(notes.recommended_action) is None:
        yield f"recommended_action: {notes.recommended_action[:40]!r} is not one game command"


def _texts(texts: list[str]) -> tuple[str, ...]:
    said = (or_none(text) for text in texts)
    return tuple(dict.fromkeys(text for text in said if text is not None))
