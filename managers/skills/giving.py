"""Giving: somebody has an eye on what one carries."""

from __future__ import annotations

from collections.abc import Iterator

from managers.core.option import Draft
from managers.core.scene import Scene
from managers.core.skill import Skill
from managers.language.lexicon import head_of
from managers.language.patterns import phrases
from managers.world.facts import Blackboard
from managers.world.transition import Transition

WANTED = "wanted"
"""Fact: the noun of what is carried and somebody wants; value: who."""
_MOST = 6
_WANTING = phrases(
    r"the (?P<who>[\w' -]{2,24}?) (?:\w+ )?(?:seen|sees|eyes|watches|wants|sniffs at|looks at"
    r"|stares at|admires|covets|notices) (?:at )?your (?P<thing>[\w'-]+)"
)
_WORTH, _LIKELIER = 2, 3
"""How much more than other gifts it is worth, and how much likelier it is taken."""


class GivingSkill(Skill):
    """Offers to give somebody what they have an eye on."""

    def notice(self, board: Blackboard, transition: Transition) -> Blackboard:
        """What is carried and somebody has an eye on: `The goat has seen your tin`."""
        found = [
            transition.fact(match["thing"].lower(), value=head_of(match["who"]), source=match[0])
            for match in _WANTING.finditer(transition.text)
            if match["thing"].lower() in transition.before.held_nouns
        ]
        return board.with_(WANTED, found, _MOST)

    def offer(self, scene: Scene) -> Iterator[Draft]:
        """To give it to them, where both are here."""
        here = {thing.noun for thing in scene.around}
        for one in scene.board.of(WANTED):
            thing, who = one.subject, one.value
            if thing in scene.held_nouns and who in here:
                draft = Draft(scene.here, f"give {thing} to {who}", "give", thing)
                yield draft._replace(scale=_WORTH, chance=_LIKELIER)
