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

TRUSTED = 0.8
"""The confidence of what only a model read."""
_LISTED = 0.9
"""From this confidence on what rules have read stands in a list of the game's own."""
_LOST = ("unknown", "gone")
"""What the rules and a model say of one loss: only the model knows that the thing is no more."""
_SPOKEN_OF = 0.6
"""The confidence of a thing of which a model says no more than that it is there."""


def joined(rules: TurnExtraction, model: Reading, text: str, known: Iterable[str] = ()) -> Reading:
    """What a model read and the text bears out, and the rules' word on what it does not say.

    No thing is added that the model did not name, but what the game lists and what has surely
    moved; a room, thing or sentence that does not occur in the text was made up. `known` are names
    that the reply may mean without saying them, by a pronoun.
    """
    words, known = _words(text), frozenset(known)
    # Many name one of them too; words like `gas` and `his` are no plurals.
    words |= {word[:-1] for word in words if word.endswith("s") and len(word) > 3}
    meant = words.union(*map(_words, known))
    result = _result(rules.action_result, model.action_result)
    failed = result.result == "failure"
    objects = tuple(_objects(rules, model, words, known))
    named = {one.name.lower() for one in objects}
    named |= {change.object.lower() for change in model.state_changes}
    told = " ".join(text.split())
    news = (" ".join(sentence.split()) for sentence in model.new_information)
    return Reading(
        **{
            **dict(rules),
            "room": _room(rules.room, model.room, text),
            "objects_mentioned": objects,
            "state_changes": tuple(_changes(None if failed else rules, model, meant, named)),
            "action_result": result,
            "new_information": tuple(dict.fromkeys(one for one in news if one and one in told)),
            "died": rules.died or model.died,
            "progress": None if failed else model.progress,
            "failure": model.failure,
            "suggestion": model.suggestion,
            "judged": model.judged,
            "state": model.state,
        }
    )


def silent(rules: TurnExtraction, known: Iterable[str]) -> Reading:
    """The rules' reading of a reply that a model need not read: known things, and lists."""
    names = {name.lower() for name in known}
    seen = rules.objects_mentioned
    kept = (one for one in seen if one.confidence >= _LISTED or one.name.lower() in names)
    return Reading(**{**dict(rules), "objects_mentioned": tuple(kept)})


def _room(rules: RoomView | None, model: RoomView | None, text: str) -> RoomView | None:
    if model is None or (rules is None and not (model.title.strip() and model.title in text)):
        return rules
    exits = tuple(dict.fromkeys(filter(None, map(direction_of, model.exits))))
    if rules is None:
        return model.model_copy(update={"exits": exits, "claimed": exits})
    claimed = tuple(way for way in exits if way not in rules.exits)
    ways = (*rules.exits, *claimed)
    return rules.model_copy(update={"exits": ways, "claimed": claimed, "dark": model.dark})


def _objects(
    rules: TurnExtraction, model: TurnExtraction, words: frozenset[str], known: frozenset[str]
) -> Iterator[ObjectMention]:
    """What the game lists, and the model's things that the text names and that are in sight."""
    claims = {one.name.lower(): one for one in reversed(model.objects_mentioned)}
    seen = {one.name.lower(): one for one in rules.objects_mentioned}
    places = {"here", "inventory", "gone", *(one.lower() for one in known), *claims}
    listed = [name for name, one in seen.items() if one.confidence >= _LISTED]
    for name in listed:
        yield _with(seen[name], claims.get(name))
    for mention in model.objects_mentioned:
        name, place = mention.name.lower(), mention.location.lower()
        named = is_name(mention.name) and _words(mention.name) <= words
        if not named or place not in places or name in listed:
            continue
        other = seen.get(name)
        told = place != "here" or "takeable" in mention.properties
        confidence = max(TRUSTED if told else _SPOKEN_OF, other.confidence if other else 0.0)
        yield _with(mention, other).model_copy(update={"confidence": confidence})


def _with(mention: ObjectMention, other: ObjectMention | None) -> ObjectMention:
    """A mention with what another one of the same thing says besides."""
    if other is None:
        return mention
    properties = tuple(dict.fromkeys((*mention.properties, *other.properties)))
    state = {**other.state, **mention.state}
    return mention.model_copy(update={"properties": properties, "state": state})


def _changes(
    rules: TurnExtraction | None, model: TurnExtraction, meant: frozenset[str], named: set[str]
) -> Iterator[StateChange]:
    """Those of the rules that are sure, the model's, and theirs of what it named and left out.

    Of a command that failed (`rules` is None) the model's, but for what the command was about.
    """
    read = [(change.object.lower(), change) for change in rules.state_changes] if rules else []
    told = {(name, one.property): one for name, one in read if one.confidence >= SURE}
    meddled = frozenset() if rules else _words(model.action_result.action)
    said = set(told)
    for change in model.state_changes:
        words = _words(change.object)
        key = (change.object.lower(), change.property)
        known = told.get(key)
        says_more = known is not None and (known.new_value, change.new_value) == _LOST
        fresh = (key not in said or says_more) and not words & meddled
        if fresh and words <= meant and is_name(change.object):
            said.add(key)
            told.pop(key, None)
            yield change.model_copy(update={"confidence": TRUSTED})
    for name, change in read:
        key = (name, change.property)
        sure = change.confidence >= SURE and key in told
        if sure or (name in named and key not in said):
            yield change


def _result(rules: ActionResult, model: ActionResult) -> ActionResult:
    """What the model says of how it went, if it knows; the rules' reason stands for a failure."""
    changed: dict[str, object] = {"prerequisite": model.prerequisite or rules.prerequisite}
    if model.result not in ("unknown", rules.result):
        reason = "" if model.result == "success" else rules.reason
        changed |= {"result": model.result, "reason": reason, "confidence": TRUSTED}
    return rules.model_copy(update=changed)


def _words(text: str) -> frozenset[str]:
    return frozenset("".join(c if c.isalnum() else " " for c in text.lower()).split())
