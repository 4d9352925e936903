"""An extractor that asks a model to read what is new: one call for all there is to know of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from pydantic import Field

from agents.briefing import Briefing
from agents.extractor import RuleExtractor
from agents.notes import NamedValue, Notes, failure_of, progress_of, state_of
from agents.prompting import DEFAULT_MODEL, NOTHING, Questioner, command_or_none, or_none
from agents.roles import Extractor
from agents.short import Command, Phrase, ShortNotes
from agents.structured import AnyModel
from managers.core.readings import is_heard, relied, weighed
from managers.language.actions import parse
from managers.language.history import UNDO
from managers.language.joining import joined, silent
from managers.language.reading import (
    SURE,
    ActionResult,
    ObjectMention,
    Reading,
    RoomView,
    StateChange,
    TurnExtraction,
)

MAX_OBJECTS = 12
MAX_CHANGES = 8
MAX_SENTENCES = 4
_TERSE = 30
"""Characters of a reply that has nothing to tell but how the command went."""
_SURE = 0.7
"""From this confidence on the rules know how the command went."""


_PLACES = {
    "inventory": frozenset({"carried", "held", "player", "me", "self", "you"}),
    "here": frozenset({"room", "this room", "ground", "floor"}),
    "gone": frozenset({"nowhere", "destroyed", "lost", "away", "unknown", *NOTHING}),
}
"""Where a thing is -> other words for it."""
_UNTRUE = frozenset("false no not 0 off out closed shut unlocked unlit removed".split())
"""What a model writes of a state that does not hold: `open` is `closed`, `lit` is `no`."""
_UNTOLD = ("unknown", "elsewhere")
"""Where a thing is of which the reply only speaks; it is left out."""


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
    accomplishment: str | None
    new_information: list[str] = Field(max_length=MAX_SENTENCES)
    state: list[NamedValue]
    died: bool


class ShortReading(ShortNotes):
    """What a small model is asked for: what came of the command."""

    result: Literal["success", "failure", "partial", "unknown"]
    reason: Phrase
    achieved: Phrase
    suggested: Command

    def whole(self) -> ReplyNotes:
        """Nothing of rooms and things: what is where the rules read better."""
        return ReplyNotes(
            room=None,
            objects=[],
            changes=[],
            result=self.result,
            failure_reason=self.reason,
            prerequisite=None,
            suggested_action=self.suggested,
            lesson="",
            accomplishment=self.achieved,
            new_information=[],
            state=[],
            died=False,
        )


class LLMExtractor:
    """What a model reads is the truth, as far as such readings held; the rules read the rest.

    What a small model says of a command is a claim beside the rules' reading.

    Args:
        model: `provider:name`, a `ModelConfig`, a LangChain chat model or an `Asker`.
        prompt: A shipped prompt, or a file of one's own.
        tools: Whether the model may query the world model before it answers.
        news: The model is asked where the game says so many characters that it has not said
            before, or something new that the rules are not sure of; 0 asks it always.
        rules: Who reads first; the rule-based extractor by default. It is the whole answer
            where the model's is no good twice.
    """

    def __init__(
        self,
        *,
        model: AnyModel = DEFAULT_MODEL,
        prompt: str = "reading",
        tools: bool = False,
        news: int = 60,
        rules: Extractor | None = None,
    ) -> None:
        if news < 0:
            raise ValueError(f"news = {news}: must be 0 or more")
        self._question = Questioner("extractor", model, prompt, tools=tools)
        self._rules = rules or RuleExtractor()
        self._news = news

    def extract(self, briefing: Briefing) -> Reading:
        found = self._rules.extract(briefing)
        known = (*briefing.situation.visible, *briefing.situation.inventory)
        if briefing.command and not self._is_worth_it(briefing.history.news(), found):
            heard = is_heard(briefing.reliability, "place")
            return silent(found, known) if heard else Reading(**dict(found), unheard=True)
        if self._question.is_short and (not briefing.command or _is_plain(found)):
            return Reading(**dict(found))
        notes, _ = self._question.ask(briefing, ReplyNotes, short=ShortReading)
        if notes is None:
            return Reading(**dict(found))
        if self._question.is_short:
            return _claimed(found, as_reading(notes, briefing))
        meant = (*known, briefing.command)
        seen, reliability = briefing.observation, briefing.reliability
        text = seen.text
        said = as_reading(notes, briefing)
        read = weighed(said, found, text, briefing.world, ended=seen.ended)
        return relied(joined(found, read, text, meant), found, reliability)

    def _is_worth_it(self, news: int, found: TurnExtraction) -> bool:
        """Whether a model may learn anything from the reply that the rules do not."""
        if "inventory" in found.listed or found.action_result.action == UNDO:
            return False  # What is taken back is told by us, and all is known of it.
        if news >= self._news or found.died:
            return True
        result, command = found.action_result, parse(found.action_result.action)
        if result.result == "unknown" and not command.has("tells"):
            return True
        return news >= _TERSE and (result.result == "unknown" or result.confidence < _SURE)


def _is_plain(found: TurnExtraction) -> bool:
    """A room that was reached, of which a short answer has nothing to tell."""
    result = found.action_result
    arrived = found.room is not None and bool(parse(result.action).direction)
    return arrived and result.result == "success" and result.confidence >= SURE


def _claimed(found: TurnExtraction, said: Reading) -> Reading:
    """The rules' reading with what a small model makes of the command.

    How the command went is the rules' word where they are sure of it.
    """
    sure = found.action_result.confidence >= _SURE and found.action_result.result != "unknown"
    result = found.action_result if sure or not said.action_result.action else said.action_result
    failed = result.result in ("failure", "partial")
    return Reading(
        **{
            **dict(found),
            "action_result": result,
            "progress": None if failed else said.progress,
            "failure": said.failure if failed else None,
            "suggestion": said.suggestion,
        }
    )


def as_reading(notes: ReplyNotes, briefing: Briefing) -> Reading:
    """The model's notes in the words of the managers."""
    failed = notes.result in ("failure", "partial")
    return Reading(
        turn=briefing.turn,
        room=_room(notes.room) if notes.room else None,
        objects_mentioned=tuple(
            _mention(seen) for seen in notes.objects if seen.location.strip().lower() not in _UNTOLD
        ),
        state_changes=tuple(map(_change, notes.changes)),
        action_result=ActionResult(
            action=briefing.command,
            result=notes.result,
            prerequisite=or_none(notes.prerequisite) or "",
        ),
        new_information=tuple(notes.new_information),
        died=notes.died,
        progress=progress_of(notes) if briefing.command else None,
        failure=failure_of(notes) if failed else None,
        suggestion=command_or_none(notes.suggested_action or "") or "",
        state=state_of(notes.state),
    )


def _room(seen: SeenRoom) -> RoomView:
    return RoomView(title=seen.title, exits=tuple(seen.exits), dark=seen.dark)


def _change(seen: SeenChange) -> StateChange:
    value = _place(seen.new_value) if seen.property == "location" else _truth(seen.new_value)
    return StateChange(object=seen.object, property=seen.property, new_value=value)


def _place(said: str) -> str:
    """Where a thing is, in the words of the world model."""
    place = said.strip().lower() or "here"
    return next((known for known, words in _PLACES.items() if place in words), place)


def _mention(seen: SeenObject) -> ObjectMention:
    return ObjectMention(
        name=seen.name,
        location=_place(or_none(seen.location) or ""),
        properties=tuple(seen.properties),
        state=dict(_states(seen.state)),
    )


def _states(states: list[str]) -> Iterator[tuple[str, str]]:
    """`open=true`, `locked: no` or just `lit`."""
    for state in states:
        name, _, value = state.replace(":", "=").partition("=")
        if name.strip():
            yield name.strip().lower(), _truth(value)


def _truth(said: str) -> str:
    """`true`, unless a model says in whatever word that it is not so: `no`, `closed`, `off`."""
    return "false" if said.strip().lower() in _UNTRUE else "true"
