"""Prospects out of earlier episodes: the best trajectory step by step, and what scored."""

from __future__ import annotations

from collections.abc import Iterator

from managers.candidates.prospect import Prospect
from managers.candidates.scene import Scene
from managers.text.commands import parse_command

_PATH = "memory"
"""Where attempts at a trajectory's steps are remembered: it may ask for the same one again."""
_IN_TROUBLE = 0.1
_DRIVE = 2.0
"""How much more than usual the next step of the trajectory counts."""
_ASIDE = 0.3
"""What scored off the trajectory, compared with its next step."""


def remembered(scene: Scene) -> Iterator[Prospect]:
    """What earlier episodes would do now."""
    guide = scene.guide
    step = guide.next_step(scene.here, scene.distances)
    if step and scene.world.failed(step.command, step.room) is None:
        chance = _IN_TROUBLE if _in_trouble(scene, step.command) else 1.0
        yield Prospect(
            step.room, step.command, "remembered", scale=_DRIVE, chance=chance, place=_PATH
        )
    held = {thing.noun for thing in scene.held}
    for scored, needs in scene.past.scoring(guide):
        if held.issuperset(needs) and scene.world.failed(scored.command, scored.room) is None:
            noun = parse_command(scored.command).object
            yield Prospect(scored.room, scored.command, "remembered", noun, scale=_ASIDE)


def _in_trouble(scene: Scene, command: str) -> bool:
    """In the dark, or under attack: first things first."""
    attacked = any(thing.name in scene.leads.hostile for thing in scene.around)
    fights = parse_command(command).verb == "attack"
    return (scene.world.dark and not scene.lit) or (attacked and not fights)
