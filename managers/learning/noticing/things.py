"""Facts of things: what is there, changed, opened, bright; what is carried and brought home."""

from __future__ import annotations

import re

from managers.language.actions import DIRECTIONS, EVERYTHING, classes, parse
from managers.language.exits import exits_in
from managers.language.layout import sentences
from managers.language.lexicon import head_of, words_of
from managers.language.mentions import items
from managers.language.nouns import is_name, noun_phrases
from managers.language.outcomes import item_replies
from managers.language.reading import Reading
from managers.learning.transition import Transition
from managers.world.facts import Blackboard, is_about, says
from managers.world.identity import fingerprint
from managers.world.objects import INVENTORY
from managers.world.requests import LONGEST_NOTE, NOTE, with_notes

_SPEECH = re.compile(r'(?:^|[\s(])"(?=\S)([^"]{12,})')
_NO_NOUNS = ("ing", "ed", "ly", "able")
_SLOPES = {"descen": "down", "ascend": "up"}
_SURE = 0.8
_MOST_REVEALED = 6
_LONG_SENTENCE = 35
_MOVING = frozenset({"go", "enter", "climb", "put", "drop"})
"""Verbs whose success is that somebody or something is elsewhere."""


def absent(board: Blackboard, transition: Transition) -> Blackboard:
    """What is not there, until the game itself lists it."""
    room, noun = transition.room, head_of(transition.action.object)
    mentioned = transition.reading.objects_mentioned
    listed = {head_of(one.name) for one in mentioned if one.confidence > _SURE}
    board = board.without("absent", lambda one: one.room == room and one.subject in listed)
    if transition.reason == "already" and transition.action.verb == "take":
        room = INVENTORY
    elif transition.reason not in ("not_here", "unknown_word"):
        return board
    return board.with_("absent", [transition.fact(noun, room=room)] if noun else [])


def told(board: Blackboard, transition: Transition) -> Blackboard:
    """The first long sentence that examining a thing told: names that tell the same are one thing.

    Short ones are stock replies, which other things give, too.
    """
    noun = head_of(transition.action.object)
    if transition.action.verb != "examine" or transition.failed or not noun:
        return board
    long = next((one for one in sentences(transition.text) if len(one) >= _LONG_SENTENCE), "")
    facts = [transition.fact(noun, value=str(fingerprint(long)))] if long else []
    return board.without("told", is_about(noun)).with_("told", facts)


def notes(board: Blackboard, transition: Transition) -> Blackboard:
    """Sentences that a model's reading keeps, named like the notes that somebody writes down.

    None of a room's ways, which the map knows, nor of a thing that has come or gone since.
    """
    reading = transition.reading
    if not isinstance(reading, Reading) or reading.progress is None:
        return board
    moved = (one for one in reading.state_changes if one.property == "location")
    left = transition.taken | {head_of(one.object) for one in moved}
    board = board.without(NOTE, lambda fact: not left.isdisjoint(words_of(fact.subject)))
    described = reading.room is not None
    new = (text for text in reading.new_information if not (described and exits_in(text)))
    texts = [text for text in new if len(text) <= LONGEST_NOTE]
    return with_notes(board, [transition.fact(text, room=transition.after.here) for text in texts])


def hints(board: Blackboard, transition: Transition) -> Blackboard:
    """Nouns of what was said or read; the latest come first."""
    nouns = [
        head_of(phrase.name)
        for spoken in _SPEECH.findall(transition.text)
        for phrase in noun_phrases(spoken)
    ]
    nouns = [noun for noun in nouns if is_name(noun) and not noun.endswith(_NO_NOUNS)]
    return board.with_("hint", map(transition.fact, dict.fromkeys(nouns)))


def revealed(board: Blackboard, transition: Transition) -> Blackboard:
    """What stands after a word like `revealing`, until it is taken."""
    board = board.without("revealed", lambda one: head_of(one.subject) in transition.taken)
    match = says("revealing").search(transition.text) if transition.command else None
    if match is None:
        return board
    named = (name for name, _ in items(transition.text[match.end() :].split(".")[0]))
    names = filter(is_name, dict.fromkeys(named))
    facts = [transition.fact(name, room=transition.room) for name in names]
    return board.with_("revealed", facts[:_MOST_REVEALED])


def failing(board: Blackboard, transition: Transition) -> Blackboard:
    """Lights that are about to go out, or have gone out of themselves and not been lit again."""
    action, before, dark = transition.action, transition.before, transition.after.world_view.dark
    if action.verb == "extinguish":
        return board
    if action.verb == "light" and before.world_view.dark and not dark:
        return board.without("failing", is_about(head_of(action.object)))
    lights = [thing for thing in before.held if "light-source" in thing.classes]
    dying = [thing.noun for thing in lights if dark and (thing.is_("lit") or thing.is_("on"))]
    if match := says("failing").search(transition.text):
        nouns = dict.fromkeys(thing.noun for thing in lights)
        named = [noun for noun in nouns if noun in match[0].lower()]
        dying = named or [noun for noun in nouns if "fire" not in classes(noun)]
    source = match[0] if match else ""
    return board.with_("failing", [transition.fact(noun, source=source) for noun in dying])


def changed(board: Blackboard, transition: Transition) -> Blackboard:
    """That an action changed something, in the room or about oneself."""
    action, room = transition.action, ""
    scored, success = transition.scored > 0, transition.result == "success"
    gained = scored and not transition.taken and action.verb not in _MOVING
    if action.verb == "attack":
        room = transition.room if scored or says("defeated").search(transition.text) else ""
    elif gained or (success and action.has("oneself")):
        room = INVENTORY
    elif success and action.has("changes"):
        room = transition.room
    if not room:
        return board
    board = board.without("changed", lambda one: one.room == room)
    return board.with_("changed", [transition.fact(action.canonical, room=room)])


def ways_opened(board: Blackboard, transition: Transition) -> Blackboard:
    """The ways that an action seems to have opened: what its reply names, the door itself."""
    action, room = transition.action, transition.room
    if transition.failed:
        played = (transition.command, room)
        return board.without("opened", lambda one: (one.subject, one.room) == played)
    if not action.has("changes"):
        return board
    named = [word.lower() for word in says("ways").findall(transition.text)]
    ways = [_SLOPES.get(word[:6], word) for word in named]
    if action.verb == "tie":
        ways.append("down")
    if action.verb == "open" and "door" in classes(action.object):
        ways.append(f"enter {action.object}")
    known = [way for way in dict.fromkeys(ways) if way in DIRECTIONS or " " in way]
    return board.with_("opened", [transition.fact(way, room=room) for way in known[:4]])


def bright(board: Blackboard, transition: Transition) -> Blackboard:
    """Rooms one can see in without a light of one's own, in the hand or put down there."""
    after = transition.after
    if not after.here or after.world_view.dark or after.here in board.subjects("bright"):
        return board
    near = (*after.held, *after.around)
    lights = [thing for thing in near if "light-source" in thing.classes]
    burning = [thing.is_("lit") if thing.is_("on") is None else thing.is_("on") for thing in lights]
    # Where a light was lit once, any may burn for all one knows.
    lit = (parse(one).verb == "light" for rows in after.attempts.values() for one in rows)
    if any(burning) or (None in burning and any(lit)):
        return board
    return board.with_("bright", [transition.fact(after.here)])


# -- what is carried -----------------------------------------------------------


def narrow(board: Blackboard, transition: Transition) -> Blackboard:
    """Ways that are shut to somebody who carries so much."""
    way, room = transition.action.direction, transition.room
    shut = not transition.moved and says("encumbered").search(transition.text)
    if not way or not (shut or way in board.subjects("narrow", room)):
        return board
    board = board.without("narrow", lambda one: (one.subject, one.room) == (way, room))
    again = shut or transition.failed
    return board.with_("narrow", [transition.fact(way, room=room)] if again else [])


def home(board: Blackboard, transition: Transition) -> Blackboard:
    """A deposit that scored shows where treasures belong, and that it was one.

    The fact is the command with `{}` for the treasure.
    """
    action, template = transition.action, ""
    if action.verb == "put" and action.second:
        template = f"put {{}} {action.preposition} {action.second}"
    elif action.verb == "drop" and action.object:
        template = "drop {}"
    if not template or transition.scored <= 0:
        return board
    noun = head_of(action.object)
    nouns = dict.fromkeys((noun, noun.removesuffix("s"), *sorted(transition.lost)))
    home = transition.fact(template, room=transition.room)
    board = board.without("home", lambda _: True).with_("home", [home])
    return board.with_("deposited", map(transition.fact, nouns))


def prized(board: Blackboard, transition: Transition) -> Blackboard:
    """What was taken for points, unless it brought none where treasures do."""
    action, command = transition.action, transition.command
    if transition.scored > 0:
        taken = sorted(transition.taken) if action.verb == "take" else []
        return board.with_("treasure", map(transition.fact, taken))
    template = command.replace(action.object, "{}", 1) if action.object else ""
    vain = (template, transition.room) in {(fact.subject, fact.room) for fact in board.of("home")}
    return board.without("treasure", is_about(head_of(action.object))) if vain else board


def discarded(board: Blackboard, transition: Transition) -> Blackboard:
    """What was dropped, or tied where it should stay; not what was dropped with all the rest."""
    action = transition.action
    left = action.verb == "drop" or (action.verb == "tie" and not transition.failed)
    if not left or action.object in EVERYTHING:
        return board
    several = [head_of(name) for name, _ in item_replies(transition.text, action.object)]
    lost = () if transition.reading.died else sorted(transition.lost)
    nouns = dict.fromkeys([*(several or [head_of(action.object)]), *lost])
    room = transition.room
    way = next(iter(sorted(board.subjects("narrow", room))), "")
    facts = [transition.fact(noun, room=room, value=way) for noun in nouns]
    return board.without("discarded", is_about(*nouns)).with_("discarded", facts)
