"""An objective manager that asks a model after events what is worth several turns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pydantic import Field

from agents.answers import Completion, Merging, NewObjective, ObjectiveReview
from agents.briefing import Briefing
from agents.notes import Notes
from agents.objective_manager import RuleObjectiveManager
from agents.prompting import DEFAULT_MODEL, Questioner, or_none
from agents.roles import ObjectiveManagerPart
from agents.short import Phrase, ShortNotes
from agents.structured import AnyModel
from managers.language.history import History

MAX_DISCOVERED = 3
MAX_TEXT = 240
_TOO_LATE = 5
"""With fewer commands left nothing is begun that takes several turns."""


class ObjectiveNotes(Notes):
    """What the model is asked for."""

    discovered: tuple[NewObjective, ...] = Field(max_length=MAX_DISCOVERED)
    promoted: tuple[NewObjective, ...] = Field(max_length=MAX_DISCOVERED)
    completed: tuple[Completion, ...]
    dropped: tuple[str, ...]
    merged: tuple[Merging, ...]


class ShortObjectives(ShortNotes):
    """What a small model is asked for: one new objective. What is done the actor says."""

    objective: Phrase

    def whole(self) -> ObjectiveNotes:
        """The objective, if it names one."""
        text = or_none(self.objective)
        new = (NewObjective(text=text),) if text else ()
        return ObjectiveNotes(discovered=new, promoted=(), completed=(), dropped=(), merged=())


class LLMObjectiveManager:
    """What a model finds worth several turns, asked when something has happened.

    Something has happened whenever the game has again said a lot that is new.
    Between, what the world shows to be reached is closed without it, and the actor adds and drops.

    Args:
        model: `provider:name`, a `ModelConfig`, a LangChain chat model or an `Asker`.
        prompt: A shipped prompt, or a file of one's own.
        tools: Whether the model may query the world model before it answers.
        news: So many characters that the game has not said before make an event, in several replies
            or half as many in one; 0 for every reply.
        rules: Who reviews where the model's answer is no good twice; the rule-based objective
            manager by default.
    """

    def __init__(
        self,
        *,
        model: AnyModel = DEFAULT_MODEL,
        prompt: str = "objectives",
        tools: bool = False,
        news: int = 1000,
        rules: ObjectiveManagerPart | None = None,
    ) -> None:
        if news < 0:
            raise ValueError(f"news = {news}: must be 0 or more")
        self._question = Questioner("objective_manager", model, prompt, tools=tools)
        self._rules = rules or RuleObjectiveManager()
        self._news = news

    def review(self, briefing: Briefing) -> ObjectiveReview:
        if briefing.observation.ended or not self._is_event(briefing):
            return ObjectiveReview()
        notes, _ = self._question.ask(briefing, ObjectiveNotes, _problems, short=ShortObjectives)
        if notes is None:
            return self._rules.review(briefing)
        active = [one.id for one in briefing.active]
        return ObjectiveReview(
            discovered=tuple(map(_tidy, notes.discovered)),
            promoted=tuple(map(_tidy, notes.promoted)),
            completed=tuple(one for one in notes.completed if one.id in active),
            dropped=tuple(id for id in notes.dropped if id in active),
            merged=tuple(pair for pair in notes.merged if _possible(pair, active)),
        )

    def _is_event(self, briefing: Briefing) -> bool:
        if briefing.observation.awaiting == "key":
            return False
        late = briefing.standing.left is not None and briefing.standing.left < _TOO_LATE
        return briefing.turn == 1 or (not late and self._is_much_new(briefing.history))

    def _is_much_new(self, history: History) -> bool:
        last, total = history.news(), history.news(len(history.exchanges))
        return last >= self._news / 2 or (total - last) % self._news + last >= self._news


def _problems(notes: ObjectiveNotes) -> Iterator[str]:
    for new in (*notes.discovered, *notes.promoted):
        if or_none(new.text) is None:
            yield f"discovered, promoted: {new.text[:40]!r} is no objective"
        elif len(new.text) > MAX_TEXT:
            yield (
                f"discovered, promoted: {new.text[:40]!r}... has {len(new.text)} letters, "
                f"an objective at most {MAX_TEXT}"
            )
    for done in notes.completed:
        if or_none(done.evidence) is None:
            yield f"completed: {done.id!r} has no evidence"


def _possible(pair: Merging, active: Sequence[str]) -> bool:
    return pair.id != pair.into and pair.id in active and pair.into in active


def _tidy(new: NewObjective) -> NewObjective:
    return new.model_copy(update={"parent": or_none(new.parent), "text": new.text.strip()})
