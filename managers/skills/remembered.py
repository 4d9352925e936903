"""Remembered: what earlier episodes found, step by step, and what they tried in vain."""

from __future__ import annotations

from collections.abc import Iterator

from managers.core.option import OF_MEMORY, Draft
from managers.core.scene import Scene
from managers.core.skill import Skill
from managers.language.actions import canonical, parse, table
from managers.world.objects import INVENTORY, NO_WEAPON, weapon_rank
from managers.world.trail import TrailStep, is_fight, needs

_ABSENCE = ("not_here", "unknown_word")
_PATH = "memory"
"""Where attempts at a trajectory's steps are remembered: it may ask for the same one again."""
_DRIVE = 2.0
"""How much more than usual the next step of the trajectory counts."""


class RememberedSkill(Skill):
    """Follows the best trajectory of earlier episodes, and does what scored off it."""

    def offer(self, scene: Scene) -> Iterator[Draft]:
        """What earlier episodes would do now."""
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
        for aside, tools in scene.guide.fruitful(scene.stance.past):
            # A blow that hit is struck again.
            worked = scene.attempts.of(aside.room, aside.command).worked
            past = worked and not is_fight(aside.command)
            if not past and scene.held_nouns.issuperset(tools) and _is_open(scene, aside):
                noun = parse(aside.command).object
                yield Draft(aside.room, aside.command, "aside", noun)

    def weighs(self, scene: Scene) -> bool:
        """There were earlier episodes."""
        return bool(scene.stance.past)

    def weigh(self, scene: Scene, draft: Draft) -> float:
        """Less for what earlier episodes tried there in vain."""
        if table().kinds[draft.kind].again or draft.kind in OF_MEMORY:
            return 1.0
        place = INVENTORY if draft.place == INVENTORY else scene.guide.key(draft.room)
        return scene.stance.past.freshness(place, canonical(draft.command))


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


def _to_be_done_before(scene: Scene, step: TrailStep) -> str:
    """What has to come before what comes next here; empty for nothing."""
    command = scene.routes.first(step.room) or step.command
    return scene.obstacle(scene.here, command).first


def _is_open(scene: Scene, step: TrailStep) -> bool:
    """Nothing speaks against it as things are; a blow that misses is no failure."""
    if scene.obstacle(step.room, step.command).gone:
        return True
    failed = scene.world.failed(step.command, step.room)
    return failed is None or (is_fight(step.command) and failed.reason not in _ABSENCE)
