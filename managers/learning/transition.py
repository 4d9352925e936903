"""The one record of a turn: before, action, reply, reading, after; and the reward for it.

Whatever learns of what a command does is given a `Transition`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from environments.game import Observation
from managers.knowledge import Knowledge
from managers.language.actions import Action, parse
from managers.language.reading import TurnExtraction
from managers.planning.objectives import Objective
from managers.planning.progress import check_objective_completion
from managers.trust.beliefs import AgentBeliefs
from managers.world.facts import Fact, says
from managers.world.objects import SUPPOSED

_ROOM_WORTH, _THING_WORTH, _DEATH = 3.0, 0.5, -5.0
"""What a new room, a thing, and a death are worth, in points of score."""
_MOST_THINGS = 6
_HARM_OF_A_WOUND = 0.3
_HINDRANCES = frozenset({"closed", "dark", "not_held", "posture", "too_heavy", "too_full"})
"""Reasons for a failure that say nothing of what was to be done."""
_TELLING = frozenset(
    {"examine", "read", "search", "talk", "ask", "look", "inventory", "wait", "fight"}
)
"""Kinds whose success is a text, so that any reply which is no refusal counts."""


class Intention(NamedTuple):
    """What the agent meant by a command."""

    kind: str = "use"
    noun: str = ""
    """What it is about, as statistics count it."""
    held: bool = False
    """It is about something carried, so that it counts wherever one is."""
    expected: float = 0.0
    """The value that the agent saw in it."""
    escape: bool = False
    """It was to get away from the dark, or from somebody."""


@dataclass(frozen=True)
class Transition:
    """One turn with everything that is known about it; at the opening the command is empty."""

    turn: int
    command: str
    observation: Observation
    reading: TurnExtraction
    before: Knowledge
    after: Knowledge
    """The same as before until the learner has taken the reply in, part by part."""
    meant: Intention

    @cached_property
    def action(self) -> Action:
        """The command taken apart."""
        return parse(self.command)

    @property
    def text(self) -> str:
        """The reply."""
        return self.observation.text

    @property
    def start(self) -> str:
        """The room it was played in; empty where nobody knows."""
        return self.before.map_view.here

    @property
    def room(self) -> str:
        """The room it was played in, or else the one after it."""
        return self.start or self.after.map_view.here

    @property
    def place(self) -> str:
        """Where it led, as `L3 Kitchen`; empty where nobody knows."""
        return self.after.map_view.label(self.after.here)

    @property
    def result(self) -> str:
        """`success`, `failure`, `partial` or `unknown`."""
        return self.reading.action_result.result

    @property
    def failed(self) -> bool:
        """The reply refuses it."""
        return self.result == "failure"

    @property
    def reason(self) -> str:
        """Why it was refused, as in `ActionResult.reason`."""
        return self.reading.action_result.reason

    @cached_property
    def scored(self) -> int:
        """The points of this turn, from the status line, else from what the text says."""
        if self.observation.score is None:
            return self.reading.score_change
        return self.observation.score - self.before.score

    @property
    def moved(self) -> bool:
        """It led into another room."""
        return self.after.map_view.moved

    @cached_property
    def gain(self) -> float:
        """What it brought, in points of score: points, a new room, things met or taken.

        What a death costs says nothing of what such an action is worth: that is its danger.
        """
        before, after = self.before, self.after
        earned = max(0, self.scored) if self.reading.died else self.scored
        met = len(after.world_view.objects()) - len(before.world_view.objects())
        things = min(met + max(0, len(after.held) - len(before.held)), _MOST_THINGS)
        return earned + _ROOM_WORTH * after.map_view.new_room + _THING_WORTH * things

    @cached_property
    def worked(self) -> bool:
        """It did something, or told something where telling is what it is for.

        What kills has not worked: what it leads to is still to be seen.
        """
        if self.reading.died:
            return False
        if self.action.direction and not self.moved:
            return self.scored > 0
        told = self.result == "unknown" and self.meant.kind in _TELLING
        return self.moved or self.gain > 0 or told or self.result in ("success", "partial")

    @cached_property
    def harm(self) -> float:
        """From 0 (none) to 1 (death)."""
        if self.reading.died:
            return 1.0
        return _HARM_OF_A_WOUND if says("hurt").search(self.text) else 0.0

    @cached_property
    def hindered(self) -> bool:
        """Something stood in its way that may be gone the next time: a lid, the dark, a load."""
        return self.reason in _HINDRANCES or bool(says("laden").search(self.text))

    @property
    def taken(self) -> frozenset[str]:
        """The nouns of what is carried now and was not before."""
        return self.after.held_nouns - self.before.held_nouns

    @property
    def lost(self) -> frozenset[str]:
        """The nouns of what was carried before and is not now."""
        return self.before.held_nouns - self.after.held_nouns

    def fact(self, subject: str, *, room: str = "", value: str = "", source: str = "") -> Fact:
        """A fact of this turn."""
        return Fact(subject, room, value, self.turn, source or self.text)


# -- the reward -----------------------------------------------------------------


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
