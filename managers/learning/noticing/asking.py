"""Facts of what the game asks for, tells to do, or leaves to choose, and of what was done of it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from managers.language.actions import canonical, classes, parse, table
from managers.language.cues import IT, Cue, cues_in, orders_in
from managers.language.lexicon import head_of, words_of
from managers.language.outcomes import YES_NO, asks_whether_sure, part_understood
from managers.learning.transition import Transition
from managers.world.attempts import Attempts
from managers.world.facts import Blackboard, Fact, is_about

_FIRST = re.compile(
    r"\b(?:have to|need to|must|should|ought to|better|try to|want to|good idea to)"
    r" (?P<asked>[a-z][\w' -]{2,60}?)(?: first\b| before (?:you|\w+ing)\b)",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r" (?:that |which )?you(?:'re| are|'ve| have) .*")
_ARTICLES = frozenset({"the", "a", "an", "your", "my", "some", "that", "probably", "one's"})
_NO_COMMANDS = frozenset({"be", "do", "have", "know", "find", "go", "figure", "deal"})
SPOKEN = "spoken"
"""The value of a command's fact of which the text has spoken."""
POSTURE = ("out", "stand up", "exit")
_KEYS = ("space", "q", "enter")
"""What leads on, or out of a menu, where a single key is waited for."""
_MOST_TRIES = 4
_DONE = "done"
"""The value of an order that was followed, or is about what is not where it should be."""


class Request(NamedTuple):
    """A command the game wants to see before it does others."""

    command: str
    blocked: tuple[tuple[str, str], ...]
    """What it refused so far, the latest first: room and command of each."""
    done: bool
    tries: int


def requests_on(board: Blackboard, attempts: Attempts) -> tuple[Request, ...]:
    """The requests of the game, the latest first."""
    found, facts = list[Request](), board.of("request")
    for wanted in dict.fromkeys(fact.subject for fact in facts):
        asked = max(fact.turn for fact in facts if fact.subject == wanted)
        since = [row for row in attempts.rows_of(wanted) if row.get("turn", 0) > asked]
        done = any(row.get("worked") and not row.get("refused") for row in since)
        blocked = tuple((fact.room, fact.value) for fact in facts if fact.subject == wanted)
        found.append(Request(wanted, blocked, done, sum(row.get("times", 0) for row in since)))
    return tuple(found)


def requests(board: Blackboard, transition: Transition) -> Blackboard:
    """What the game wants to see first, with what it refused until then."""
    played, after = (transition.start, transition.command), transition.after
    for request in requests_on(board, after.attempts_view):
        if request.done and played in request.blocked:
            board = board.without("request", lambda fact: (fact.room, fact.value) == played)
        elif not request.done and request.tries >= _MOST_TRIES:
            board = board.without("request", is_about(request.command))
    prerequisite = transition.reading.action_result.prerequisite
    wanted = _briefly(prerequisite or _asked(transition.text), transition)
    if not wanted or wanted == transition.command or not transition.command:
        return board
    noun = head_of(parse(wanted).object)
    seen = any(thing.noun == noun for thing in (*after.world_view.objects(), *after.around))
    if parse(wanted).verb == "take" and not seen:
        return board  # `You don't have any money.`
    fact = transition.fact(wanted, room=transition.room, value=transition.command)
    return board.with_("request", [fact])


def _asked(text: str) -> str:
    """The command asked for: `take off coat` in "You'll have to take off your coat first"."""
    match = _FIRST.search(text)
    if match is None:
        return ""
    asked = _CLAUSE.sub("", match["asked"].lower())
    words = [word for word in asked.split() if word not in _ARTICLES]
    return " ".join(words) if words and words[0] not in _NO_COMMANDS else ""


def _briefly(wanted: str, transition: Transition) -> str:
    """The command with the mere noun, if it means one thing at hand: games understand that."""
    action, before = parse(wanted), transition.before
    noun = head_of(action.object)
    meant = [thing for thing in (*before.held, *before.around) if thing.noun == noun]
    clear = len(meant) == 1 and noun not in before.board.subjects("ambiguous")
    if clear and not action.second and wanted.endswith(action.object):
        return wanted[: -len(action.object)] + noun
    return wanted


def replies(board: Blackboard, transition: Transition) -> Blackboard:
    """What answers the question the game has just asked; last turn's question is over."""
    reading = transition.reading
    said: Iterable[str] = ()
    if reading.question == "yes_no":
        known = transition.after.world_view
        said = () if all(map(known.is_unknown, YES_NO)) else YES_NO
        if asks_whether_sure(transition.text):
            said = said[:1]
    elif reading.question == "which":
        said = (_chosen(transition, choice) for choice in reading.choices[:4])
    elif reading.question == "menu":
        said = reading.choices
    elif reading.question == "key":
        said = _KEYS
    elif " " in (part := canonical(part_understood(transition.text))):
        said = () if transition.after.attempts_view.of(transition.start, part).times else (part,)
    return board.without("reply", lambda _: True).with_("reply", map(transition.fact, said))


def _chosen(transition: Transition, choice: str) -> str:
    """The command with the thing that it did not name clearly: every parser understands that."""
    action = transition.action
    names = [name for name in (action.second, action.object) if name]
    unclear = next((name for name in names if name.split()[-1] in choice.split()), action.object)
    return transition.command.replace(unclear, choice) if unclear else choice


def ambiguous(board: Blackboard, transition: Transition) -> Blackboard:
    """Nouns that fit several things, as the game has asked."""
    if transition.reason != "ambiguous":
        return board
    return board.with_("ambiguous", [transition.fact(head_of(transition.action.object))])


def cues(board: Blackboard, transition: Transition) -> Blackboard:
    """What the text speaks of doing, each with what it was about; `it` is that.

    A game that asks for the rest of a command speaks of nothing but the command.
    """
    if transition.reason == "incomplete":
        return board
    about = transition.action.object
    found = [
        transition.fact((cue._replace(noun=about) if cue.noun == IT else cue).text, value=about)
        for cue in cues_in(transition.text)
        if about or cue.noun != IT
    ]
    return board.with_("cue", found)


def commands(board: Blackboard, transition: Transition) -> Blackboard:
    """What the story's grammar allows beside the usual, and whether the text has spoken of it.

    A banner speaks of a release, and the reply to a verb of this verb: neither says anything.
    """
    words, command = transition.observation.words, transition.command
    if words is None:
        return board
    board = board.with_("command", map(transition.fact, words.commands))
    said = set(words_of(transition.text)) - {command.partition(" ")[0]} if command else set()
    silent = (one.subject for one in board.of("command") if not one.value)
    spoken = [one for one in silent if one.split()[0] in said]
    board = board.without("command", is_about(*spoken))
    return board.with_("command", [transition.fact(one, value=SPOKEN) for one in spoken])


# -- what a text tells to do ----------------------------------------------------


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
    vain = transition.reason in ("not_here", "unknown_word")
    refused = transition.failed and transition.reason != "already" and not vain
    if not facts or refused or transition.reading.question:
        return board
    left = [at for at, fact in enumerate(facts) if not fact.value]
    # Of the ways only the first may be gone now.
    later = [at for at in left if is_way(facts[at])][1:]
    now = (facts[at] for at in left if at not in later)
    done = next((fact for fact in now if _is_obeyed(fact, transition)), None)
    if done is None:
        return board
    led = any(one.turn == done.turn and is_way(one) for one in facts)
    if vain and not (led and done.room == transition.start):
        return board
    facts[facts.index(done)] = done._replace(value=_DONE)
    here = transition.after.here
    facts = [one._replace(room=here) if one.turn == done.turn else one for one in facts]
    return board.without("order", lambda _: True).with_("order", facts)


def is_way(fact: Fact) -> bool:
    """The order is to go somewhere."""
    return Cue.of(fact.subject).verb == "go"


def _is_obeyed(fact: Fact, transition: Transition) -> bool:
    """The command did what was told, in whatever words."""
    order, action = Cue.of(fact.subject), transition.action
    if order.verb == "go":
        return action.direction == order.noun and transition.start == fact.room
    meant, noun = parse(f"{order.verb} {order.noun}"), head_of(order.noun)
    if meant.verb == "take" and noun in transition.taken:
        return True
    # The names share the noun, and one says no more than the other.
    told, said = set(words_of(order.noun)), set(words_of(action.object))
    same = head_of(action.object) == noun and (told <= said or said <= told)
    if action.verb != meant.verb or not same:
        return False
    tool = table().tools.get(order.verb)
    used = (head_of(action.second), *classes(action.second))
    return action.head == order.verb or tool is None or tool in used
