"""A model's reading of a reply joined with what the rules read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from managers.language.actions import DIRECTIONS, direction_of
from managers.language.reading import (
    ActionResult,
    ObjectMention,
    Reading,
    RoomView,
    StateChange,
    TurnExtraction,
)

BELIEVED = 0.6
"""The confidence of what only a model read."""


def joined(rules: TurnExtraction, model: Reading, text: str) -> Reading:
    """What the rules read, completed by what a model read and the text bears out.

    Where both speak of the same thing, the rules are right; a room, thing or sentence
    that does not occur in the text was made up.
    """
    words = _words(text)
    known = {name.lower() for name in _names(rules.objects_mentioned)}
    objects = [
        mention.model_copy(update={"confidence": BELIEVED})
        for mention in model.objects_mentioned
        if mention.name.lower() not in known and _words(mention.name) <= words
    ]
    return Reading(
        **{
            **dict(rules),
            "room": _room(rules.room, model.room, text),
            "objects_mentioned": (*_completed(rules, model), *objects),
            "state_changes": (*rules.state_changes, *_changes(rules, model, words)),
            "action_result": _result(rules.action_result, model.action_result),
            "new_information": _sentences(rules, model, text),
            "died": rules.died or (model.died and rules.room is None),
            "progress": model.progress,
            "failure": model.failure,
            "state": model.state,
        }
    )


def _room(rules: RoomView | None, model: RoomView | None, text: str) -> RoomView | None:
    if model is None or (rules is None and model.title not in text):
        return rules
    heard = [direction_of(way) for way in model.exits]
    if rules is None:
        return model.model_copy(update={"exits": tuple(way for way in heard if way)})
    exits = {*rules.exits, *(way for way in heard if way)}
    return rules.model_copy(update={"exits": tuple(way for way in DIRECTIONS if way in exits)})


def _completed(rules: TurnExtraction, model: TurnExtraction) -> Iterable[ObjectMention]:
    """The rules' things, with properties and states that only the model saw."""
    seen = {mention.name.lower(): mention for mention in model.objects_mentioned}
    for mention in rules.objects_mentioned:
        other = seen.get(mention.name.lower())
        if other is None:
            yield mention
        else:
            properties = tuple(dict.fromkeys((*mention.properties, *other.properties)))
            state = {**other.state, **mention.state}
            yield mention.model_copy(update={"properties": properties, "state": state})


def _changes(
    rules: TurnExtraction, model: TurnExtraction, words: frozenset[str]
) -> Iterable[StateChange]:
    known = {(change.object.lower(), change.property) for change in rules.state_changes}
    for change in model.state_changes:
        if (change.object.lower(), change.property) not in known and _words(change.object) <= words:
            yield change.model_copy(update={"confidence": BELIEVED})


def _result(rules: ActionResult, model: ActionResult) -> ActionResult:
    prerequisite = rules.prerequisite or model.prerequisite
    if rules.result == "unknown":
        changed = {"result": model.result, "confidence": BELIEVED, "prerequisite": prerequisite}
        return rules.model_copy(update=changed)
    return rules.model_copy(update={"prerequisite": prerequisite})


def _sentences(rules: TurnExtraction, model: TurnExtraction, text: str) -> tuple[str, ...]:
    said = " ".join(text.split())
    heard = [" ".join(sentence.split()) for sentence in model.new_information]
    borne_out = (sentence for sentence in heard if sentence and sentence in said)
    return tuple(dict.fromkeys((*rules.new_information, *borne_out)))


def _names(mentions: Sequence[ObjectMention]) -> Iterable[str]:
    return (mention.name for mention in mentions)


def _words(text: str) -> frozenset[str]:
    return frozenset("".join(c if c.isalnum() else " " for c in text.lower()).split())
