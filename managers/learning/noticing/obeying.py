"""Facts of what a text tells to do, and of what was done of it."""

from __future__ import annotations

from managers.language.actions import classes, parse, table
from managers.language.cues import Cue, orders_in
from managers.language.lexicon import head_of, words_of
from managers.learning.transition import Transition
from managers.world.facts import Blackboard, Fact

_DONE, _VAIN = "done", "vain"
"""The value of an order that was followed, and of one about what is not where it should be."""
_ABSENT = frozenset({"not_here", "unknown_word"})


def orders(board: Blackboard, transition: Transition) -> Blackboard:
    """What a text tells to do, in its order, until it is done; a text is taken up once.

    Where the story begins, nothing has been done.
    """
    if not transition.command:
        board = board.without("order", lambda _: True)
    board = _obeyed(board, transition)
    said = [order.text for order in orders_in(transition.text)]
    if transition.failed or board.subjects("order").issuperset(said):
        return board
    here = transition.after.here
    return board.with_("order", [transition.fact(order, room=here) for order in said])


def _obeyed(board: Blackboard, transition: Transition) -> Blackboard:
    """With what was done marked; what follows in the same text goes on from here."""
    facts = list(board.of("order"))
    vain = transition.reason in _ABSENT
    refused = transition.failed and transition.reason != "already" and not vain
    if not facts or refused or transition.reading.question:
        return board
    done = next((at for at in _in_turn(facts) if _is_obeyed(facts[at], transition)), None)
    if done is None:
        return board
    turn, here = facts[done].turn, transition.after.here
    led = any(one.turn == turn and is_way(one) for one in facts)
    if vain and not (led and facts[done].room == transition.start):
        return board
    facts[done] = facts[done]._replace(value=_VAIN if vain else _DONE)
    facts = [one._replace(room=here) if one.turn == turn else one for one in facts]
    return board.without("order", lambda _: True).with_("order", facts)


def _in_turn(facts: list[Fact]) -> list[int]:
    """Where those stand that may be done now: of the ways only the first."""
    left = [at for at, fact in enumerate(facts) if not fact.value]
    ways = [at for at in left if is_way(facts[at])]
    return [at for at in left if at not in ways[1:]]


def is_way(fact: Fact) -> bool:
    """The order is to go somewhere."""
    return Cue.of(fact.subject).verb == "go"


def _is_obeyed(fact: Fact, transition: Transition) -> bool:
    """The command did what was told, in whatever words."""
    order, action = Cue.of(fact.subject), transition.action
    if order.verb == "go":
        return action.direction == order.noun and transition.start == fact.room
    meant = parse(f"{order.verb} {order.noun}")
    if meant.verb == "take" and head_of(order.noun) in transition.taken:
        return True
    if action.verb != meant.verb or not _is_same(action.object, order.noun):
        return False
    tool = table().tools.get(order.verb)
    used = (head_of(action.second), *classes(action.second))
    return action.head == order.verb or tool is None or tool in used


def _is_same(name: str, other: str) -> bool:
    """The two names share the noun, and one says no more than the other."""
    ours, theirs = set(words_of(name)), set(words_of(other))
    return head_of(name) == head_of(other) and (ours <= theirs or theirs <= ours)
