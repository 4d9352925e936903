"""The next steps of the objectives' plans."""

from __future__ import annotations

from collections.abc import Iterator

from managers.candidates.prospect import HELD, Prospect
from managers.candidates.scene import Scene
from managers.objectives import Objective
from managers.text.commands import parse_command
from managers.text.lexicon import head_of
from managers.world import SUPPOSED, PlanStep

_KINDS = {
    "take": "fetch",
    "unlock": "unlock",
    "open": "open",
    "attack": "fight",
    "light": "light",
    "put": "put",
    "stand": "prepare",
    "leave": "prepare",
}
_SCALE = 1.5
_MOST_HOPE = 1.5


def planned(scene: Scene) -> Iterator[Prospect]:
    """What to do next for each objective that has a plan, wherever that is."""
    for objective in scene.services.planned:
        step = next((step for step in objective.plan if step.command), None)
        kind = _KINDS.get(parse_command(step.command).verb) if step else None
        if step is not None and kind is not None and not _undoes(scene, step):
            yield _next(scene, objective, step, kind)
        elif step is None and scene.lit:
            yield from _look_into_the_dark(scene, objective)


def _look_into_the_dark(scene: Scene, objective: Objective) -> Iterator[Prospect]:
    """With a light in hand, go and see what the dark has hidden."""
    room = objective.plan[-1].room
    if room in scene.dark_rooms and room != scene.here:
        purpose = f"{objective.text}: see it in the light"
        yield Prospect(room, "look", "exit", purpose=purpose, objective=objective.id)


def _undoes(scene: Scene, step: PlanStep) -> bool:
    """It would take a treasure from where it belongs."""
    parts, home = parse_command(step.command), scene.leads.home
    if parts.verb != "take" or head_of(parts.object) not in scene.leads.deposited:
        return False
    return home is None or step.room in ("", home[0])


def _next(scene: Scene, objective: Objective, step: PlanStep, kind: str) -> Prospect:
    commands = [one.command for one in objective.plan if one.command]
    noun = head_of(parse_command(step.command).object)
    held = not step.room and any(thing.noun == noun for thing in scene.held)
    return Prospect(
        step.room or scene.here,
        step.command,
        kind,
        parse_command(step.command).object,
        scale=_SCALE,
        chance=_rest(objective),
        purpose=f"{objective.text}: {' - '.join(commands)}",
        odds=step.confidence if step.hypothesis else 0.0,
        objective=objective.id,
        place=HELD if held else "",
    )


def _rest(objective: Objective) -> float:
    """How much likelier than a mere supposition the ideas are that the plan rests on."""
    chance = 1.0
    for step in objective.plan:
        if step.hypothesis:
            chance *= step.confidence / SUPPOSED
    return min(chance, _MOST_HOPE)
