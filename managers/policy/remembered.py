"""Options out of earlier episodes: the best trajectory step by step, and what scored."""

from __future__ import annotations

from collections.abc import Iterator

from managers.language.actions import parse
from managers.memory.trail import TrailStep, is_fight, needs
from managers.policy.needs import squeeze
from managers.policy.option import Draft
from managers.policy.scene import NO_WEAPON, Scene, weapon_rank

_ABSENCE = ("not_here", "unknown_word")
_PATH = "memory"
"""Where attempts at a trajectory's steps are remembered: it may ask for the same one again."""
_DRIVE = 2.0
"""How much more than usual the next step of the trajectory counts."""
_ASIDE = 0.3
"""What scored off the trajectory, compared with its next step."""


def remembered(scene: Scene) -> Iterator[Draft]:
    """What earlier episodes would do now: the next step of the trajectory, and what scored."""
    if not scene.guide.data:
        return
    step = scene.guide.next_step(scene.here, scene.distances)
    if step:
        step = _fetched(scene, step) or step
        before = _to_be_done_before(scene, step)
        if before:
            yield Draft(scene.here, before, "remembered", scale=_DRIVE, place=_PATH)
        elif _is_open(scene, step):
            yield Draft(step.room, step.command, "remembered", scale=_DRIVE, place=_PATH)
    for aside, tools in scene.guide.fruitful(scene.stance.past) if not scene.foes else ():
        # A fight is none for somebody hurt; a blow that hit is struck again.
        worked = scene.attempts.of(aside.room, aside.command).worked
        past = scene.wounds if is_fight(aside.command) else worked
        if not past and scene.held_nouns.issuperset(tools) and _is_open(scene, aside):
            noun = parse(aside.command).object
            yield Draft(aside.room, aside.command, "remembered", noun, scale=_ASIDE)


def _fetched(scene: Scene, step: TrailStep) -> TrailStep | None:
    """To fetch what the step is done with, or fought with better, where it was left behind."""
    lacking = [noun for noun in needs(step.command) if noun not in scene.held_nouns]
    fights, best = is_fight(step.command), min([NO_WEAPON, *map(weapon_rank, scene.held)])
    for thing in scene.world.objects() if lacking or fights else ():
        better = fights and thing.taken and weapon_rank(thing) < best
        if better or thing.noun in lacking:
            room = scene.world.location_of(thing.id)
            if room in scene.distances:
                return TrailStep(room, f"take {thing.noun}", 0)
    return None


def _to_be_done_before(scene: Scene, step: TrailStep) -> str | None:
    """What the game asked for before what comes next, or what is put down for a narrow way."""
    command = scene.routes.first(step.room) or step.command
    for request in scene.requests:
        blocked = (scene.here, command) in request.blocked and not request.done
        if blocked and scene.world.failed(request.command, scene.here) is None:
            return request.command
    if command in scene.board.subjects("narrow", scene.here):
        freed = (one.command for one in squeeze(scene) if one.room == scene.here)
        return next(freed, None)
    return None


def _is_open(scene: Scene, step: TrailStep) -> bool:
    """Nothing speaks against it as things are; a blow that misses is no failure."""
    if not scene.world.dark and scene.is_unlit(step.room, step.command):
        return False  # To be done in the dark, or leading there, without a light that lasts.
    if (step.room, step.command) in scene.worth_another_try:
        return True
    failed = scene.world.failed(step.command, step.room)
    return failed is None or (is_fight(step.command) and failed.reason not in _ABSENCE)
