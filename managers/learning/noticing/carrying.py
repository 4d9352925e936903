"""Facts of what is carried: too much for a way, put down, and brought home."""

from __future__ import annotations

from managers.language.lexicon import head_of
from managers.language.outcomes import item_replies
from managers.learning.transition import Transition
from managers.world.facts import Blackboard, says


def narrow(board: Blackboard, transition: Transition) -> Blackboard:
    """Ways that are shut to somebody who carries so much."""
    way, room = transition.action.direction, transition.room
    known = way in board.subjects("narrow", room)
    if not way or not (known or says("encumbered").search(transition.text)):
        return board
    board = board.without("narrow", lambda one: (one.subject, one.room) == (way, room))
    return board.with_("narrow", [transition.fact(way, room=room)] if transition.failed else [])


def home(board: Blackboard, transition: Transition) -> Blackboard:
    """A deposit that scored shows where treasures belong, and that it was one."""
    template = _deposit(transition)
    if not template:
        return board
    noun = head_of(transition.action.object)
    names = [transition.fact(name) for name in dict.fromkeys((noun, noun.removesuffix("s")))]
    home = transition.fact(template, room=transition.room)
    return board.without("home", lambda _: True).with_("home", [home]).with_("deposited", names)


def _deposit(transition: Transition) -> str:
    """The command of a deposit that scored, with `{}` for the treasure; empty for none."""
    action = transition.action
    if transition.scored <= 0:
        return ""
    if action.verb == "put" and action.second:
        return f"put {{}} {action.preposition} {action.second}"
    return "drop {}" if action.verb == "drop" and action.object else ""


def prized(board: Blackboard, transition: Transition) -> Blackboard:
    """What was taken for points, unless it brought none where treasures do."""
    action = transition.action
    if transition.scored > 0 and action.verb == "take":
        return board.with_("treasure", [transition.fact(noun) for noun in sorted(transition.taken)])
    template = transition.command.replace(action.object, "{}", 1) if action.object else ""
    if transition.scored <= 0 and any(
        (fact.room, fact.subject) == (transition.room, template) for fact in board.of("home")
    ):
        noun = head_of(action.object)
        return board.without("treasure", lambda one: one.subject == noun)
    return board


def discarded(board: Blackboard, transition: Transition) -> Blackboard:
    """What was dropped."""
    action = transition.action
    if action.verb != "drop":
        return board
    several = [head_of(name) for name, _ in item_replies(transition.text, action.object)]
    nouns = dict.fromkeys(several or [head_of(action.object)])
    return board.with_("discarded", [transition.fact(noun) for noun in nouns])


def put_to_use(board: Blackboard, transition: Transition) -> Blackboard:
    """What was put or tied where it should stay."""
    action = transition.action
    if not action.has("places") or transition.failed:
        return board
    return board.with_("placed", [transition.fact(head_of(action.object))])
