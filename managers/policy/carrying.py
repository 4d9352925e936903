"""Options about what is carried: room for what is better, and through narrow ways with less."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from managers.language.actions import parse
from managers.language.lexicon import head_of
from managers.policy.option import Draft
from managers.policy.scene import LOADS, USEFUL, Scene, is_weapon, weapon_rank
from managers.world.attempts import HELD
from managers.world.objects import GameObject

_BETTER, _OTHER = 2.0, 0.5
"""How much it is worth to put something down for something precious, and for another thing."""
_WITH_TREASURE, _WITHOUT = 1.5, 0.3
"""How much a way is worth for which nearly everything has to be left behind."""
_PUT_DOWN = 0.95
"""How likely what is carried can be put down."""


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
            yield Draft(scene.here, command, "prepare", scale=scale, place=HELD, purpose=purpose)


def _of_least_use(scene: Scene, *, useful: bool) -> GameObject | None:
    """What can be spared most easily, no light or treasure; something useful only if told so."""
    discarded = scene.board.subjects("discarded")

    def use(thing: GameObject) -> tuple[bool, bool, bool]:
        return bool(thing.classes & USEFUL), thing.noun not in discarded, not thing.has("readable")

    spare = _all_but(scene, (*_lights(scene), *scene.treasures))
    return min((one for one in spare if useful or not one.classes & USEFUL), key=use, default=None)


def _lights(scene: Scene) -> list[GameObject]:
    return [thing for thing in scene.held if "light-source" in thing.classes]


def _all_but(scene: Scene, kept: Sequence[GameObject]) -> list[GameObject]:
    """What is carried and not worn, without what is kept."""
    return [thing for thing in scene.held if thing not in kept and not thing.is_("worn")]


def squeeze(scene: Scene) -> Iterator[Draft]:
    """Through a way too narrow for what is carried: with a light and one treasure or weapon."""
    for shut in scene.board.of("narrow"):
        room, way = shut.room, shut.subject
        besides = (scene.treasures or _arms(scene))[:1]
        spare = _all_but(scene, (*_lights(scene)[:1], *besides))
        scale = _WITH_TREASURE if scene.treasures else _WITHOUT
        miscounted = not spare and _is_counted_wrong(scene, way)
        if not spare and not miscounted and shut.turn > scene.unburdened:
            spare = list(besides)  # It was refused all the same.
        if room != scene.here or not spare:
            yield Draft(room, way, "squeeze", scale=scale)
        if room == scene.here and (spare or miscounted):
            command = f"drop {scene.called(spare[0])}" if spare else "inventory"
            yield Draft(room, command, "squeeze", scale=2 * scale, place=HELD, odds=_PUT_DOWN)


def _arms(scene: Scene) -> list[GameObject]:
    """The weapons that are carried while somebody bars a way, the best first."""
    barred = any(foe.noun in scene.barring for foe in scene.lairs.values())
    arms = [thing for thing in scene.held if is_weapon(thing)] if barred else []
    return sorted(arms, key=weapon_rank)


def _is_counted_wrong(scene: Scene, way: str) -> bool:
    """A way was too narrow for what seems to be little, and nobody has looked since."""
    failure = scene.attempts.failure(scene.here, way)
    if failure is None or scene.is_lighter(way, scene.here):
        return False
    looks = (row.get("turn", 0) for row in scene.attempts.rows_of("inventory"))
    return max(looks, default=0) < failure.turn
