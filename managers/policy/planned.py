"""Options that carry out plans: the next step of each objective's plan, and hypotheses to test."""

from __future__ import annotations

import math
from collections.abc import Iterator

from managers.language.actions import parse
from managers.language.lexicon import head_of
from managers.policy.option import Draft
from managers.policy.scene import Scene
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
        deeds = [step for step in objective.plan if step.command]
        if not deeds:
            continue
        step, action = deeds[0], parse(deeds[0].command)
        if action.verb not in _KINDS or scene.undoes(step.command, step.room):
            continue
        held = not step.room and head_of(action.object) in scene.held_nouns
        # How much likelier than a mere supposition the hypotheses are that the plan rests on.
        hope = math.prod(one.confidence / SUPPOSED for one in objective.plan if one.hypothesis)
        yield Draft(
            step.room or scene.here,
            step.command,
            _KINDS[action.verb],
            action.object,
            scale=_SCALE,
            chance=min(hope, _MOST_HOPE),
            purpose=f"{objective.text}: {' - '.join(one.command for one in deeds)}",
            probability=step.confidence if step.hypothesis else 0.0,
            objective=objective.id,
            place=INVENTORY if held else "",
        )


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
            names = map(scene.called, (trouble, helper))
            command = HELP[idea.predicate].command.format(*names)
            purpose = f"see whether the {helper.name} {idea.predicate} the {trouble.name}"
            test = Draft(room, command, "unlock", trouble.name, purpose=purpose)
            yield test._replace(scale=_OPENS_SOMETHING, probability=idea.confidence)
