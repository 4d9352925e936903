"""Every rule that notices facts, in the order in which they read a turn."""

from __future__ import annotations

from managers.learning.noticing import asking, carrying, others, places
from managers.learning.noticing.seen import Rule, Seen
from managers.learning.transition import Transition
from managers.world.facts import Blackboard

RULES: tuple[Rule, ...] = (
    asking.requests,
    others.hostile,
    others.wounds,
    others.barring,
    asking.deaf,
    asking.replies,
    carrying.overloaded,
    carrying.left,
    carrying.narrow,
    places.absent,
    places.changed,
    places.opened,
    carrying.treasures,
    carrying.home,
    others.offers,
    places.stuck,
    places.spent,
    places.failing,
    places.rising,
    carrying.placed,
    carrying.discarded,
    places.revealed,
    places.hints,
    places.kept,
    asking.cues,
    asking.ambiguous,
    asking.commands,
    places.bright,
)


def notice(transition: Transition) -> Blackboard:
    """The blackboard after a turn; the transition's `after` still has the one before it."""
    before, after = transition.before, transition.after
    living = after.living
    here = (*before.around, *before.held)
    seen = Seen(
        transition,
        living,
        tuple(dict.fromkeys((*living, *after.able))),
        tuple(thing.noun for thing in before.held),
        frozenset(thing.noun for thing in here if before.is_precious(thing)),
    )
    board = before.board.at(transition.turn)
    for rule in RULES:
        board = rule(board, seen)
    return board
