"""What the game itself shows of a command's worth; nobody's opinion of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from managers.knowledge import Knowledge
from managers.language.outcomes import kind_of
from managers.language.reading import ProgressReport
from managers.learning.transition import Transition
from managers.planning.objectives import Objective
from managers.planning.progress import check_objective_completion
from managers.trust.beliefs import AgentBeliefs

_ROOM, _ITEM, _DONE, _REPLY, _DEATH = 3.0, 1.0, 2.0, 0.5, -5.0
"""What a new room, a new thing, an objective or blocker, a new reply and a death are worth."""
_MOST_ITEMS = 3


class Reward(NamedTuple):
    """What one turn brought."""

    scored: int = 0
    room: str = ""
    """The room seen for the first time."""
    items: tuple[str, ...] = ()
    """What is carried for the first time."""
    reply: bool = False
    """A kind of reply never had before, to a command that did something."""
    objectives: tuple[str, ...] = ()
    """The texts of those that are done now."""
    unblocked: str = ""
    """`command in place` that works now and was blocked before."""
    died: bool = False

    @property
    def helped(self) -> bool:
        """Whether the command brought anything, death apart."""
        gains = (self.scored > 0, self.room, self.items, self.reply, self.objectives)
        return not self.died and any((*gains, self.unblocked))

    @property
    def advanced(self) -> bool:
        """Whether it brought more than a new text."""
        return self._replace(reply=False).helped

    @property
    def points(self) -> float:
        """What it is worth, in points of score."""
        if self.died:
            return _DEATH
        found = _ROOM * bool(self.room) + _ITEM * min(len(self.items), _MOST_ITEMS)
        done = _DONE * (len(self.objectives) + bool(self.unblocked))
        return max(0, self.scored) + found + done + _REPLY * self.reply

    def report(self) -> ProgressReport:
        """The reward in words."""
        kind, said = next(self._said(), ("none", "nothing new"))
        accomplished = said if kind != "none" and self.advanced else None
        return ProgressReport(
            made_progress=self.advanced,
            progress_type=kind,
            explanation=said,
            accomplishment=accomplished,
        )

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
    did = transition.result in ("success", "partial") or transition.found > 0
    kind = _reply_kind(transition)
    new = kind is not None and not transition.before.statistics.has_heard(kind)
    texts = {one.id: one.text for one in objectives}
    return Reward(
        scored=transition.scored,
        room=_new_room(after),
        items=_new_items(transition.before, after),
        reply=new and did,
        objectives=tuple(texts[done.id] for done in check_objective_completion(objectives, after)),
        unblocked=place if not transition.failed and place == beliefs.blocked_action else "",
        died=transition.reading.died,
    )


def with_reply(transition: Transition) -> Knowledge:
    """What is known after a turn, its kind of reply included."""
    kind = _reply_kind(transition)
    after = transition.after
    if kind is None:
        return after
    return after.with_(rates=after.statistics.heard(str(kind), transition.turn).data)


def _new_items(before: Knowledge, after: Knowledge) -> tuple[str, ...]:
    """What is carried now and never was before."""
    old = before.world["objects"]
    return tuple(
        entry["name"]
        for id, entry in after.world["objects"].items()
        if entry["at"] == "inventory"
        and (id not in old or old[id]["at"] != "inventory")
        and entry.get("taken", 0) <= 1
    )


def _new_room(after: Knowledge) -> str:
    """The room that the turn led into, if it was never seen before: `L<n> Title`."""
    if not after.map_view.new_room or not after.here:
        return ""
    return f"{after.here} {after.map_view.title(after.here)}".strip()


def _reply_kind(transition: Transition) -> int | None:
    """A number for what kind of reply this is, whatever it is about; None for a refusal.

    A room that is walked into is no reply.
    """
    action = transition.action
    if transition.failed or action.direction:
        return None
    return kind_of(transition.text, action)
