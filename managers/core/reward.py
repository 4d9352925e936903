"""The reward: what the game itself shows of what one turn brought."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from managers.belief.beliefs import AgentBeliefs
from managers.planning.objectives import Objective
from managers.planning.progress import check_objective_completion
from managers.world.objects import SUPPOSED
from managers.world.transition import Transition

_DEATH = -5.0
"""What a death is worth, in points of score."""


class Reward(NamedTuple):
    """What the game itself shows of what one turn brought; nobody's opinion of it."""

    scored: int = 0
    gain: float = 0.0
    """With what is not counted as points, see `Transition.gain`."""
    room: str = ""
    """The room seen for the first time."""
    items: tuple[str, ...] = ()
    """What has come into the hand for the first time; what a list merely names was there before."""
    took: bool = False
    """The command was to take it."""
    objectives: tuple[str, ...] = ()
    """The texts of those that are done now."""
    unblocked: str = ""
    """`command in place` that works now and was blocked before."""
    died: bool = False

    @property
    def helped(self) -> bool:
        """Whether the command brought anything, death apart."""
        return not self.died and bool(self.said)

    @property
    def points(self) -> float:
        """What it is worth, in points of score."""
        return _DEATH if self.died else max(0.0, self.gain)

    @property
    def said(self) -> str:
        """The best of it in words; empty for nothing."""
        if self.scored > 0:
            return f"scored {self.scored}"
        if self.objectives:
            return self.objectives[0]
        if self.unblocked:
            return f"got past what blocked `{self.unblocked}`"
        if self.items:
            return f"{'took' if self.took else 'got'} the {', '.join(self.items)}"
        return f"found {self.room}" if self.room else ""


def reward_of(
    transition: Transition, objectives: Sequence[Objective], beliefs: AgentBeliefs
) -> Reward:
    """What a turn brought; `objectives` and `beliefs` are those it was chosen with."""
    after = transition.after
    place = f"{transition.command} in {beliefs.location}"
    texts = {one.id: one.text for one in objectives}
    return Reward(
        scored=transition.scored,
        gain=transition.gain,
        room=transition.place if after.map_view.new_room else "",
        items=tuple(_obtained(transition)),
        took=transition.action.verb == "take",
        objectives=tuple(texts[done.id] for done in check_objective_completion(objectives, after)),
        unblocked=place if not transition.failed and place == beliefs.blocked_action else "",
        died=transition.reading.died,
    )


def _obtained(transition: Transition) -> Iterator[str]:
    """The names of what has come into the hand for the first time.

    The object tree shows it, or the reply says so: a list of what is carried names what was there
    before, too, and what is only supposed to be taken must have been asked for.
    """
    held = {thing.id for thing in transition.before.held}
    exact = bool(transition.command and transition.observation.facts)
    for thing in transition.after.held:
        told = thing.guess != SUPPOSED or transition.action.verb == "take"
        if thing.id not in held and thing.taken <= 1 and (exact or (thing.taken and told)):
            yield thing.name
