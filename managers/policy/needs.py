"""Options that the situation itself calls for: a light, a fight, a way out, treasures home."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from managers.language import patterns
from managers.language.actions import DIRECTIONS, canonical, classes, parse
from managers.language.lexicon import head_of
from managers.policy.option import ESCAPE, Draft
from managers.policy.scene import NO_WEAPON, Scene, is_weapon, weapon_rank
from managers.world.attempts import HELD
from managers.world.objects import GameObject

_LIGHT_COMMANDS = ("turn on {}", "light {}")
_SHUT_IN = 4
"""So many ways are refused to somebody who may be shut in."""
_FROM_A_TRAP = 3.0
"""How much likelier it helps to do such a thing where one has to get out."""
_ANY_WAY = 0.01
_VERBOSE = "have every room described on every visit"
_BRIGHT = 2.0
"""How much better it is to go where one has seen without a light."""
_VALID = 0.95
"""The chance that a command works that the emulator has tried."""
_NEWS, _MOST_NEWS = 10, 20
"""So many words of a reply that was not had before are news of the usual worth."""
_ORDINARY = frozenset({"take", "wear", "give", "consume", "wait"})
"""Kinds of actions that are known to work often, and are worth no more for that."""
_BARRED, _ATTACKED, _AWAY = 5.0, 1.0, 0.7
"""How much it is worth to fight who bars the way, to fight who attacks, and to get away."""
_UNARMED = 0.15
_IN_VAIN = 3
"""After so many attacks another thing is tried that could be a weapon."""
_STANDING = (("look", "look"), ("inventory", "inventory"), ("wait", "wait"))


def light(scene: Scene) -> Iterator[Draft]:
    """In the dark: a light, or the way back."""
    if not scene.world.dark:
        return
    for thing in scene.held:
        if "light-source" in thing.classes:
            for command in _LIGHT_COMMANDS:
                light_it = command.replace("{}", scene.called(thing))
                yield Draft(scene.here, light_it, "light", thing.name, scale=3)
    for command, passage in scene.map.passages(scene.here).items():
        known = _BRIGHT if passage.to not in scene.never_bright else 0.5
        yield Draft(scene.here, command, ESCAPE, scale=known)
    for direction in DIRECTIONS:
        yield Draft(scene.here, direction, ESCAPE, scale=0.1)


def fight(scene: Scene) -> Iterator[Draft]:
    """Against whoever bars the way or attacks, with the best weapon."""
    arms = sorted((thing for thing in scene.held if is_weapon(thing)), key=weapon_rank)
    for foe in scene.foes:
        arms = sorted(arms, key=lambda arm: _vainly(scene, foe, arm))
        scale = _BARRED if foe.noun in scene.barring else _ATTACKED
        scale *= 1.0 if arms else _UNARMED
        yield Draft(scene.here, _attack(scene, foe, arms), "fight", foe.name, scale=scale)
    for room, foe in scene.lairs.items() if arms and not scene.wounds else ():
        yield Draft(room, _attack(scene, foe, arms), "fight", foe.name)


def flight(scene: Scene) -> Iterator[Draft]:
    """Away from a fight that is not worth it, and back to a weapon that was lost in one."""
    if not scene.foes:
        return
    for thing in scene.around:
        if "weapon" in thing.classes and thing.taken:
            yield Draft(scene.here, f"take {scene.called(thing)}", "prepare", scale=4)
    wounded = scene.wounds > 0
    unarmed = not any(is_weapon(thing) for thing in scene.held)
    if wounded or unarmed or any(foe.noun not in scene.barring for foe in scene.foes):
        for command, passage in scene.map.passages(scene.here).items():
            if scene.leads_back(scene.here, command):
                scale = _AWAY if passage.seen else 0.5
                yield Draft(scene.here, command, ESCAPE, scale=scale)


def best_weapons(scene: Scene) -> frozenset[str]:
    """The nouns of what is best to fight with among what is carried."""
    ranks = {thing.noun: weapon_rank(thing) for thing in scene.held}
    best = min(ranks.values(), default=0)
    return frozenset(noun for noun, rank in ranks.items() if rank == best)


def _vainly(scene: Scene, foe: GameObject, arm: GameObject) -> int:
    """How often something that need not be a weapon was useless, or has not helped, by threes."""
    if weapon_rank(arm) < NO_WEAPON:
        return 0
    attack = f"attack {scene.called(foe)} with {scene.called(arm)}"
    tried = scene.attempts.of(scene.here, attack)
    return tried.times - tried.worked + tried.worked // _IN_VAIN


def _attack(scene: Scene, foe: GameObject, arms: Sequence[GameObject]) -> str:
    attack = f"attack {scene.called(foe)}"
    return f"{attack} with {scene.called(arms[0])}" if arms else attack


def standing(scene: Scene) -> Iterator[Draft]:
    """What can always be done, any direction at all among it."""
    for command, kind in _STANDING:
        yield Draft(scene.here, command, kind)
    if not scene.attempts.rows_of("verbose") and not scene.foes:
        yield Draft(scene.here, "verbose", "look", scale=100, purpose=_VERBOSE)
    # For when the map is wrong or nothing else is left to do.
    for direction in DIRECTIONS:
        yield Draft(scene.here, direction, ESCAPE, scale=_ANY_WAY)


def confined(scene: Scene) -> Iterator[Draft]:
    """Where no way out is known: what one can do with nothing but oneself."""
    blocked, named = scene.map.blocked(scene.here), scene.map.mentioned(scene.here)
    ways = [*map(canonical, scene.map.passages(scene.here)), *named]
    if len(blocked) >= _SHUT_IN and blocked.keys() >= set(ways):
        for command in patterns.table("policy", __package__)["alone"]["commands"]:
            yield Draft(scene.here, command, "tinker", chance=_FROM_A_TRAP)


def validated(scene: Scene) -> Iterator[Draft]:
    """What the emulator says would change something here (access `actions`)."""
    held = {thing.noun for thing in scene.held}
    for command, (points, words) in scene.offered.items():
        action = parse(command)
        noun, kind = head_of(action.object), "offered"
        place = HELD if noun in held and not action.second else ""
        news = min(words + 2, _MOST_NEWS) / _NEWS
        if action.kind == "take":
            news = 1.0
        if points > 0:
            news = 1.0 + points
        elif action.direction:
            continue
        elif action.kind in _ORDINARY:
            kind = action.kind
        elif action.has("frees"):
            kind = "drop"
        yield Draft(scene.here, command, kind, noun, scale=news, place=place, odds=_VALID)


def treasures(scene: Scene) -> Iterator[Draft]:
    """Bring treasures to where a deposit scored, or to where one could expect it to score.

    One way serves for all of them.
    """
    carried = scene.treasures
    home = next(iter(scene.board.of("home")), None)
    if home:
        for thing in carried:
            command = home.subject.replace("{}", scene.called(thing))
            yield Draft(home.room, command, "deposit", thing.name, scale=len(carried))
        return
    for room, holder in _displays(scene) if carried else ():
        for thing in carried:
            if not scene.attempts.of(room, f"take {thing.noun}").worked:
                command = f"put {scene.called(thing)} in {holder}"
                yield Draft(room, command, "put", thing.name, scale=6)


def _displays(scene: Scene) -> Iterator[tuple[str, str]]:
    """Room and name of what looks made to show treasures in, wherever it was seen."""
    world, rooms = scene.world, scene.distances
    fit = [thing for thing in world.objects() if _displays_things(thing.name)]
    seen = [(world.location_of(thing.id), thing.name) for thing in fit]
    seen += [(room, name) for room in rooms for name in world.scenery(room)]
    for room, name in seen:
        if room in rooms and _displays_things(name):
            noun = head_of(name)
            absent = noun in scene.board.subjects("absent", room)
            if not (absent or _holds_in_vain(scene, room, noun)):
                yield room, noun


def _holds_in_vain(scene: Scene, room: str, noun: str) -> bool:
    """Something was put there, and it did not score."""
    return any(
        command.startswith("put ") and command.endswith(f" {noun}") and row.get("worked")
        for command, row in scene.attempts.at(room).items()
    )


@lru_cache(maxsize=2048)
def _displays_things(name: str) -> bool:
    return any("display" in classes(word) for word in name.split())
