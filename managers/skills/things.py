"""Things: what can be had here, and what the classes of one or two things afford."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import product

from managers.core.option import Draft
from managers.core.scene import Scene
from managers.core.skill import Skill
from managers.language.actions import Single, canonical, classes, table
from managers.language.layout import sentences
from managers.language.lexicon import head_of, words_of
from managers.language.mentions import items
from managers.language.nouns import is_name, noun_phrases
from managers.language.patterns import phrases
from managers.world.facts import Blackboard, is_about
from managers.world.knowledge import LIVING, stateless
from managers.world.mapping import fingerprint
from managers.world.objects import INVENTORY, USEFUL, GameObject
from managers.world.transition import Transition

ABSENT = "absent"
"""Fact: the noun of what is not there after all, until the game speaks of it again."""
TOLD = "told"
"""Fact: a noun that was examined; value: a number for what that told."""
REVEALED = "revealed"
"""Fact: the name of what an action brought to light, until it is taken."""
HINT = "hint"
"""Fact: a noun spoken of in speech or writing."""
_MOST_FACTS, _MOST_REVEALED_KEPT = 200, 120
_REVEALING = phrases(
    "reveal(?:s|ing|ed)?", "uncover(?:s|ing)?", "discover(?:s|ing)?", "you (?:find|notice|see)"
)
"""Something comes to light; it stands behind these words."""
_SPEECH = re.compile(r'(?:^|[\s(])"(?=\S)([^"]{12,})')
_NO_NOUNS = ("ing", "ed", "ly", "able")
_SURE = 0.8
_MOST_REVEALED = 6
_LONG_SENTENCE = 35
_MOVING = frozenset({"go", "enter", "climb", "put", "drop"})
"""Verbs whose success is that somebody or something is elsewhere."""
_HINTED_AT, _BROUGHT_TO_LIGHT = 1.6, 2.5
"""How much more it is worth to deal with what was spoken of, and with what came to light."""
_FOR_WHAT_IT_IS = ("refused", "pointless", "fixed", "not_here", "unknown_word")
"""Reasons for a failure that a thing of the same name mostly shares in another room."""
_SUITING = frozenset("open move uncover search examine read switch use wear work tinker".split())
"""Kinds of commands on one thing that suit it or do not, wherever it is."""
_REFUSED_ELSEWHERE = 0.5
"""How much less such a command is worth for each other room in which it was refused."""
_HINTED = frozenset({"openable", "searchable"})
"""What a thing that somebody has spoken of may be, whatever its name says."""
_NEVER_OPENED = frozenset({"scenery", "person", "creature", "readable", "food", "weapon"})
_BODIES = LIVING | {"remains"}
_NO_ITEMS = ("scenery", "fixed", "person", "creature", "door", "structure", "vehicle")
_PRECIOUS = 2.0
"""How much more it is worth to have what could be a treasure."""
_NEEDED = frozenset({"light-source", "weapon"})
_PART_OF_PROSE = 0.6
"""How likely something valuable can be had of which only the prose speaks."""
_LISTED = 0.9
"""How sure a thing is that has stood in a listing."""
_LOOKS_FIXED = 0.4
"""How much less likely something comes along that by its name is part of a place."""
_UNKNOWN_LOCK = 0.3
"""How much less likely a key fits what nobody has found locked."""
_NOT_NEAR = 0.3
"""How much less likely a pair works where the room names nothing that it is for (`Pair.near`)."""
_TINKERING = "tinker"
"""The kind of commands that suit anything, for when nothing better is known."""
_MAKES = {"open {}": "open", "turn on {}": "on", "wear {}": "worn"}
"""Command -> the state in which it leaves a thing."""
_HELD_KINDS = frozenset("examine read open wear consume search use switch work".split())


class Finds:
    """What actions have brought to light."""

    def __init__(self, scene: Scene) -> None:
        facts = scene.board.of(REVEALED)
        self.revealed = {(one.room, stateless(one.subject)) for one in facts}
        """Room and name of it."""
        self.hints = scene.board.subjects(HINT)


def _find_refused(scene: Scene) -> Mapping[str, set[str]]:
    """Command -> the rooms in which it was refused for what its thing is."""
    rooms = defaultdict[str, set[str]](set)
    for one in scene.attempts.failures(*_FOR_WHAT_IT_IS):
        rooms[one.command].add(one.location)
    return rooms


class ThingsSkill(Skill):
    """Takes what is there, and does what its classes afford."""

    def __init__(self, *, affordances: bool = True) -> None:
        """Things with these options.

        Args:
            affordances: A verb is tried on nouns of the classes it suits; else on all nouns.
        """
        self._affordances = affordances

    def notice(self, board: Blackboard, transition: Transition) -> Blackboard:
        """What is absent, told, changed, brought to light, or spoken of."""
        for rule in (_with_absent, _with_told, _with_changed, _with_revealed, _with_hints):
            board = rule(board, transition)
        return board

    def offer(self, scene: Scene) -> Iterator[Draft]:
        """What could be taken, done with one thing, done with two; and what suits anything."""
        for make in (_takeable, self._single, _pairs, _brought_to_light, _tinker):
            yield from make(scene)

    def weighs(self, scene: Scene) -> bool:
        """Something was spoken of, came to light, or was refused in another room."""
        finds = scene.view(Finds)
        return bool(finds.hints or finds.revealed or scene.view(_find_refused))

    def weigh(self, scene: Scene, draft: Draft) -> float:
        """More for what came to light or was spoken of, less for what was refused elsewhere."""
        if not draft.noun:
            return 1.0
        finds, scale = scene.view(Finds), 1.0
        if draft.kind in _SUITING:
            rooms = scene.view(_find_refused).get(canonical(draft.command))
            scale = _REFUSED_ELSEWHERE ** len(rooms - {draft.room}) if rooms else 1.0
        if (draft.room, draft.noun) in finds.revealed:
            return scale * _BROUGHT_TO_LIGHT
        return scale * _HINTED_AT if head_of(draft.noun) in finds.hints else scale

    def _single(self, scene: Scene) -> Iterator[Draft]:
        """One-object commands on what is here and on what is carried."""
        for things, held in ((scene.around, False), (scene.held, True)):
            for thing in things:
                yield from _verbs(scene, thing, held=held, any_noun=not self._affordances)


def _takeable(scene: Scene) -> Iterator[Draft]:
    """What could be picked up here; all of it at once if there is more than one thing."""
    title, needed = words_of(scene.map.title(scene.here)), scene.view(_find_needs)
    around = [
        thing
        for thing in scene.around
        if (thing.noun not in scene.unwanted or thing.classes & needed)
        and thing not in scene.knowledge.foes
        and (thing.confidence >= _LISTED or thing.noun not in title)
        and not (thing.taken and _place(scene, thing))
    ]
    items = [thing for thing in around if _is_item(thing)]
    mixed = any(thing.classes & _BODIES for thing in scene.around)  # `all` could mean them, too.
    if len(items) > 1 and len(around) == len(scene.around) and not mixed:
        yield Draft(scene.here, "take all", "take", scale=1.2 + 0.2 * len(items), lasting=True)
    for thing in around:
        command, place = f"take {scene.called(thing)}", _place(scene, thing)
        take = Draft(scene.here, command, "take", thing.name, place=place, lasting=True)
        precious, fixed = scene.knowledge.is_precious(thing), thing.has("fixed")
        if thing.taken and thing.noun not in scene.unwanted:
            kind = "retry" if precious else "fetch"
            scale = _PRECIOUS if thing.classes & USEFUL else 1
            yield take._replace(kind=kind, scale=scale, purpose="have it again")
        elif _is_item(thing):
            scale = _PRECIOUS if precious or thing.classes & needed else 1
            yield take._replace(scale=scale)
        elif thing.has("valuable") and not fixed:
            yield take._replace(scale=_PRECIOUS, chance=_PART_OF_PROSE)
        elif not thing.has("person") and (not fixed or _is_known(scene, thing)):
            yield take._replace(kind="grab", chance=_LOOKS_FIXED if fixed else thing.confidence)


def _brought_to_light(scene: Scene) -> Iterator[Draft]:
    """What an action has brought to light may be taken, if it is no part of the place."""
    stowed = {thing.noun for thing in scene.around if thing.taken and _place(scene, thing)}
    carried = scene.held_nouns | stowed
    revealed = scene.view(Finds).revealed
    for name in sorted(name for room, name in revealed if room == scene.here):
        if head_of(name) not in carried and "fixed" not in classes(name):
            yield Draft(scene.here, f"take {head_of(name)}", "take", name, lasting=True)


def _place(scene: Scene, thing: GameObject) -> str:
    """Where attempts at it are remembered: what lies in something carried comes along."""
    carried = thing.id and scene.world.location_of(thing.id) == INVENTORY
    return INVENTORY if carried else ""


def _find_needs(scene: Scene) -> frozenset[str]:
    """The classes of what is needed: a light or a weapon for somebody who has none.

    None where something was to be left here.
    """
    if any(one.room == scene.here and one.gone for one in scene.obstacles.values()):
        return frozenset()
    return _NEEDED.difference(*(held.classes for held in scene.held))


def _is_item(thing: GameObject) -> bool:
    """Something to carry by its name, or because the game lists it apart from the scenery."""
    if thing.is_("worn") or any(thing.has(kind) for kind in _NO_ITEMS):
        return False
    return thing.has("takeable") or thing.confidence >= _LISTED


def _verbs(scene: Scene, thing: GameObject, *, held: bool, any_noun: bool) -> Iterator[Draft]:
    known = thing.classes | {"any"}
    if thing.noun in scene.view(Finds).hints and not held and not known & _NEVER_OPENED:
        known |= _HINTED
    chance, place, called = thing.confidence, _place(scene, thing), scene.called(thing)
    for verb in _suiting(known, held, any_noun=any_noun):
        if not _pointless(scene, verb, thing):
            command = verb.command.replace("{}", called)
            yield Draft(
                scene.here, command, verb.kind, thing.name, chance=chance, place=place, lasting=True
            )


def _tinker(scene: Scene) -> Iterator[Draft]:
    """Whatever else can be done to what is surely here."""
    for thing in scene.around:
        if not thing.classes & LIVING and _is_known(scene, thing):
            called, place = scene.called(thing), _place(scene, thing)
            for verb in table().singles:
                if verb.kind == _TINKERING and not _pointless(scene, verb, thing):
                    command = verb.command.replace("{}", called)
                    yield Draft(scene.here, command, verb.kind, thing.name, place=place)


def _is_known(scene: Scene, thing: GameObject) -> bool:
    """The game has listed it, or told more of it."""
    examined = scene.attempts.of(scene.here, f"examine {scene.called(thing)}")
    return thing.confidence >= _LISTED or bool(examined.worked)


@lru_cache(maxsize=1024)
def _suiting(known: frozenset[str], held: bool, *, any_noun: bool) -> tuple[Single, ...]:
    return tuple(
        verb
        for verb in table().singles
        if verb.kind != _TINKERING
        and (any_noun or known & verb.classes)
        and (not held or verb.kind in _HELD_KINDS)
    )


def _pointless(scene: Scene, verb: Single, thing: GameObject) -> bool:
    """The thing is known to be so already, or the way it is known."""
    if verb.kind not in ("climb", "enter"):
        return bool(thing.is_(_MAKES.get(verb.command, "")))
    walked = [way for way, passage in scene.map.ways(scene.here).passages.items() if passage.seen]
    if verb.kind == "climb":  # Stairs out of a room with a way up or down that was walked.
        return "stairs" in thing.classes and not {"up", "down"}.isdisjoint(walked)
    names = (words_of(way)[1:] for way in walked if way.startswith("enter "))
    return any(name[-1:] == [thing.noun] for name in names)  # Whatever way it is called.


def _pairs(scene: Scene) -> Iterator[Draft]:
    """Two-object commands, one of the two carried."""
    held = [(thing, thing.classes | {"held"}) for thing in scene.held]
    told = words_of(scene.map.room(scene.here).text) if scene.here else ()
    for pair in table().pairs:
        in_order, unlocks = pair.held == "first", pair.kind == "unlock"
        wanted, other = (pair.first, pair.second) if in_order else (pair.second, pair.first)
        carried = [thing for thing, known in held if known & wanted]
        targets = [thing for thing in scene.around if carried and thing.classes & other]
        if not targets:
            continue
        near = not pair.near or any(not pair.near.isdisjoint(classes(word)) for word in told)
        for tool, target in product(carried, targets):
            # Of what is locked there are hypotheses; who is only spoken of is given nothing.
            if unlocks and (target.is_("locked") is not None or target.is_("open")):
                continue
            if pair.kind == "give" and not target.id:
                continue
            ordered = (tool, target) if in_order else (target, tool)
            command = pair.command.format(*map(scene.called, ordered))
            chance = (1.0 if near else _NOT_NEAR) * target.confidence
            chance *= _UNKNOWN_LOCK if unlocks else 1.0
            yield Draft(scene.here, command, pair.kind, target.name, chance=chance, lasting=True)


# -- what is noticed -------------------------------------------------------------


def _with_absent(board: Blackboard, transition: Transition) -> Blackboard:
    """What is not there, until the game itself lists it; or is in hand, until it is put down."""
    room, noun = transition.room, head_of(transition.action.object)
    listed = [one for one in transition.reading.objects_mentioned if one.confidence > _SURE]
    there = {head_of(one.name) for one in listed}
    aside = {head_of(one.name) for one in listed if one.location != INVENTORY}
    board = board.without(ABSENT, lambda one: one.room == room and one.subject in there)
    board = board.without(
        ABSENT,
        lambda one: one.room == INVENTORY and one.subject in aside | transition.lost,
    )
    if transition.reason == "already" and transition.action.verb == "take":
        room = INVENTORY
    elif transition.reason not in ("not_here", "unknown_word"):
        return board
    return board.with_(ABSENT, [transition.fact(noun, room=room)] if noun else [], _MOST_FACTS)


def _with_told(board: Blackboard, transition: Transition) -> Blackboard:
    """The first long sentence that examining a thing told: names that tell the same are one thing.

    Short ones are stock replies, which other things give, too.
    """
    noun = head_of(transition.action.object)
    if transition.action.verb != "examine" or transition.failed or not noun:
        return board
    long = next((one for one in sentences(transition.text) if len(one) >= _LONG_SENTENCE), "")
    facts = [transition.fact(noun, value=str(fingerprint(long)))] if long else []
    return board.without(TOLD, is_about(noun)).with_(TOLD, facts, _MOST_FACTS)


def _with_hints(board: Blackboard, transition: Transition) -> Blackboard:
    """Nouns of what was said or read; the latest come first."""
    nouns = [
        head_of(phrase.name)
        for spoken in _SPEECH.findall(transition.text)
        for phrase in noun_phrases(spoken)
    ]
    nouns = [noun for noun in nouns if is_name(noun) and not noun.endswith(_NO_NOUNS)]
    return board.with_(HINT, map(transition.fact, dict.fromkeys(nouns)))


def _with_revealed(board: Blackboard, transition: Transition) -> Blackboard:
    """What stands after a word like `revealing`, until it is taken."""
    board = board.without(REVEALED, lambda one: head_of(one.subject) in transition.taken)
    match = _REVEALING.search(transition.text) if transition.command else None
    if match is None:
        return board
    named = (name for name, _ in items(transition.text[match.end() :].split(".")[0]))
    names = filter(is_name, dict.fromkeys(named))
    facts = [transition.fact(name, room=transition.room) for name in names]
    return board.with_(REVEALED, facts[:_MOST_REVEALED], _MOST_REVEALED_KEPT)


def _with_changed(board: Blackboard, transition: Transition) -> Blackboard:
    """That an action changed something, in the room or about oneself."""
    action, scored = transition.action, transition.scored > 0
    if action.verb == "attack":
        return board  # Whether somebody is beaten, the fights tell.
    if scored and not transition.taken and action.verb not in _MOVING:
        return transition.with_change(board, INVENTORY)
    if transition.result == "success" and (action.has("oneself") or action.has("changes")):
        room = INVENTORY if action.has("oneself") else transition.room
        return transition.with_change(board, room) if room else board
    return board
