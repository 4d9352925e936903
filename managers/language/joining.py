"""A model's reading of a reply, which is the truth, with what the rules read where it is silent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from managers.language.actions import direction_of
from managers.language.nouns import is_name
from managers.language.reading import (
    SURE,
    ActionResult,
    ObjectMention,
    Reading,
    RoomView,
    StateChange,
    TurnExtraction,
)

_PLACES = frozenset({"here", "inventory", "gone"})
TRUSTED = 0.8
"""The confidence of what only a model read."""


def joined(rules: TurnExtraction, model: Reading, text: str, known: Iterable[str] = ()) -> Reading:
    """What a model read and the text bears out, and the rules' word on what it does not say.

    No thing is added that the model did not name, but what has surely moved; a room, thing or
    sentence that does not occur in the text was made up.

    Args:
        rules: Their reading.
        model: The model's.
        text: The reply.
        known: Names that the reply may mean without saying them, by a pronoun.
    """
    words, known = _words(text), frozenset(known)
    meant = words.union(*map(_words, known))
    result = _result(rules.action_result, model.action_result)
    objects = tuple(_objects(rules, model, words, known))
    named = {one.name.lower() for one in objects} | {
        change.object.lower() for change in model.state_changes
    }
    failed = result.result == "failure"
    return Reading(
        **{
            **dict(rules),
            "room": _room(rules.room, model.room, text),
            "objects_mentioned": objects,
            "state_changes": tuple(_changes(None if failed else rules, model, meant, named)),
            "action_result": result,
            "new_information": tuple(_sentences(model, text)),
            "died": rules.died or model.died,
            "listed": tuple(holder for holder in rules.listed if _all_named(rules, holder, named)),
            "progress": None if failed and model.progress else model.progress,
            "failure": model.failure,
            "suggestion": model.suggestion,
            "judged": model.judged,
            "state": model.state,
        }
    )


def silent(rules: TurnExtraction, known: Iterable[str]) -> Reading:
    """The rules' reading of a reply that a model need not read: known things, and lists."""
    names = {name.lower() for name in known}
    kept = tuple(
        one
        for one in rules.objects_mentioned
        if one.name.lower() in names or one.location in rules.listed
    )
    return Reading(**{**dict(rules), "objects_mentioned": kept})


def _room(rules: RoomView | None, model: RoomView | None, text: str) -> RoomView | None:
    if model is None or (rules is None and model.title not in text):
        return rules
    heard = [direction_of(way) for way in model.exits]
    exits = tuple(dict.fromkeys(way for way in heard if way))
    if rules is None:
        return model.model_copy(update={"exits": exits})
    ways = tuple(dict.fromkeys((*rules.exits, *exits)))
    return rules.model_copy(update={"exits": ways, "dark": model.dark})


def _objects(
    rules: TurnExtraction, model: TurnExtraction, words: frozenset[str], known: frozenset[str]
) -> Iterator[ObjectMention]:
    """The model's things, with what the rules saw of the same ones and it did not say.

    What is in none of the places here, but is spoken of, is not in sight.
    """
    places = {*_PLACES, *(one.lower() for one in known)}
    places |= {one.name.lower() for one in model.objects_mentioned}
    seen = {mention.name.lower(): mention for mention in rules.objects_mentioned}
    for mention in model.objects_mentioned:
        named = is_name(mention.name) and _words(mention.name) <= words
        if not named or mention.location.lower() not in places:
            continue
        other = seen.get(mention.name.lower())
        if other is None:
            yield mention.model_copy(update={"confidence": TRUSTED})
            continue
        properties = tuple(dict.fromkeys((*mention.properties, *other.properties)))
        state = {**other.state, **mention.state}
        yield mention.model_copy(
            update={
                "properties": properties,
                "state": state,
                "confidence": max(other.confidence, TRUSTED),
            }
        )


def _changes(
    rules: TurnExtraction | None,
    model: TurnExtraction,
    meant: frozenset[str],
    named: Iterable[str],
) -> Iterator[StateChange]:
    """The model's, and those of the rules that are sure, or for what it named and is silent about.

    Without those of the rules: of a command that failed. What it was about has not changed, but
    what the model corrects otherwise holds.
    """
    told = set()
    meddled = frozenset() if rules else _words(model.action_result.action)
    for change in model.state_changes:
        means_one = is_name(change.object) and _words(change.object) <= meant
        if means_one and not _words(change.object) & meddled:
            told.add((change.object.lower(), change.property))
            yield change.model_copy(update={"confidence": TRUSTED})
    for change in rules.state_changes if rules else ():
        name = change.object.lower()
        known = name in named or change.confidence >= SURE
        if known and (name, change.property) not in told:
            yield change


def _result(rules: ActionResult, model: ActionResult) -> ActionResult:
    prerequisite = model.prerequisite or rules.prerequisite
    if model.result == "unknown":
        return rules.model_copy(update={"prerequisite": prerequisite})
    changed = {
        "result": model.result,
        "reason": "" if model.result == "success" else rules.reason,
        "confidence": TRUSTED,
        "prerequisite": prerequisite,
    }
    return rules.model_copy(update=changed)


def _all_named(rules: TurnExtraction, holder: str, named: Iterable[str]) -> bool:
    """The model has named all that the rules found in a list, so that what is missing is gone."""
    inside = {one.name.lower() for one in rules.objects_mentioned if one.location == holder}
    return inside <= set(named)


def _sentences(model: TurnExtraction, text: str) -> Iterator[str]:
    said = " ".join(text.split())
    heard = [" ".join(sentence.split()) for sentence in model.new_information]
    return (sentence for sentence in dict.fromkeys(heard) if sentence and sentence in said)


def _words(text: str) -> frozenset[str]:
    return frozenset("".join(c if c.isalnum() else " " for c in text.lower()).split())
