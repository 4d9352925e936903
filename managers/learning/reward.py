"""What the game itself shows of a command's worth; nobody's opinion of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from managers.language.reading import ProgressReport
from managers.learning.transition import Transition
from managers.planning.objectives import Objective
from managers.planning.progress import check_objective_completion
from managers.trust.beliefs import AgentBeliefs

_DEATH = -5.0
"""What a death is worth, in points of score."""


class Reward(NamedTuple):
    """What one turn brought."""

    scored: int = 0
    gain: float = 0.0
    """With what is not counted as points, see `Transition.gain`."""
    room: str = ""
    """The room seen for the first time."""
    items: tuple[str, ...] = ()
    """What is carried for the first time."""
    objectives: tuple[str, ...] = ()
    """The texts of those that are done now."""
    unblocked: str = ""
    """`command in place` that works now and was blocked before."""
    died: bool = False

    @property
    def helped(self) -> bool:
        """Whether the command brought anything, death apart."""
        gains = (self.scored > 0, self.room, self.items, self.objectives, self.unblocked)
        return not self.died and any(gains)

    @property
    def points(self) -> float:
        """What it is worth, in points of score."""
        return _DEATH if self.died else max(0.0, self.gain)

    def report(self) -> ProgressReport:
        """The reward in words."""
        if not self.helped:
            return ProgressReport()
        kind, said = next(self._said())
        return ProgressReport(made_progress=True, progress_type=kind, accomplishment=said)

    def _said(self) -> Iterator[tuple[str, str]]:
        if self.scored > 0:
            yield "score", f"scored {self.scored}"
        for text in self.objectives:
            yield "story", text
        if self.unblocked:
            yield "story", f"got past what blocked `{self.unblocked}`"
        if self.items:
            yield "item", f"took the {', '.join(self.items)}"
        if self.room:
            yield "location", f"found {self.room}"


def reward_of(
    transition: Transition, objectives: Sequence[Objective], beliefs: AgentBeliefs
) -> Reward:
    """What a turn brought; `objectives` and `beliefs` are those it was chosen with."""
    after, place = transition.after, f"{transition.command} in {beliefs.location}"
    new, texts = after.map_view.new_room and after.here, {one.id: one.text for one in objectives}
    return Reward(
        scored=transition.scored,
        gain=transition.gain,
        room=f"{after.here} {after.map_view.title(after.here)}".strip() if new else "",
        items=_new_items(transition),
        objectives=tuple(texts[done.id] for done in check_objective_completion(objectives, after)),
        unblocked=place if not transition.failed and place == beliefs.blocked_action else "",
        died=transition.reading.died,
    )


def _new_items(transition: Transition) -> tuple[str, ...]:
    """What is carried now and never was before."""
    old = transition.before.world["objects"]
    return tuple(
        entry["name"]
        for id, entry in transition.after.world["objects"].items()
        if entry["at"] == "inventory"
        and (id not in old or old[id]["at"] != "inventory")
        and entry.get("taken", 0) <= 1
    )
