"""An actor that does everything in one call: it notes, thinks, acts and keeps its objectives."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from pydantic import Field

from agents.answers import AgentResponse, NewObjective
from agents.bayesian import BayesianActor
from agents.briefing import Briefing
from agents.llm_actor import problems, stand_in, tidy
from agents.notes import Notes
from agents.prompting import DEFAULT_MODEL, Questioner, or_none
from agents.roles import Actor
from agents.short import Command, Id, Phrase, Sentence, ShortNotes
from agents.structured import AnyModel
from managers.world.queries import (
    LONGEST_NOTE,
    MoveThing,
    StrikeNote,
    TakeNote,
    ToolRequest,
)

MAX_NOTES = 3


class OwnNotes(Notes):
    """What the model is asked for."""

    notes: list[str] = Field(max_length=MAX_NOTES)
    wrong_notes: list[str] = Field(max_length=MAX_NOTES)
    moved: list[MoveThing] = Field(max_length=MAX_NOTES)
    thinking: str
    action: str = Field(description="One command for the game")
    new_objective: str | NewObjective | None
    complete_objective: str | None = Field(description="The id of an objective, or null")
    drop_objective: str | None = Field(description="The id of an objective, or null")


class ShortOwnNotes(ShortNotes):
    """What a small model is asked for."""

    action: Command
    thinking: Sentence
    note: Phrase
    objective: Phrase
    done: Id = ""

    def whole(self) -> OwnNotes:
        """With one note at most, and nothing taken back."""
        return OwnNotes(
            notes=[self.note] if or_none(self.note) else [],
            wrong_notes=[],
            moved=[],
            thinking=self.thinking,
            action=self.action,
            new_objective=or_none(self.objective),
            complete_objective=or_none(self.done),
            drop_objective=None,
        )


class SoloActor:
    """One question a turn, with the game's words and the model's own notes.

    Args:
        model: `provider:name`, a `ModelConfig`, a LangChain chat model or an `Asker`.
        prompt: A shipped prompt, or a file of one's own.
        fallback: Who proposes where the model's answer is no good twice; by default the agent's
            own actor.
    """

    def __init__(
        self,
        *,
        model: AnyModel = DEFAULT_MODEL,
        prompt: str = "solo",
        fallback: Actor | None = None,
    ) -> None:
        self._question = Questioner("actor", model, prompt)
        self._fallback = fallback or BayesianActor()

    def propose(self, briefing: Briefing) -> AgentResponse:
        answer, record = self._question.ask(
            briefing, OwnNotes, partial(_problems, briefing), short=ShortOwnNotes
        )
        if answer is None:
            return stand_in(self._fallback, briefing, record)
        return tidy(_response(answer), briefing, list(_requests(answer)))


def _problems(briefing: Briefing, answer: OwnNotes) -> Iterator[str]:
    return problems(briefing, _response(answer))


def _response(answer: OwnNotes) -> AgentResponse:
    return AgentResponse(**answer.model_dump(exclude={"notes", "wrong_notes", "moved"}))


def _requests(answer: OwnNotes) -> Iterator[ToolRequest]:
    for number in filter(or_none, answer.wrong_notes):
        yield StrikeNote(note=number.strip()[:60])
    yield from answer.moved
    for text in filter(or_none, answer.notes):
        yield TakeNote(text=" ".join(text.split())[:LONGEST_NOTE])
