"""Every rule that notices facts, in the order in which they read a turn."""

from __future__ import annotations

from collections.abc import Callable

from managers.learning.noticing import asking, carrying, others, places
from managers.learning.transition import Transition
from managers.world.facts import Blackboard

Rule = Callable[[Blackboard, Transition], Blackboard]
"""What a turn adds to the blackboard, or takes back."""

RULES: tuple[Rule, ...] = (
    asking.requests,
    others.hostile,
    others.wounds,
    others.barring,
    asking.deaf,
    asking.replies,
    carrying.narrow,
    places.absent,
    places.changed,
    places.ways_opened,
    carrying.prized,
    carrying.home,
    places.stuck,
    places.spent,
    places.failing,
    carrying.put_to_use,
    carrying.discarded,
    places.revealed,
    places.hints,
    places.notes,
    asking.cues,
    asking.orders,
    asking.ambiguous,
    asking.commands,
    places.bright,
)


def notice(transition: Transition) -> Blackboard:
    """The blackboard after a turn; the transition's `after` still has the one before it."""
    board = transition.before.board.at(transition.turn)
    for rule in RULES:
        board = rule(board, transition)
    return board
