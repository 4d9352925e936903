"""The one record of a turn: before, action, reply, reading, after.

Whatever learns of what a command does is given a `Transition`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from environments.game import Observation
from managers.language.actions import Action, parse
from managers.language.patterns import HURT, LADEN
from managers.language.reading import TurnExtraction
from managers.world.facts import Blackboard, Fact
from managers.world.knowledge import Knowledge

_ROOM_WORTH, _THING_WORTH = 3.0, 0.5
"""What a new room and a thing are worth, in points of score."""
_MOST_THINGS, _MOST_CHANGED = 6, 200
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
        met = len(after.world_view.rows) - len(before.world_view.rows)
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
        return _HARM_OF_A_WOUND if HURT.search(self.text) else 0.0

    @cached_property
    def hindered(self) -> bool:
        """Something stood in its way that may be gone the next time: a lid, the dark, a load."""
        return self.reason in _HINDRANCES or bool(LADEN.search(self.text))

    @property
    def taken(self) -> frozenset[str]:
        """The nouns of what is carried now and was not before."""
        return self.after.held_nouns - self.before.held_nouns

    @property
    def lost(self) -> frozenset[str]:
        """The nouns of what was carried before and is not now."""
        return self.before.held_nouns - self.after.held_nouns

    def with_change(self, board: Blackboard, room: str) -> Blackboard:
        """The blackboard with the fact that the command changed something in a room.

        `inventory` is for oneself. What was refused there before is worth another try.
        """
        board = board.without("changed", lambda one: one.room == room)
        return board.with_("changed", [self.fact(self.action.canonical, room=room)], _MOST_CHANGED)

    def fact(
        self, subject: str, *, room: str = "", value: str = "", source: str = "", lasts: int = 0
    ) -> Fact:
        """A fact of this turn; it counts for `lasts` turns, or for good."""
        until = self.turn + lasts if lasts else 0
        return Fact(subject, room, value, self.turn, source or self.text, until=until)
