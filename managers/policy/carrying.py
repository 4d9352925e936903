"""Options of carrying: treasures to where they score, and what is put down on the way."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from managers.language.actions import classes
from managers.language.lexicon import head_of
from managers.learning.noticing.carrying import least_useful
from managers.policy.option import Draft
from managers.policy.scene import Scene
from managers.world.attempts import HELD

_WITH_TREASURE, _WITHOUT = 1.5, 0.3
"""How much a way is worth for which nearly everything has to be left behind."""
_PUT_DOWN = 0.95
"""How likely what is carried can be put down."""


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


def burden(scene: Scene) -> Iterator[Draft]:
    """Drop what is least useful when nothing more can be carried; then take what was left."""
    if not scene.board.of("overloaded"):
        for room, noun in scene.left_behind:
            yield Draft(room, f"take {noun}", "retry", noun)
        return
    precious = [thing.noun for thing in scene.treasures]
    worst = least_useful([thing.noun for thing in scene.held], precious)
    for thing in scene.held:
        if thing.noun == worst:
            command = f"drop {scene.called(thing)}"
            yield Draft(
                scene.here, command, "drop", thing.name, scale=12, place=HELD, odds=_PUT_DOWN
            )


def squeeze(scene: Scene) -> Iterator[Draft]:
    """Through a way too narrow for what is carried: put down all but a light and treasures."""
    for room, way in scene.narrow:
        lights = [thing for thing in scene.held if "light-source" in thing.classes][:1]
        kept = [*lights, *scene.treasures[:1]]
        spare = [thing for thing in scene.held if thing not in kept]
        if len(kept) == len(lights) and any(
            foe.noun in scene.barring for foe in scene.lairs.values()
        ):
            spare = [thing for thing in spare if "weapon" not in thing.classes]
        scale = _WITH_TREASURE if len(kept) > len(lights) else _WITHOUT
        if room != scene.here or not spare:
            yield Draft(room, way, "squeeze", scale=scale)
        else:
            command = f"drop {scene.called(spare[0])}"
            yield Draft(room, command, "squeeze", scale=2 * scale, place=HELD, odds=_PUT_DOWN)


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
