"""An objective manager that asks a model now and then what is worth several turns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pydantic import BaseModel, ConfigDict, Field

from agents.answers import Completion, Merging, NewObjective, ObjectiveReview
from agents.briefing import Briefing
from agents.objective_manager import RuleObjectiveManager
from agents.prompting import DEFAULT_MODEL, Questioner, or_none
from agents.roles import ObjectiveManager
from agents.structured import AnyModel

MAX_DISCOVERED = 3
MAX_TEXT = 160


class ObjectiveNotes(BaseModel):
    """What the model is asked for."""

    model_config = ConfigDict(extra="forbid")

    discovered: tuple[NewObjective, ...] = Field(max_length=MAX_DISCOVERED)
    promoted: tuple[NewObjective, ...] = Field(max_length=MAX_DISCOVERED)
    completed: tuple[Completion, ...]
    merged: tuple[Merging, ...]


class LLMObjectiveManager:
    """What the rules find, and every few turns what a model finds and makes of the issues.

    Args:
        model: `provider:name`, a `ModelConfig`, a LangChain chat model or an `Asker`.
        prompt: A shipped prompt, or a file of one's own.
        tools: Whether the model may query the world model before it answers.
        every: The model is asked every so many turns, and at the first.
        rules: Who reviews every turn; the rule-based objective manager by default.
    """

    def __init__(
        self,
        *,
        model: AnyModel = DEFAULT_MODEL,
        prompt: str = "objectives",
        tools: bool = False,
        every: int = 15,
        rules: ObjectiveManager | None = None,
    ) -> None:
        if every < 1:
            raise ValueError(f"every = {every}: must be 1 or more")
        self._question = Questioner("objective_manager", model, prompt, tools=tools)
        self._rules = rules or RuleObjectiveManager()
        self._every = every

    def review(self, briefing: Briefing) -> ObjectiveReview:
        found = self._rules.review(briefing)
        if briefing.turn % self._every != 1 % self._every:
            return found
        notes, _ = self._question.ask(briefing, ObjectiveNotes, _problems)
        if notes is None:
            return found
        active = [one.id for one in briefing.objectives if one.status == "active"]
        return ObjectiveReview(
            discovered=(*found.discovered, *map(_tidy, notes.discovered)),
            promoted=(*found.promoted, *map(_tidy, notes.promoted)),
            completed=(*found.completed, *(one for one in notes.completed if one.id in active)),
            merged=tuple(pair for pair in notes.merged if _possible(pair, active)),
        )


def _problems(notes: ObjectiveNotes) -> Iterator[str]:
    for new in (*notes.discovered, *notes.promoted):
        if or_none(new.text) is None or len(new.text) > MAX_TEXT:
            yield f"discovered, promoted: {new.text[:40]!r} is no objective of one line"
    for done in notes.completed:
        if or_none(done.evidence) is None:
            yield f"completed: {done.id!r} has no evidence"


def _possible(pair: Merging, active: Sequence[str]) -> bool:
    return pair.id != pair.into and pair.id in active and pair.into in active


def _tidy(new: NewObjective) -> NewObjective:
    return new.model_copy(update={"parent": or_none(new.parent), "text": new.text.strip()})
