"""Prospects out of earlier episodes: the best trajectory step by step, and what scored."""

from __future__ import annotations

from collections.abc import Iterator

from managers.candidates.prospect import Prospect
from managers.candidates.scene import Scene
from managers.memory.guide import Guide
from managers.memory.trail import Step
from managers.text.commands import parse_command

_PATH = "memory"
"""Where attempts at a trajectory's steps are remembered: it may ask for the same one again."""
_IN_TROUBLE = 0.1
_DRIVE = 2.0
"""How much more than usual the next step of the trajectory counts."""
_TO_THE_END = 3.0
"""How much more a fight counts that has begun."""
_ASIDE = 0.3
"""What scored off the trajectory, compared with its next step."""


def remembered(scene: Scene) -> Iterator[Prospect]:
    """What earlier episodes would do now."""
    guide, attacked = scene.guide, _is_attacked(scene)
    step = guide.next_step(scene.here, scene.distances)
    if step and _is_open(scene, step):
        fights = step.command.startswith("attack ")
        blind = scene.world.dark and not scene.lit
        yield Prospect(
            step.room,
            step.command,
            "remembered",
            scale=_DRIVE * (_TO_THE_END if attacked and fights else 1.0),
            chance=_IN_TROUBLE if blind or (attacked and not fights) else 1.0,
            place=_PATH,
        )
    if not attacked:
        yield from _asides(scene, guide)


def _asides(scene: Scene, guide: Guide) -> Iterator[Prospect]:
    """What scored elsewhere, as long as it has not failed here as things are."""
    held = {thing.noun for thing in scene.held}
    for scored, needs in scene.stance.past.scoring(guide):
        if held.issuperset(needs) and _is_open(scene, scored):
            noun = parse_command(scored.command).object
            yield Prospect(scored.room, scored.command, "remembered", noun, scale=_ASIDE)


def _is_open(scene: Scene, step: Step) -> bool:
    """Nothing speaks against it as things are; a blow that misses is no failure."""
    failed = scene.world.failed(step.command, step.room)
    return failed is None or step.command.startswith("attack ")


def _is_attacked(scene: Scene) -> bool:
    return any(thing.name in scene.leads.hostile for thing in scene.around)
