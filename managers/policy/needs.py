"""Options that the situation itself calls for: a light, a fight, a way out, less to carry."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from managers.language import patterns
from managers.language.actions import DIRECTIONS, canonical, classes, parse
from managers.language.lexicon import head_of
from managers.policy.option import ESCAPE, Draft, discount
from managers.policy.scene import LOADS, NO_WEAPON, USEFUL, Scene, weapon_rank
from managers.world.objects import INVENTORY, GameObject

_SHUT_IN = 4
"""So many ways are refused to somebody who may be shut in."""
_FROM_A_TRAP = 3.0
"""How much likelier it helps to do such a thing where one has to get out."""
_ANY_WAY = 0.01
_VERBOSE = "have every room described on every visit"
_IN_TIME = "be where one sees before the light is out"
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
_BETTER, _OTHER = 2.0, 0.5
"""How much it is worth to put something down for something precious, and for another thing."""
_WITH_TREASURE, _WITHOUT = 1.5, 0.3
"""How much a way is worth for which nearly everything has to be left behind."""
_PUT_DOWN = 0.95
"""How likely what is carried can be put down."""


def light(scene: Scene) -> Iterator[Draft]:
    """In the dark a light, or the way back; with one that fails to the nearest bright room."""
    if not scene.world.dark:
        bright = scene.distances.keys() - scene.never_bright if scene.here in scene.unlit else ()
        nearest = min(bright, key=scene.distances.__getitem__, default="")
        if nearest:
            yield Draft(nearest, "look", ESCAPE, purpose=_IN_TIME)
        return
    for lamp in scene.lights:
        for command in (f"turn on {scene.called(lamp)}", f"light {scene.called(lamp)}"):
            yield Draft(scene.here, command, "light", lamp.name, scale=3)
    for command, passage in scene.map.ways(scene.here).passages.items():
        known = _BRIGHT if passage.to not in scene.never_bright else 0.5
        yield Draft(scene.here, command, ESCAPE, scale=known)
    for direction in DIRECTIONS:
        yield Draft(scene.here, direction, ESCAPE, scale=0.1)


def fight(scene: Scene) -> Iterator[Draft]:
    """Against whoever bars the way or attacks, with the best weapon."""
    arms = scene.arms
    for foe in scene.foes:
        arms = sorted(arms, key=lambda arm: _vainly(scene, foe, arm))
        scale = _BARRED if foe.noun in scene.barring else _ATTACKED
        scale *= 1.0 if arms else _UNARMED
        yield Draft(scene.here, _attack(scene, foe, arms), "fight", foe.name, scale=scale)
    for room, foe in scene.lairs.items() if arms and not scene.wounds else ():
        yield Draft(room, _attack(scene, foe, arms), "fight", foe.name)


def flight(scene: Scene) -> Iterator[Draft]:
    """Away from a fight that is not worth it."""
    attacked = any(foe.noun not in scene.barring for foe in scene.foes)
    if scene.foes and (scene.wounds or not scene.arms or attacked):
        for command, passage in scene.map.ways(scene.here).passages.items():
            if scene.leads_back(scene.here, command):
                scale = _AWAY if passage.seen else 0.5
                yield Draft(scene.here, command, ESCAPE, scale=scale)


def _vainly(scene: Scene, foe: GameObject, arm: GameObject) -> int:
    """How often something that need not be a weapon was useless, or has not helped, by threes."""
    if weapon_rank(arm) < NO_WEAPON:
        return 0
    tried = scene.attempts.of(scene.here, _attack(scene, foe, [arm]))
    return tried.times - tried.worked + tried.worked // _IN_VAIN


def _attack(scene: Scene, foe: GameObject, arms: Sequence[GameObject]) -> str:
    attack = f"attack {scene.called(foe)}"
    return f"{attack} with {scene.called(arms[0])}" if arms else attack


def standing(scene: Scene) -> Iterator[Draft]:
    """What can always be done, any direction at all among it."""
    for command in ("look", "inventory", "wait"):
        yield Draft(scene.here, command, kind=command)
    if not scene.attempts.rows_of("verbose") and not scene.foes:
        yield Draft(scene.here, "verbose", "look", scale=100, purpose=_VERBOSE)
    # For when the map is wrong or nothing else is left to do.
    for direction in DIRECTIONS:
        yield Draft(scene.here, direction, ESCAPE, scale=_ANY_WAY)


def confined(scene: Scene) -> Iterator[Draft]:
    """Where no way out is known: what one can do with nothing but oneself."""
    blocked, named = scene.attempts.blocked(scene.here), scene.map.ways(scene.here).mentioned
    ways = [*map(canonical, scene.map.ways(scene.here).passages), *named]
    if len(blocked) >= _SHUT_IN and blocked.keys() >= set(ways):
        for command in patterns.read_table("policy", __package__)["alone"]["commands"]:
            yield Draft(scene.here, command, "tinker", chance=_FROM_A_TRAP)


def validated(scene: Scene) -> Iterator[Draft]:
    """What the emulator says would change something here (access `actions`)."""
    for command, (points, words) in scene.offered.items():
        action = parse(command)
        noun, kind = head_of(action.object), "offered"
        place = INVENTORY if noun in scene.held_nouns and not action.second else ""
        news = 1.0 if action.kind == "take" else min(words + 2, _MOST_NEWS) / _NEWS
        if points > 0:
            news = 1.0 + points
        elif action.direction:
            continue
        elif action.kind in _ORDINARY:
            kind = action.kind
        elif action.has("frees"):
            kind = "drop"
        yield Draft(scene.here, command, kind, noun, scale=news, place=place, probability=_VALID)


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
    for room, holder in scene.seen if carried else ():
        if not any("display" in classes(word) for word in holder.name.split()):
            continue
        # Something was put there, and it did not score.
        rows, ending = scene.attempts.at(room), f" {holder.noun}"
        put = [rows[one] for one in rows if one.startswith("put ") and one.endswith(ending)]
        if any(row.get("worked") for row in put):
            continue
        for thing in carried:
            if not scene.attempts.of(room, f"take {thing.noun}").worked:
                command = f"put {scene.called(thing)} in {holder.noun}"
                yield Draft(room, command, "put", thing.name, scale=6)


def make_room(scene: Scene) -> Iterator[Draft]:
    """Put down what is of least use for what was too much to be carried, and take that then."""
    around = {thing.noun: thing for thing in scene.around if not thing.taken}
    for failure in scene.attempts.failures_at(scene.here, *LOADS):
        action = parse(failure.command)
        thing = around.get(head_of(action.object)) if action.verb == "take" else None
        if thing is None:
            continue
        precious = scene.knowledge.is_precious(thing)
        scale = _BETTER if precious else _OTHER
        if scene.is_lighter(failure.command, scene.here):
            yield Draft(scene.here, failure.command, "retry", thing.name, scale=scale)
        elif spare := _of_least_use(scene, useful=precious):
            command, purpose = f"drop {scene.called(spare)}", f"be able to take the {thing.name}"
            yield Draft(
                scene.here, command, "prepare", scale=scale, place=INVENTORY, purpose=purpose
            )


def _of_least_use(scene: Scene, *, useful: bool) -> GameObject | None:
    """What can be spared most easily, no light or treasure; something useful only if told so."""
    discarded = scene.board.subjects("discarded")

    def use(thing: GameObject) -> tuple[bool, bool, bool]:
        return bool(thing.classes & USEFUL), thing.noun not in discarded, not thing.has("readable")

    spare = _all_but(scene, (*scene.lights, *scene.treasures))
    return min((one for one in spare if useful or not one.classes & USEFUL), key=use, default=None)


def _all_but(scene: Scene, kept: Sequence[GameObject]) -> list[GameObject]:
    """What is carried and not worn, without what is kept."""
    return [thing for thing in scene.held if thing not in kept and not thing.is_("worn")]


def squeeze(scene: Scene) -> Iterator[Draft]:
    """Through a way too narrow for what is carried: with a light and one treasure or weapon."""
    barred = any(foe.noun in scene.barring for foe in scene.lairs.values())
    for shut in scene.board.of("narrow"):
        room, way = shut.room, shut.subject
        besides = (*scene.treasures, *(scene.arms if barred else ()))[:1]
        spare = _all_but(scene, (*scene.lights[:1], *besides))
        miscounted = not spare and _is_counted_wrong(scene, way)
        if not spare and not miscounted and shut.turn > scene.unburdened:
            spare = [*besides]  # It was refused all the same.
        scale = _WITH_TREASURE if scene.treasures else _WITHOUT
        scale *= discount(len(spare))  # What has to be put down first is a part of the way.
        if room != scene.here or not spare:
            yield Draft(room, way, "squeeze", scale=scale)
        if room == scene.here and (spare or miscounted):
            command = f"drop {scene.called(spare[0])}" if spare else "inventory"
            yield Draft(
                room, command, "squeeze", scale=2 * scale, place=INVENTORY, probability=_PUT_DOWN
            )


def _is_counted_wrong(scene: Scene, way: str) -> bool:
    """A way was too narrow for what seems to be little, and nobody has looked since."""
    failure = scene.attempts.failure(scene.here, way)
    if failure is None or scene.is_lighter(way, scene.here):
        return False
    looks = (row.get("turn", 0) for row in scene.attempts.rows_of("inventory"))
    return max(looks, default=0) < failure.turn
