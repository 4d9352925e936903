"""Prospects that the text or a change suggests: what it speaks of doing, what failed before."""

from __future__ import annotations

from collections.abc import Iterator

from managers.candidates.prospect import HELD, Prospect
from managers.candidates.scene import Scene
from managers.text.commands import parse_command
from managers.text.cues import Cue
from managers.world import GameObject

_WITH_TOOL = 1.5
"""How much more it is worth with what the text was about when it spoke of it."""
_OVERCOME = frozenset({"locked", "closed", "not_held"})
"""Reasons for a failure that an action may have removed."""
_TELLING = frozenset({"examine", "look"})


def cued(scene: Scene) -> Iterator[Prospect]:
    """What the text has spoken of doing with things that are at hand."""
    here = {thing.noun: thing for thing in (*scene.around, *scene.held)}
    tools = {thing.noun: thing for thing in scene.held if not thing.has("readable")}
    for cue, about in scene.leads.cues:
        thing, tool = here.get(cue.noun), tools.get(about)
        if thing is None or (cue.second and cue.second not in here):
            continue
        if tool is not None and tool is not thing and not cue.second:
            command = f"{cue.verb} {scene.called(thing)} with {scene.called(tool)}"
            yield Prospect(scene.here, command, "cue", thing.name, scale=_WITH_TOOL)
        second = here[cue.second] if cue.second else None
        place = HELD if thing in scene.held and second is None else ""
        yield Prospect(scene.here, _said(scene, cue, thing, second), "cue", thing.name, place=place)


def _said(scene: Scene, cue: Cue, thing: GameObject, second: GameObject | None) -> str:
    command = f"{cue.verb} {scene.called(thing)}"
    return command if second is None else f"{command} {cue.preposition} {scene.called(second)}"


def overcome(scene: Scene) -> Iterator[Prospect]:
    """What failed here before an action has changed what it failed for."""
    changed = scene.leads.changed(scene.here)
    for failure in scene.world.failures_at(scene.here):
        tells = parse_command(failure.command).verb in _TELLING
        again = scene.dynamics.tried(scene.here, failure.command).turn > failure.turn
        if failure.reason not in _OVERCOME or failure.turn >= changed or tells or again:
            continue
        if scene.changed_since_failure(failure.command, scene.here):
            yield Prospect(scene.here, failure.command, "retry")
