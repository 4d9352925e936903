"""The story's own grammar: verbs of its dictionary beside the usual ones (access `words`)."""

from __future__ import annotations

from collections.abc import Iterator

from managers.core.option import Draft
from managers.core.scene import Scene
from managers.core.skill import Skill
from managers.language.lexicon import words_of
from managers.world.facts import Blackboard, is_about
from managers.world.objects import INVENTORY
from managers.world.transition import Transition

COMMAND = "command"
"""Fact: a form of command, `polish {}`; value: whether the text has spoken of it."""
_MOST = 80
_SPOKEN = "spoken"
_LIKELIER = 5.0
"""How much likelier it is to work what the text has spoken of."""
_ALONE = 0.5
"""How likely it is that a word alone does something here."""
_SURELY_THERE = 0.9


class GrammarSkill(Skill):
    """Offers the story's own verbs with what is surely there."""

    def notice(self, board: Blackboard, transition: Transition) -> Blackboard:
        """What the grammar allows beside the usual, and whether the text has spoken of it.

        A banner speaks of a release, and the reply to a verb of this verb: neither says anything.
        """
        words, command = transition.observation.words, transition.command
        if words is None:
            return board
        board = board.with_(COMMAND, map(transition.fact, words.commands), _MOST)
        said = set(words_of(transition.text)) - {command.partition(" ")[0]} if command else set()
        silent = (one.subject for one in board.of(COMMAND) if not one.value)
        spoken = [one for one in silent if one.split()[0] in said]
        board = board.without(COMMAND, is_about(*spoken))
        new = [transition.fact(one, value=_SPOKEN) for one in spoken]
        return board.with_(COMMAND, new, _MOST)

    def offer(self, scene: Scene) -> Iterator[Draft]:
        """Every such command with the things that fit it, most of all what was spoken of."""
        for fact in scene.board.of(COMMAND):
            chance = _LIKELIER if fact.value == _SPOKEN else 1.0
            if "{" not in fact.subject:
                yield Draft(scene.here, fact.subject, "unusual", chance=chance * _ALONE)
                continue
            living = "{somebody}" in fact.subject
            for thing in (*scene.around, *scene.held):
                fits = not living or thing.name in scene.knowledge.living
                if fits and thing.id and thing.confidence >= _SURELY_THERE:
                    name = scene.called(thing)
                    command = fact.subject.format(name, somebody=name)
                    place = INVENTORY if thing in scene.held else ""
                    draft = Draft(scene.here, command, "unusual", thing.name, chance=chance)
                    yield draft._replace(place=place)
