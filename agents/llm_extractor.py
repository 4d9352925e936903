"""An extractor that asks a model to read the reply: one call for all there is to know of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from pydantic import Field

from agents.briefing import Briefing
from agents.extractor import RuleExtractor
from agents.notes import NamedValue, Notes, failure_of, progress_of, state_of
from agents.prompting import DEFAULT_MODEL, Questioner, or_none
from agents.roles import Extractor
from agents.structured import AnyModel
from managers.language.joining import joined
from managers.language.reading import ActionResult, ObjectMention, Reading, RoomView, StateChange

MAX_OBJECTS = 12
MAX_CHANGES = 8
MAX_SENTENCES = 4


class SeenRoom(Notes):
    """The room that the reply describes."""

    title: str
    exits: list[str]
    dark: bool


class SeenObject(Notes):
    """A thing that the reply mentions."""

    name: str
    location: str
    properties: list[str]
    state: list[str]


class SeenChange(Notes):
    """What the command changed."""

    object: str
    property: Literal["location", "open", "locked", "lit", "on", "worn"]
    new_value: str


class ReplyNotes(Notes):
    """What the model is asked for."""

    room: SeenRoom | None
    objects: list[SeenObject] = Field(max_length=MAX_OBJECTS)
    changes: list[SeenChange] = Field(max_length=MAX_CHANGES)
    result: Literal["success", "failure", "partial", "unknown"]
    failure_reason: str
    prerequisite: str | None = Field(description="A command, or null")
    suggested_action: str | None = Field(description="A command, or null")
    lesson: str
    made_progress: bool
    progress_type: Literal["location", "item", "story", "none"]
    explanation: str
    accomplishment: str | None
    new_information: list[str] = Field(max_length=MAX_SENTENCES)
    state: list[NamedValue]
    died: bool


class LLMExtractor:
    """Extraction, progress detection and failure analysis in one call, checked by the rules.

    Args:
        model: `provider:name`, a `ModelConfig`, a LangChain chat model or an `Asker`.
        prompt: A shipped prompt, or a file of one's own.
        tools: Whether the model may query the world model before it answers.
        rules: Who reads first; the rule-based extractor by default. It is the whole answer
            where the model's is no good twice.
    """

    def __init__(
        self,
        *,
        model: AnyModel = DEFAULT_MODEL,
        prompt: str = "reading",
        tools: bool = False,
        rules: Extractor | None = None,
    ) -> None:
        self._question = Questioner("extractor", model, prompt, tools=tools)
        self._rules = rules or RuleExtractor()

    def extract(self, briefing: Briefing) -> Reading:
        found = self._rules.extract(briefing)
        notes, _ = self._question.ask(briefing, ReplyNotes)
        if notes is None:
            return Reading(**dict(found))
        return joined(found, as_reading(notes, briefing), briefing.observation.text)


def as_reading(notes: ReplyNotes, briefing: Briefing) -> Reading:
    """The model's notes in the words of the managers."""
    failed = notes.result in ("failure", "partial")
    return Reading(
        turn=briefing.turn,
        room=_room(notes.room) if notes.room else None,
        objects_mentioned=tuple(_mention(seen) for seen in notes.objects),
        state_changes=tuple(StateChange(**dict(change)) for change in notes.changes),
        action_result=ActionResult(
            action=briefing.command,
            result=notes.result,
            prerequisite=or_none(notes.prerequisite) or "",
        ),
        new_information=tuple(notes.new_information),
        died=notes.died,
        progress=progress_of(notes) if briefing.command else None,
        failure=failure_of(notes) if failed else None,
        state=state_of(notes.state),
    )


def _room(seen: SeenRoom) -> RoomView:
    return RoomView(title=seen.title, exits=tuple(seen.exits), dark=seen.dark)


def _mention(seen: SeenObject) -> ObjectMention:
    return ObjectMention(
        name=seen.name,
        location=or_none(seen.location) or "here",
        properties=tuple(seen.properties),
        state=dict(_states(seen.state)),
    )


def _states(states: list[str]) -> Iterator[tuple[str, str]]:
    """`open=true`, `locked: no` or just `lit`."""
    for state in states:
        name, _, value = state.replace(":", "=").partition("=")
        if name.strip():
            untrue = value.strip().lower() in ("false", "no", "0")
            yield name.strip().lower(), "false" if untrue else "true"
