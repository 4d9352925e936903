"""Hypotheses: what may open what has refused is put to the test."""

from __future__ import annotations

from collections.abc import Iterator

from managers.core.option import Draft
from managers.core.scene import Scene
from managers.core.skill import Skill
from managers.world.hypotheses import HELP
from managers.world.objects import INVENTORY

_OPENS_SOMETHING = 2.0
"""How much more it is worth to open what has refused than what merely can be opened."""


class HypothesesSkill(Skill):
    """Offers to test each hypothesis of what unlocks or opens a thing."""

    def offer(self, scene: Scene) -> Iterator[Draft]:
        """The tests for which one carries what it takes, wherever the thing is."""
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
