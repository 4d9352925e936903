"""Facts of what is carried, too much, put down, and brought home."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from managers.language.actions import classes
from managers.language.lexicon import head_of
from managers.language.outcomes import item_replies
from managers.learning.transition import Transition
from managers.world.facts import SELF, Blackboard, says

_TRIES, _TRIES_FOR_TREASURE = 4, 8
"""How often something is put down to take the same thing."""


def least_useful(held: Sequence[str], precious: Collection[str] = ()) -> str:
    """The noun of what is put down first when the hands are full; empty for nothing."""
    return min(held, key=lambda noun: usefulness(noun, held, precious), default="")


def usefulness(name: str, held: Sequence[str], precious: Collection[str]) -> int:
    """How gladly a thing is carried: treasures most, what has served or is plenty least."""
    known = classes(name)
    if known & {"treasure", "valuable", "key-like"} or head_of(name) in precious:
        return 5
    if "light-source" in known:
        return 4
    if "tool" in known:
        return 3
    others = [classes(noun) for noun in held if noun != head_of(name)]
    for kind in ("weapon", "rope-like"):
        if kind in known:
            return 0 if any(kind in other for other in others) else 3
    if known & {"readable", "food", "drink"}:
        return 0
    return 1 if "container" in known else 2


def _too_much(transition: Transition) -> list[str]:
    """The names of what could not be taken because the hands are full."""
    laden = says("laden")
    if transition.action.verb != "take" or transition.result == "success":
        return []
    listed = list(item_replies(transition.text, transition.action.object))
    if listed:
        return [name for name, reply in listed if laden.search(reply)]
    return [transition.action.object] if laden.search(transition.text) else []


def _is_wanted(name: str, transition: Transition) -> bool:
    """Worth more than the least of what is carried."""
    ranks = [
        usefulness(noun, transition.held_before, transition.precious)
        for noun in transition.held_before
    ]
    return usefulness(name, transition.held_before, transition.precious) > min(ranks, default=0)


def laden(board: Blackboard, transition: Transition) -> Blackboard:
    """Whether the hands are too full, and what is left, dropped or let be for that."""
    names, action = _too_much(transition), transition.action
    wanted = [name for name in names if _is_wanted(name, transition)]
    nouns = [head_of(name) for name in names if name not in wanted]
    if action.verb == "drop":
        board = board.without("overloaded", lambda _: True)
        several = [head_of(name) for name, _ in item_replies(transition.text, action.object)]
        nouns += several or [head_of(action.object)]
    board = board.with_("overloaded", [transition.fact(SELF)] if wanted else [])
    board = board.with_("discarded", [transition.fact(noun) for noun in dict.fromkeys(nouns)])
    board = board.without("left", lambda one: one.subject in transition.taken)
    for name in wanted:
        board = _left_behind(board, transition, head_of(name))
    return board


def _left_behind(board: Blackboard, transition: Transition, noun: str) -> Blackboard:
    room = transition.room
    known = [one for one in board.of("left") if (one.subject, one.room) == (noun, room)]
    tries = int(known[0].confidence) + 1 if known else 1
    board = board.without("left", lambda one: (one.subject, one.room) == (noun, room))
    if tries >= (_TRIES_FOR_TREASURE if noun in transition.precious else _TRIES):
        return board
    return board.with_("left", [transition.fact(noun, room=room)._replace(confidence=float(tries))])


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


def put_to_use(board: Blackboard, transition: Transition) -> Blackboard:
    """What was put or tied where it should stay."""
    action = transition.action
    if not action.has("places") or transition.failed:
        return board
    return board.with_("placed", [transition.fact(head_of(action.object))])
