"""What a reply says has changed, given the command that brought it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from managers.language.actions import EVERYTHING, Action
from managers.language.layout import sentences
from managers.language.lexicon import classes_of, head_of, words_of
from managers.language.nouns import bare, is_thing, may_be_thing, noun_phrases
from managers.language.outcomes import change_in, item_replies, refusal_in
from managers.language.patterns import patterns, read_table, rules
from managers.language.reading import SURE, StateChange

_SAYS = patterns("effects")
_ABOUT_ITS_OBJECT = frozenset({"take", "put", "drop", "give", "open", "unlock", "wear"})
"""Kinds of commands after which `it` is the thing that they name."""
_GUESSED = frozenset("take drop put give throw open close light extinguish wear remove tie".split())
_NOT_TAKEN = frozenset({"fixed", "too_heavy", "refused", "not_here"})
_PRONOUNS = frozenset({"it", "them", "him", "her", "you"})
_NO_THINGS = _PRONOUNS | EVERYTHING
_LOST = frozenset({"gone", "unknown"})
"""Where things go of their own: `The match floats away` when it was dropped."""
_NO_HOLDERS = _LOST | {"inventory", "here"}


def changes_in(command: Action, reply: str, text: str, *, scored: bool) -> list[StateChange]:
    """What the command did as its reply tells, and what `text` says besides.

    That is all that was told but for the description of a room. A bare `door` in it adds nothing
    where the command already named the trap door; a fuller name replaces the word of the command.
    """
    refusal = None if any(item_replies(reply, command.object)) else refusal_in(reply)
    reason = refusal.reason if refusal else ""
    usual = read_table("effects")["done"].get(command.verb, ())
    done: list[StateChange] = []
    if reason == "already" and command.object and usual:
        done = _changes(command, bare(command.object), command.verb)
    elif scored or reason in ("", "already"):
        done = _changes_done(command, reply, scored=scored)
    if reason in _NOT_TAKEN and not scored:
        text = _SAYS["taking"].sub("", text)
    said = list(_changes_said(text, command))
    if _SAYS["taking"].search(text) and not done:  # It was tried, and nobody says how that went.
        said = [_supposed(one) if one.new_value == "inventory" else one for one in said]
    said = [one for one in said if _adds(one, done, command)]
    moved = [one for one in said if one.property == "location"]
    placed = [one for one in moved if one.new_value not in _NO_HOLDERS]
    put_down = {one.object for one in done if one.new_value == "here"}
    lost = [one for one in said if one.new_value in _LOST and one.object in put_down]
    full = {head_of(one.object): one.object for one in said if " " in one.object}
    found: dict[tuple[str, str], StateChange] = {}
    for change in (*placed, *lost, *reversed(done), *reversed(said)):
        name = full.get(change.object, change.object)
        old = found.get((name, change.property))
        sure = change.confidence >= SURE and change.new_value != "unknown"
        if old is None or (sure and old.confidence < SURE):
            found[name, change.property] = change.model_copy(update={"object": name})
    return list(found.values())


def _adds(change: StateChange, done: Sequence[StateChange], command: Action) -> bool:
    """What the text says is not what the command did already, in other words."""
    alike = [one for one in done if one.property == change.property]
    if change.property != "location":
        return " " in change.object or not alike
    taken = [one for one in alike if one.new_value == change.new_value == "inventory"]
    return change.object not in _PRONOUNS and not (command.verb == "take" and len(taken) == 1)


def _supposed(change: StateChange) -> StateChange:
    return change.model_copy(update={"confidence": 0.65})


def _changes_said(text: str, command: Action) -> Iterator[StateChange]:
    """Changes that the sentences themselves name, whatever the command was."""
    about_it = bool(command.object) and command.kind in _ABOUT_ITS_OBJECT
    meant = held = bare(command.object) if about_it else ""
    for sentence in sentences(_SAYS["speech"].sub('""', text)):
        for prop, value, name, holder, before in _told_in(sentence):
            if not name and (about_it or value == "inventory"):
                name = held  # Who hands `it` over is not what is handed over.
            elif not name:
                lost = value in _LOST
                name = _last_thing(before, to_have=lost) or (held if lost else meant)
            if not name or (value == "inventory" and not _may_be_had(name)):
                continue
            if not value:
                value = (bare(command.second) if holder in _PRONOUNS else holder) or "unknown"
            yield _change(name, prop, value, 0.9)
        if not about_it:
            meant = _last_thing(sentence) or meant
            held = _last_thing(sentence, to_have=True) or held


def _may_be_had(name: str) -> bool:
    """No act (`you take a few steps`, `he gives you a salute`), and no part of a place."""
    return may_be_thing(name) or (is_thing(name) and "fixed" not in classes_of(name))


@lru_cache(maxsize=2048)
def _told_in(sentence: str) -> tuple[tuple[str, str, str, str, str], ...]:
    """Property, value, thing (empty for `it`), holder and the words before each change told of."""
    found = []
    for rule in rules("effects", "change"):
        match = rule["pattern"].search(sentence)
        if match is None or _SAYS["negated"].search(match[0]):
            continue
        prop, value = rule["property"], rule.get("value", "")
        before, named = sentence[: match.start()], match.groupdict("")
        last = match[match.lastindex or 0]
        lies_there = value in _LOST and _SAYS["lies_there"].search(last)
        clause = _SAYS["clause"].split(before)[-1]
        unreal = _SAYS["unreal"].search(clause) or _SAYS["negated"].search(clause)
        if lies_there or (prop == "location" and unreal):
            continue
        thing = bare(named["thing"] if named else (match.lastindex and last) or "")
        if is_thing(thing) or not (thing and rule.get("own")):
            found.append((prop, value, thing, bare(named.get("holder", "")), before))
    return tuple(found)


def _last_thing(text: str, *, to_have: bool = False) -> str:
    """The last thing that a text speaks of, or else something new in it; empty for none.

    `to_have` asks for one that may be carried: `a glove hangs on the tree`.
    """
    spoken_of = noun_phrases(_SAYS["copy"].sub("", text.replace('"', "")))
    phrases = [one for one in spoken_of if not to_have or _may_be_had(one.name)]
    things = [one.name for one in phrases if is_thing(one.name)]
    new = [one.name for one in phrases if not one.definite and may_be_thing(one.name)]
    return next(reversed(things or new), "")


def _changes_done(command: Action, reply: str, *, scored: bool) -> list[StateChange]:
    """Changes that follow from the command because the reply reports success."""
    listed = [(name, change_in(outcome)) for name, outcome in item_replies(reply, command.object)]
    if listed:
        return [change for name, done in listed if done for change in _changes(command, name, done)]
    if not command.object or command.object in _NO_THINGS:
        return []
    if _SAYS["handed"].search(reply) and (command.second or command.verb == "take"):
        return [_change(bare(command.second or command.object), "location", "inventory")]
    if _SAYS["taken_first"].match(reply):
        taken = _change(bare(command.object), "location", "inventory")
        return [taken, *_changes_done(command, _SAYS["taken_first"].sub("", reply), scored=scored)]
    for sentence in sentences(reply)[:3]:
        done = change_in(sentence)
        if done == "done":
            return _changes(command, bare(command.object), command.verb)
        alike = (command.verb, *read_table("effects")["alike"].get(command.verb, ()))
        if done in alike or (done and len(words_of(sentence)) == 1):  # `Taken.`, whatever the verb.
            return _changes(command, bare(command.object), done)
    return _changes_supposed(command, reply, scored=scored)


def _changes_supposed(command: Action, reply: str, *, scored: bool) -> list[StateChange]:
    """An answer that speaks of the thing and denies nothing; or whatever it says, for points."""
    if command.verb not in _GUESSED:
        return []
    done = _changes(command, bare(command.object), command.verb)
    if scored:
        return done
    told, noun = patterns("text")["aside"].sub("", reply), head_of(command.object)
    taken = command.verb != "take" or _SAYS["takes"].search(told)
    named = {noun, noun + "s", noun + "es"}.intersection(words_of(told))
    agrees = taken and named and not _SAYS["denies"].search(told)
    return list(map(_supposed, done)) if agrees else []


def _changes(command: Action, name: str, done: str) -> list[StateChange]:
    """What has changed when something is done to a thing; what is handed over is at its place."""
    handed = command.verb in ("put", "give", "throw") and done in ("put", "give", "throw", "drop")
    if handed and command.second:
        holder = bare(command.second)
        eaten = "edible" in classes_of(name) and "person" not in classes_of(holder)
        return [_change(name, "location", "gone" if command.verb == "give" and eaten else holder)]
    if done == "remove" and command.verb == "take":
        done = "take"
    changed = (one.split("=") for one in read_table("effects")["done"].get(done, ()))
    return [_change(name, prop, value) for prop, value in changed]


def _change(name: str, prop: str, value: str, sure: float = 0.95) -> StateChange:
    """A light that is switched on is lit; any other device is on."""
    if prop in ("on", "lit"):
        kinds = classes_of(name)
        shines = "light-source" in kinds or "fire" in kinds or "light" in head_of(name)
        prop = "lit" if shines or (prop == "lit" and "device" not in kinds) else "on"
    old = {"true": "false", "false": "true"}.get(value)
    return StateChange(object=name, property=prop, old_value=old, new_value=value, confidence=sure)
