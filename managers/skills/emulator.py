"""The emulator's word: commands that it has seen change something here (access `actions`)."""

from __future__ import annotations

from collections.abc import Iterator

from managers.core.option import Draft
from managers.core.scene import Scene
from managers.core.skill import Skill
from managers.language.actions import parse
from managers.language.lexicon import head_of
from managers.world.objects import INVENTORY

_VALID = 0.95
"""The chance that a command works that the emulator has tried."""
_NEWS, _MOST_NEWS = 10, 20
"""So many words of a reply that was not had before are news of the usual worth."""
_ORDINARY = frozenset({"take", "wear", "give", "consume", "wait"})
"""Kinds of actions that are known to work often, and are worth no more for that."""


class EmulatorSkill(Skill):
    """Offers what the emulator has tried; nothing where the graph does not allow that help."""

    def offer(self, scene: Scene) -> Iterator[Draft]:
        """Each command that would change something, the dearer the more it says or scores."""
        for command, (points, words) in scene.offered.items():
            action = parse(command)
            noun, kind = head_of(action.object), "offered"
            place = INVENTORY if noun in scene.held_nouns and not action.second else ""
            news = 1.0 if action.kind == "take" else min(words + 2, _MOST_NEWS) / _NEWS
            if points > 0:
                news = 1.0 + points
            elif action.direction:
                continue
            elif action.kind in _ORDINARY:
                kind = action.kind
            elif action.has("frees"):
                kind = "drop"
            draft = Draft(scene.here, command, kind, noun, scale=news, place=place)
            yield draft._replace(probability=_VALID, lasting=True)
