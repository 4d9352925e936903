"""What a reply says has changed, given the command that brought it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from managers.language.actions import Action
from managers.language.layout import sentences
from managers.language.lexicon import classes_of, head_of, words_of
from managers.language.nouns import bare, is_thing, may_be_thing, noun_phrases
from managers.language.outcomes import change_in, item_replies, refusal_in
from managers.language.patterns import pattern, patterns, table
from managers.language.reading import StateChange

_SAYS = patterns("effects")
_STATE_OF_CHANGE = {
    "open": ("open", "true"),
    "close": ("open", "false"),
    "unlock": ("locked", "false"),
    "lock": ("locked", "true"),
    "light": ("lit", "true"),
    "extinguish": ("lit", "false"),
    "wear": ("worn", "true"),
    "remove": ("worn", "false"),
}
_PLACE_OF_CHANGE = {
    "take": "inventory",
    "drop": "here",
    "throw": "here",
    "tie": "here",
    "eat": "gone",
    "drink": "gone",
}
_ALIKE = {
    ("put", "drop"),
    ("throw", "drop"),
    ("take", "remove"),
    ("remove", "take"),
    ("turn", "open"),
}
_ABOUT_ITS_OBJECT = frozenset({"take", "put", "drop", "give", "open", "unlock", "wear"})
"""Kinds of commands after which `it` is the thing that they name."""
_HANDS_OVER = frozenset({"put", "give", "drop", "throw"})
_SUPPOSED = frozenset(
    "take drop put give throw open close light extinguish wear remove tie".split()
)
_SUPPOSED_CONFIDENCE = 0.65
_NOT_TAKEN = frozenset({"fixed", "too_heavy", "refused", "not_here"})
_PRONOUNS = frozenset({"it", "them", "him", "her", "you"})


class _Rule(NamedTuple):
    pattern: re.Pattern[str]
    kind: str
    """`change`, `own` (what one does oneself), `moved` (a thing, and to whom or what), `given` (the
    other way round)."""
    property: str
    value: str


@cache
def _rules() -> tuple[_Rule, ...]:
    return tuple(
        _Rule(pattern(one), kind, entry.get("property", "location"), entry.get("value", ""))
        for kind, entries in table("effects").items()
        for entry in entries
        for one in entry["patterns"]
    )


def changes_in(
    command: Action, reply: str, text: str, *, scored: bool, described: str = ""
) -> list[StateChange]:
    """What the command did as its reply tells, and what the text says besides.

    A bare `door` in the text adds nothing where the command already named the trap door; a
    fuller name in the text replaces the word of the command. What a room's description tells of
    being handed something is told on every visit.

    Args:
        command: What was played.
        reply: The answer to it.
        text: All that was told, but for the description of a room.
        scored: It brought points.
        described: That description.
    """
    command = _meant(command, reply)
    refusal = refusal_in(reply) if not any(item_replies(reply, command.object)) else None
    refused = refusal is not None and refusal.reason != "already" and not scored
    already = refusal is not None and refusal.reason == "already" and command.object
    if already and command.verb in _STATE_OF_CHANGE:
        done = _changes(command, bare(command.object), command.verb)
    else:
        done = [] if refused else _changes_done(command, reply, scored=scored)
    untaken = refused and refusal is not None and refusal.reason in _NOT_TAKEN
    told = _SAYS["taking"].sub("", text) if untaken else text
    said = [*_changes_said(told, command), *_told_always(described, command)]
    if _SAYS["taking"].search(told) and not done:  # It was tried, and nobody says how that went.
        said = [_supposed(change) for change in said]
    done = [_singled_out(change, said) for change in done]
    said = [change for change in said if _adds(change, done, command)]
    placed = [change for change in said if change.property == "location" and _is_holder(change)]
    full = {head_of(change.object): change.object for change in said if " " in change.object}
    found: dict[tuple[str, str], StateChange] = {}
    for change in (*placed, *reversed(done), *said):
        name = full.get(change.object, change.object)
        found.setdefault((name, change.property), change.model_copy(update={"object": name}))
    return list(found.values())


def _adds(change: StateChange, done: Sequence[StateChange], command: Action) -> bool:
    """What the text says is not what the command did already, in other words."""
    alike = [one for one in done if one.property == change.property]
    if change.property != "location":
        return " " in change.object or not alike
    if change.object in _PRONOUNS:
        return False
    taken = [one for one in alike if one.new_value == change.new_value == "inventory"]
    return len(taken) != 1 or command.verb != "take" or _is_fuller(change.object, taken[0].object)


def _singled_out(change: StateChange, said: Sequence[StateChange]) -> StateChange:
    """Of several things that the command names, the reply tells of one: `torches`, a torch."""
    forms = {f"{one.object}{end}": one.object for one in said for end in ("s", "es")}
    one = forms.get(change.object, change.object)
    return change.model_copy(update={"object": one})


def _is_fuller(name: str, known: str) -> bool:
    return " " in name and head_of(name) == head_of(known)


def _meant(command: Action, reply: str) -> Action:
    """What the word `light` of a command means where the reply names what burns."""
    if command.object != "light":
        return command
    lights = [word for word in words_of(reply) if "light-source" in classes_of(word)]
    return command._replace(object=next((word for word in lights if word != "light"), "light"))


def _is_holder(change: StateChange) -> bool:
    return change.new_value not in ("inventory", "here", "gone", "unknown")


def _changes_said(text: str, command: Action) -> Iterator[StateChange]:
    """Changes that the sentences themselves name, whatever the command was."""
    about_it = bool(command.object) and command.kind in _ABOUT_ITS_OBJECT
    meant = bare(command.object) if about_it else ""
    for sentence in sentences(_SAYS["speech"].sub('""', text)):
        for one in _named_in(sentence):
            spoken = meant if about_it else _last_thing(one.before) or meant
            yield from _change_said(one, one.thing or spoken, command)
        if not about_it:
            meant = _last_thing(sentence) or meant


def _told_always(described: str, command: Action) -> Iterator[StateChange]:
    for change in _changes_said(described, command):
        yield _supposed(change)


def _supposed(change: StateChange) -> StateChange:
    """What comes into one's hands, only supposed to."""
    known = change.new_value != "inventory"
    return change if known else change.model_copy(update={"confidence": _SUPPOSED_CONFIDENCE})


def _last_thing(text: str) -> str:
    """The last thing that a text speaks of, or else something new in it; empty for none."""
    phrases = noun_phrases(_SAYS["copy"].sub("", text.replace('"', "")))
    things = [one.name for one in phrases if is_thing(one.name)]
    new = [one.name for one in phrases if not one.definite and may_be_thing(one.name)]
    return next(reversed(things or new), "")


class _Told(NamedTuple):
    """A pattern that a sentence fits."""

    says: _Rule
    thing: str
    """Empty where it is only called `it`."""
    where: str
    before: str
    """What the sentence says before."""


@lru_cache(maxsize=2048)
def _named_in(sentence: str) -> tuple[_Told, ...]:
    found = []
    for says in _rules():
        match = says.pattern.search(sentence)
        if match is None or _SAYS["negated"].search(match[0]):
            continue
        before = sentence[: match.start()]
        if says.property == "location" and _is_unreal(before):
            continue
        if says.value in ("gone", "unknown") and _SAYS["lies_there"].search(
            match[match.lastindex or 0]
        ):
            continue
        thing, where = ([bare(one) for one in match.groups() if one] + ["", ""])[:2]
        if says.kind == "given":
            thing, where = where, thing
        found.append(_Told(says, thing, where, before))
    return tuple(found)


def _is_unreal(before: str) -> bool:
    """The clause that these words begin tells of what is not done."""
    clause = _SAYS["clause"].split(before)[-1]
    return bool(_SAYS["unreal"].search(clause) or _SAYS["negated"].search(clause))


def _change_said(told: _Told, thing: str, command: Action) -> Iterator[StateChange]:
    kind, prop, value = told.says.kind, told.says.property, told.says.value
    if not thing or (kind == "own" and told.thing and not _is_taken(thing, command)):
        return
    if value == "inventory" and not (is_thing(thing) or may_be_thing(thing)):
        return
    if kind in ("moved", "given"):
        holder = bare(command.second) if told.where in _PRONOUNS else told.where
        yield StateChange(object=thing, property="location", new_value=holder or "unknown")
    elif prop == "location":
        yield StateChange(object=thing, property="location", new_value=value, confidence=0.9)
    else:
        yield _state_change(thing, prop, value, 0.9)


def _is_taken(name: str, command: Action) -> bool:
    """It is a thing by its name, or what the command was about: nobody carries a step."""
    return is_thing(name) or head_of(name) == head_of(command.object or "")


def _changes_done(command: Action, reply: str, *, scored: bool) -> list[StateChange]:
    """Changes that follow from the command because the reply reports success."""
    listed = [(name, change_in(outcome)) for name, outcome in item_replies(reply, command.object)]
    if listed:
        return [change for name, done in listed if done for change in _changes(command, name, done)]
    if not command.object or command.object in _PRONOUNS:
        return []
    if _SAYS["handed"].search(reply) and (command.second or command.verb == "take"):
        name = bare(command.second or command.object)
        return [StateChange(object=name, property="location", new_value="inventory")]
    if _SAYS["taken_first"].match(reply):
        taken = StateChange(object=bare(command.object), property="location", new_value="inventory")
        return [taken, *_changes_done(command, _SAYS["taken_first"].sub("", reply), scored=scored)]
    for sentence in sentences(reply)[:3]:
        done = change_in(sentence)
        if done and _fits(command.verb, done):
            return _changes(command, bare(command.object), done)
    return _changes_supposed(command, reply, scored=scored)


def _changes_supposed(command: Action, reply: str, *, scored: bool) -> list[StateChange]:
    """An answer that speaks of the thing, or brings points, and denies nothing."""
    told = patterns("text")["aside"].sub("", reply)
    if command.verb not in _SUPPOSED or (_SAYS["denies"].search(told) and not scored):
        return []
    if command.verb == "take" and not scored and not _SAYS["takes"].search(told):
        return []
    noun = head_of(command.object)
    if not scored and not {noun, noun + "s", noun + "es"}.intersection(words_of(told)):
        return []
    done = _changes(command, bare(command.object), command.verb)
    if scored:
        return done
    return [one.model_copy(update={"confidence": _SUPPOSED_CONFIDENCE}) for one in done]


def _fits(verb: str, done: str) -> bool:
    general = done == "put" and verb in ("put", "give", "throw", "tie")
    return verb == done or (verb, done) in _ALIKE or general


def _changes(command: Action, name: str, done: str) -> list[StateChange]:
    if command.verb in ("put", "give", "throw") and done in _HANDS_OVER and command.second:
        place = _receiver(command, name)
        return [StateChange(object=name, property="location", new_value=place, confidence=0.9)]
    if done == "remove" and command.verb == "take":
        done = "take"
    if done in ("wear", "remove"):
        worn = _state_change(name, *_STATE_OF_CHANGE[done], 0.95)
        return [StateChange(object=name, property="location", new_value="inventory"), worn]
    if done in _PLACE_OF_CHANGE:
        return [StateChange(object=name, property="location", new_value=_PLACE_OF_CHANGE[done])]
    if done in _STATE_OF_CHANGE:
        return [_state_change(name, *_STATE_OF_CHANGE[done], 0.95)]
    return []


def _receiver(command: Action, name: str) -> str:
    """Where a thing ends up; what is eaten is gone."""
    holder = bare(command.second)
    eaten = "edible" in classes_of(name) and "person" not in classes_of(holder)
    return "gone" if command.verb == "give" and eaten else holder


def _state_change(name: str, prop: str, value: str, confidence: float) -> StateChange:
    """A light that is switched on is lit; any other device is on."""
    if prop in ("on", "lit"):
        kinds = classes_of(name)
        shines = "light-source" in kinds or "fire" in kinds or "light" in head_of(name)
        prop = "lit" if shines or (prop == "lit" and "device" not in kinds) else "on"
    old = {"true": "false", "false": "true"}[value]
    return StateChange(
        object=name, property=prop, old_value=old, new_value=value, confidence=confidence
    )
