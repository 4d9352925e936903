"""Facts of somebody else: who attacks, bars the way, hurts, wants something."""

from __future__ import annotations

from managers.language.layout import sentences
from managers.language.lexicon import head_of
from managers.learning.transition import Transition
from managers.world.facts import SELF, Blackboard, is_about, says


def hostile(board: Blackboard, transition: Transition) -> Blackboard:
    """Who attacks or bars the way: the nearest noun before the word that says so.

    A wound is dealt by whoever was attacked, or else is there.
    """
    living, here, action = transition.after.living, transition.after.here, transition.action
    for sentence in sentences(transition.text):
        words = sentence.lower()
        if says("defeated").search(words):
            board = _without_named(board, "hostile", words)
            continue
        attack = says("hostile").search(words)
        named: list[str] = []
        if attack:
            at_you = says("at you").search(words, attack.start())
            actors = _actors(transition) if at_you else living
            named = _named_before(attack.start(), words, actors)
            named += sorted(board.subjects("hostile"))
        elif says("blow").search(words):
            named = [name for name in living if name.split()[-1] in words][:1]
        new = [transition.fact(name, room=here, source=sentence) for name in named]
        board = board.without("hostile", is_about(*named)).with_("hostile", new)
    if says("hurt").search(transition.text) and not board.of("hostile"):
        foe = head_of(action.object) if action.verb == "attack" else ""
        struck = [name for name in _actors(transition) if head_of(name) == foe]
        new = [transition.fact(name, room=here) for name in (struck or living)[:1]]
        board = board.with_("hostile", new)
    return board


def barring(board: Blackboard, transition: Transition) -> Blackboard:
    """Who does not let one pass."""
    for sentence in sentences(transition.text.lower()):
        if says("defeated").search(sentence):
            board = _without_named(board, "barring", sentence)
        if match := says("barring").search(sentence):
            named = _named_before(match.start(), sentence, _actors(transition))
            here = transition.after.here
            new = [transition.fact(name, room=here, source=sentence) for name in named]
            board = board.without("barring", is_about(*named)).with_("barring", new)
    return board


def beaten(board: Blackboard, transition: Transition) -> Blackboard:
    """Nobody attacks or bars the way any more on whom an attack has scored."""
    action = transition.action
    if action.verb == "attack" and transition.scored > 0:
        foe = head_of(action.object)
        for kind in ("hostile", "barring"):
            board = board.without(kind, lambda fact: head_of(fact.subject) == foe)
    return board


def _actors(transition: Transition) -> tuple[str, ...]:
    """The names of persons and creatures here, then of whatever else could act."""
    return tuple(dict.fromkeys((*transition.after.living, *transition.after.able)))


def _named_before(position: int, sentence: str, actors: tuple[str, ...]) -> list[str]:
    """The first of the actors whose noun stands before the position, if any."""
    found = ((name, sentence.find(name.split()[-1])) for name in actors)
    return [name for name, at in found if 0 <= at < position][:1]


def _without_named(board: Blackboard, kind: str, sentence: str) -> Blackboard:
    return board.without(kind, lambda fact: fact.subject.split()[-1] in sentence)


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
    found = [
        transition.fact(match["thing"].lower(), value=head_of(match["who"]), source=match[0])
        for match in says("wanting").finditer(transition.text)
        if match["thing"].lower() in transition.before.held_nouns
    ]
    return board.with_("wanted", found)
