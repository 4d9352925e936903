"""Plans: the next step towards each objective, and what serving one is worth."""

from __future__ import annotations

import math
from collections.abc import Iterator

from managers.core.option import Draft
from managers.core.scene import Scene
from managers.core.skill import Skill
from managers.core.value import reward
from managers.language.actions import parse
from managers.language.lexicon import head_of
from managers.world.hypotheses import SUPPOSED
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
"""Verb of a step -> kind of the option."""
_SCALE = 1.5
_MOST_HOPE = 1.5
_SERVING = 8.0
"""What serving an objective of priority 10 adds to the worth of an action, in points."""
_COMMITMENT = 1.25
"""How much more than others the agent's own plans count, so that it follows them."""


class PlansSkill(Skill):
    """Offers the next step of every objective's plan; more for whatever serves an objective."""

    def __init__(self, *, chaining: bool = True) -> None:
        """Plans with these options.

        Args:
            chaining: Steps of plans are offered; else objectives only say where to go.
        """
        self._chaining = chaining

    def offer(self, scene: Scene) -> Iterator[Draft]:
        """What to do next for each objective that has a plan, wherever that is."""
        for objective in scene.pursued.values() if self._chaining else ():
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

    def weighs(self, scene: Scene) -> bool:
        """There are objectives."""
        return bool(scene.pursued)

    def weigh(self, scene: Scene, draft: Draft) -> float:
        """More for what serves an objective, by its priority."""
        objective = scene.served(draft)
        worth = reward(scene, draft) if objective else 0.0
        if objective is None or not worth:
            return 1.0
        own = _COMMITMENT if objective.source == "agent" else 1.0
        return (worth + own * _SERVING * objective.priority / 10) / worth
