"""Options with one or two things: what their classes afford."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import product

from managers.language.actions import Single, classes, table
from managers.language.lexicon import head_of, words_of
from managers.policy.option import Draft
from managers.policy.scene import USEFUL, Scene
from managers.world.objects import INVENTORY, GameObject

_HINTED = frozenset({"openable", "searchable"})
"""What a thing that somebody has spoken of may be, whatever its name says."""
_NEVER_OPENED = frozenset({"scenery", "person", "creature", "readable", "food", "weapon"})
_LIVING = frozenset({"person", "creature"})
_BODIES = _LIVING | {"remains"}
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
_HELD_KINDS = frozenset({"examine", "read", "open", "wear", "consume", "search", "use"})


def takeable(scene: Scene) -> Iterator[Draft]:
    """What could be picked up here; all of it at once if there is more than one thing."""
    title = words_of(scene.map.title(scene.here))
    around = [
        thing
        for thing in scene.around
        if (thing.noun not in scene.unwanted or _is_needed(scene, thing))
        and thing not in scene.foes
        and (thing.confidence >= _LISTED or thing.noun not in title)
        and not (thing.taken and _place(scene, thing))
    ]
    items = [thing for thing in around if _is_item(thing)]
    mixed = any(thing.classes & _BODIES for thing in scene.around)  # `all` could mean them, too.
    if len(items) > 1 and len(around) == len(scene.around) and not mixed:
        yield Draft(scene.here, "take all", "take", scale=1.2 + 0.2 * len(items))
    for thing in around:
        command, place = f"take {scene.called(thing)}", _place(scene, thing)
        take = Draft(scene.here, command, "take", thing.name, place=place)
        precious, fixed = scene.knowledge.is_precious(thing), thing.has("fixed")
        if thing.taken and thing.noun not in scene.unwanted:
            kind = "retry" if precious else "fetch"
            scale = _PRECIOUS if thing.classes & USEFUL else 1
            yield take._replace(kind=kind, scale=scale, purpose="have it again")
        elif _is_item(thing):
            scale = _PRECIOUS if precious or _is_needed(scene, thing) else 1
            yield take._replace(scale=scale)
        elif thing.has("valuable") and not fixed:
            yield take._replace(scale=_PRECIOUS, chance=_PART_OF_PROSE)
        elif not thing.has("person") and (not fixed or _is_known(scene, thing)):
            yield take._replace(kind="grab", chance=_LOOKS_FIXED if fixed else thing.confidence)


def brought_to_light(scene: Scene) -> Iterator[Draft]:
    """What an action has brought to light may be taken, if it is no part of the place."""
    stowed = {thing.noun for thing in scene.around if thing.taken and _place(scene, thing)}
    carried = scene.held_nouns | stowed
    for name in sorted(name for room, name in scene.revealed if room == scene.here):
        if head_of(name) not in carried and "fixed" not in classes(name):
            yield Draft(scene.here, f"take {head_of(name)}", "take", name)


def _place(scene: Scene, thing: GameObject) -> str:
    """Where attempts at it are remembered: what lies in something carried comes along."""
    carried = thing.id and scene.world.location_of(thing.id) == INVENTORY
    return INVENTORY if carried else ""


def _is_needed(scene: Scene, thing: GameObject) -> bool:
    """A light or a weapon for somebody who has none, and was not to leave it here."""
    if any(room == scene.here for room, _ in scene.worth_another_try):
        return False
    owned = frozenset[str]().union(*(held.classes for held in scene.held))
    return bool((thing.classes & _NEEDED) - owned)


def _is_item(thing: GameObject) -> bool:
    """Something to carry by its name, or because the game lists it apart from the scenery."""
    if thing.is_("worn") or any(thing.has(kind) for kind in _NO_ITEMS):
        return False
    return thing.has("takeable") or thing.confidence >= _LISTED


def single(scene: Scene) -> Iterator[Draft]:
    """One-object commands on what is here and on what is carried."""
    for thing in scene.around:
        yield from _verbs(scene, thing, held=False)
    for thing in scene.held:
        yield from _verbs(scene, thing, held=True)


def _verbs(scene: Scene, thing: GameObject, *, held: bool) -> Iterator[Draft]:
    known = thing.classes | {"any"}
    if thing.noun in scene.board.subjects("hint") and not held and not known & _NEVER_OPENED:
        known |= _HINTED
    chance, place = thing.confidence, _place(scene, thing)
    for verb in _suiting(known, held, any_noun=not scene.stance.faculties.affordances):
        if not _pointless(scene, verb, thing):
            command = verb.command.replace("{}", scene.called(thing))
            yield Draft(scene.here, command, verb.kind, thing.name, chance=chance, place=place)


def tinker(scene: Scene) -> Iterator[Draft]:
    """Whatever else can be done to what is surely here."""
    if scene.foes or scene.world.dark:
        return
    for thing in scene.around:
        if not thing.classes & _LIVING and _is_known(scene, thing):
            for verb in table().singles:
                if verb.kind == _TINKERING and not _pointless(scene, verb, thing):
                    command = verb.command.replace("{}", scene.called(thing))
                    place = _place(scene, thing)
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


def pairs(scene: Scene) -> Iterator[Draft]:
    """Two-object commands, one of the two carried."""
    held = [(thing, thing.classes | {"held"}) for thing in scene.held]
    told = words_of(scene.map.room(scene.here).text) if scene.here else ()
    for pair in table().pairs:
        in_order, unlocks = pair.held == "first", pair.kind == "unlock"
        wanted, other = (pair.first, pair.second) if in_order else (pair.second, pair.first)
        carried = [thing for thing, known in held if known & wanted]
        targets = [thing for thing in scene.around if carried and thing.classes & other]
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
            yield Draft(scene.here, command, pair.kind, target.name, chance=chance)
