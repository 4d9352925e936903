"""Options that carry out plans: the next step of each objective's plan, and hypotheses to test."""

from __future__ import annotations

from collections.abc import Iterator

from managers.language.actions import parse
from managers.language.lexicon import head_of
from managers.planning.objectives import Objective
from managers.planning.world_model import PlanStep
from managers.policy.option import Draft
from managers.policy.scene import Scene
from managers.world.attempts import HELD
from managers.world.hypotheses import HELP, SUPPOSED
from managers.world.objects import INVENTORY

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
_OPENS_SOMETHING = 2.0
"""How much more it is worth to open what has refused than what merely can be opened."""


def next_steps(scene: Scene) -> Iterator[Draft]:
    """What to do next for each objective that has a plan, wherever that is."""
    for objective in scene.pursued.values():
        step = next((step for step in objective.plan if step.command), None)
        kind = _KINDS.get(parse(step.command).verb) if step else None
        if step is not None and kind is not None and not scene.undoes(step.command, step.room):
            yield _next(scene, objective, step, kind)


def _next(scene: Scene, objective: Objective, step: PlanStep, kind: str) -> Draft:
    commands = [one.command for one in objective.plan if one.command]
    noun = head_of(parse(step.command).object)
    held = not step.room and any(thing.noun == noun for thing in scene.held)
    return Draft(
        step.room or scene.here,
        step.command,
        kind,
        parse(step.command).object,
        scale=_SCALE,
        chance=_rest(objective),
        purpose=f"{objective.text}: {' - '.join(commands)}",
        odds=step.confidence if step.hypothesis else 0.0,
        objective=objective.id,
        place=HELD if held else "",
    )


def _rest(objective: Objective) -> float:
    """How much likelier than a mere supposition the hypotheses are that the plan rests on."""
    chance = 1.0
    for step in objective.plan:
        if step.hypothesis:
            chance *= step.confidence / SUPPOSED
    return min(chance, _MOST_HOPE)


def tests(scene: Scene) -> Iterator[Draft]:
    """Test what may open something that has refused, with what is carried and wherever it is."""
    for idea in scene.world.hypotheses():
        helper, trouble = map(scene.world.resolve, (idea.subject, idea.object))
        settled = idea.tested or idea.disproven or idea.predicate not in ("unlocks", "opens")
        if settled or helper is None or trouble is None:
            continue
        room = scene.world.location_of(trouble.id)
        room = scene.here if room == INVENTORY else room
        if helper in scene.held and room in scene.distances:
            command = HELP[idea.predicate].command.format(
                scene.called(trouble), scene.called(helper)
            )
            yield Draft(
                room,
                command,
                "unlock",
                trouble.name,
                scale=_OPENS_SOMETHING,
                purpose=f"see whether the {helper.name} {idea.predicate} the {trouble.name}",
                odds=idea.confidence,
            )
