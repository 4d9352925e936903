"""First steps of plans that the world model makes backwards from what is locked."""

from __future__ import annotations

from collections.abc import Iterator

from managers.candidates.prospect import Prospect
from managers.candidates.scene import Scene
from managers.text.commands import parse_command
from managers.world import Plan, backward_chain

_MOST = 6
"""How many locked things are planned for."""
_KINDS = {"take": "fetch", "unlock": "unlock", "open": "open", "attack": "fight", "light": "light"}
_SCALE = 1.5


def planned(scene: Scene) -> Iterator[Prospect]:
    """The first step towards opening each thing known to be locked, wherever it is."""
    if not scene.stance.faculties.chaining:
        return
    locked = [thing for thing in scene.world.objects() if thing.is_("locked")]
    for thing in locked[:_MOST]:
        plan = backward_chain(f"open {thing.id}", scene.world)
        kind = _KINDS.get(parse_command(plan[0].command).verb) if plan else None
        if kind is not None:
            yield Prospect(
                plan[0].room or scene.here,
                plan[0].command,
                kind,
                thing.name,
                scale=_SCALE,
                chance=_rest(plan),
                purpose=f"open {thing.name}: {' - '.join(step.command for step in plan)}",
            )


def _rest(plan: Plan) -> float:
    """How likely the ideas are that the plan rests on; the chances of actions are learned."""
    chance = 1.0
    for step in plan:
        if step.hypothesis:
            chance *= step.confidence
    return chance
