"""Facts of somebody else: who attacks, bars the way, hurts, wants something."""

from __future__ import annotations

from collections.abc import Callable

from managers.language.layout import sentences
from managers.language.lexicon import head_of
from managers.learning.transition import Transition
from managers.world.facts import SELF, Blackboard, Fact, is_about, says


def hostile(board: Blackboard, transition: Transition) -> Blackboard:
    """Who attacks or bars the way: the nearest noun before the word that says so.

    A wound is dealt by whoever was attacked, or else is there.
    """
    here = transition.after.map_view.here
    for sentence in sentences(transition.text):
        words = sentence.lower()
        if says("defeated").search(words):
            board = board.without("hostile", _is_named_in(words))
            continue
        attack = says("hostile").search(words)
        named: list[str] = []
        if attack:
            known = says("at you").search(words, attack.start()) is None
            named = _named_before(attack.start(), words, transition, known=known)
            named += sorted(board.subjects("hostile"))
        elif says("blow").search(words):
            named = [name for name in transition.after.living if name.split()[-1] in words][:1]
        new = [transition.fact(name, room=here, source=sentence) for name in named]
        board = board.without("hostile", is_about(*named)).with_("hostile", new)
    if says("hurt").search(transition.text) and not board.of("hostile"):
        new = [transition.fact(name, room=here) for name in _who_hurts(transition)]
        board = board.with_("hostile", new)
    beaten = _beaten(transition)
    return board.without("hostile", lambda one: head_of(one.subject) == beaten)


def _is_named_in(text: str) -> Callable[[Fact], bool]:
    return lambda fact: fact.subject.split()[-1] in text


def _who_hurts(transition: Transition) -> list[str]:
    action = transition.action
    foe = head_of(action.object) if action.verb == "attack" else ""
    struck = [name for name in _actors(transition) if head_of(name) == foe]
    return (struck or list(transition.after.living))[:1]


def _actors(transition: Transition) -> list[str]:
    """The names of persons and creatures here, then of whatever else could act."""
    return list(dict.fromkeys((*transition.after.living, *transition.after.able)))


def _beaten(transition: Transition) -> str:
    """The noun of whom an attack that scored was on."""
    action = transition.action
    return head_of(action.object) if action.verb == "attack" and transition.scored > 0 else ""


def barring(board: Blackboard, transition: Transition) -> Blackboard:
    """Who does not let one pass, and no longer those who are beaten."""
    for sentence in sentences(transition.text.lower()):
        if says("defeated").search(sentence):
            board = board.without("barring", _is_named_in(sentence))
        match = says("barring").search(sentence)
        named = _named_before(match.start(), sentence, transition) if match else []
        room = transition.after.map_view.here
        new = [transition.fact(name, room=room, source=sentence) for name in named]
        board = board.without("barring", is_about(*(one.subject for one in new)))
        board = board.with_("barring", new)
    beaten = _beaten(transition)
    return board.without("barring", lambda one: head_of(one.subject) == beaten)


def _named_before(
    position: int, sentence: str, transition: Transition, *, known: bool = False
) -> list[str]:
    """The first of those who could act, or are known to live, whose noun stands before it."""
    actors = transition.after.living if known else _actors(transition)
    found = ((name, sentence.find(name.split()[-1])) for name in actors)
    return [name for name, at in found if 0 <= at < position][:1]


def wounds(board: Blackboard, transition: Transition) -> Blackboard:
    """Wounds that still hurt; nobody carries them over death."""
    if transition.reading.died:
        return board.without("wound", lambda _: True)
    if not says("hurt").search(transition.text):
        return board
    return board.with_("wound", [transition.fact(SELF, value=str(transition.turn))])


def escaped(board: Blackboard, transition: Transition) -> Blackboard:
    """The room that one has just got away from, for the dark or for somebody: one fact each time.

    Who was wounded does not count as kept away: that one comes back when the wound has healed.
    """
    before = transition.before
    dark, foes = before.world_view.dark, before.foes and not board.of("wound")
    if not (transition.meant.escape and transition.moved and (dark or foes)):
        return board
    cause = "dark" if dark else "somebody"
    new = transition.fact(cause, room=transition.start, value=str(board.turn))
    return board.with_("escaped", [new])


def wanted(board: Blackboard, transition: Transition) -> Blackboard:
    """What is carried and somebody has an eye on: `The goat has seen your tin`."""
    held = {thing.noun for thing in transition.before.held}
    found = [
        transition.fact(match["thing"].lower(), value=head_of(match["who"]), source=match[0])
        for match in says("wanting").finditer(transition.text)
        if match["thing"].lower() in held
    ]
    return board.with_("wanted", found)
