"""Prospects out of earlier episodes: the best trajectory step by step, and what scored."""

from __future__ import annotations

from collections.abc import Iterator

from managers.candidates.prospect import Prospect
from managers.candidates.scene import Scene
from managers.guide import Guide
from managers.text.commands import parse_command

_PATH = "memory"
"""Where attempts at a trajectory's steps are remembered: it may ask for the same one again."""
_AFTER_SETBACK = 0.15
_IN_TROUBLE = 0.1
_ASIDE = 0.3
"""What scored off the trajectory, compared with its next step."""


def remembered(scene: Scene) -> Iterator[Prospect]:
    """What earlier episodes would do now."""
    guide = Guide(scene.dynamics.data.get("memory", {}))
    step = guide.next_step(scene.here, scene.distances)
    if step:
        chance = _AFTER_SETBACK**guide.setbacks
        if _in_trouble(scene, step.command):
            chance *= _IN_TROUBLE
        yield Prospect(step.room, step.command, "remembered", chance=chance, place=_PATH)
    held = {thing.noun for thing in scene.held}
    for scored, needs in guide.scoring():
        if held.issuperset(needs):
            noun = parse_command(scored.command).object
            yield Prospect(scored.room, scored.command, "remembered", noun, scale=_ASIDE)


def _in_trouble(scene: Scene, command: str) -> bool:
    """In the dark, or under attack: first things first."""
    attacked = any(thing.name in scene.leads.hostile for thing in scene.around)
    fights = parse_command(command).verb == "attack"
    return (scene.world.dark and not scene.lit) or (attacked and not fights)
