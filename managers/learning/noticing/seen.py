"""What the rules that notice facts are given."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from managers.learning.transition import Transition
from managers.world.facts import Blackboard, Fact


class Seen(NamedTuple):
    """A transition with what several rules ask of it."""

    transition: Transition
    living: tuple[str, ...]
    """The names of persons and creatures here."""
    others: tuple[str, ...]
    """Those first, then whatever else here could act."""
    held: tuple[str, ...]
    """The nouns of what was carried before."""
    precious: frozenset[str]
    """The nouns of what is here or carried and may be a treasure."""

    def fact(self, subject: str, *, room: str = "", value: str = "", source: str = "") -> Fact:
        """A fact of this turn."""
        return Fact(subject, room, value, self.transition.turn, source or self.transition.text)


Rule = Callable[[Blackboard, Seen], Blackboard]
"""What a turn adds to the blackboard, or takes back."""


def is_about(*subjects: str) -> Callable[[Fact], bool]:
    """Whether a fact has one of these subjects."""
    return lambda fact: fact.subject in subjects
