"""What a turn adds to the blackboard, and what it takes back: one rule a function."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import NamedTuple

from managers.knowledge import Knowledge
from managers.language.actions import DIRECTIONS, classes, parse
from managers.language.cues import IT, cues_in
from managers.language.lexicon import grammar, head_of
from managers.language.listings import items
from managers.language.nouns import noun_phrases
from managers.language.outcomes import item_replies, sentences
from managers.learning.transition import Transition
from managers.world.attempts import Attempts
from managers.world.facts import CARRIED, SELF, Blackboard, Fact, says

_FIRST = re.compile(
    r"\b(?:have to|need to|must|should|ought to|better|try to|want to)"
    r" (?P<asked>[a-z][\w' -]{2,60}?)(?: first\b| before (?:you|doing|trying|going))",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r" (?:that |which )?you(?:'re| are|'ve| have) .*")
_INTEREST = re.compile(
    r"\bthe (?P<who>[\w' -]{2,24}?) (?:\w+ )?"
    r"(?:seen|sees|eyes|watches|wants|sniffs at|looks at|stares at|admires|covets|notices) "
    r"(?:at )?your (?P<thing>[\w'-]+)",
    re.IGNORECASE,
)
_SPEECH = re.compile(r'(?:^|[\s(])"(?=\S)([^"]{12,})')
_NO_NOUNS = ("ing", "ed", "ly", "able")
_ARTICLES = frozenset({"the", "a", "an", "your", "my", "some", "that", "probably"})
_NO_COMMANDS = frozenset({"be", "do", "have", "know", "find", "go", "figure", "deal"})
_SLOPES = {"descen": "down", "ascend": "up"}
_ABSENT = frozenset({"not_here", "unknown_word"})
_SURE = 0.8
_MOST_REVEALED = 6
_TRIES, _TRIES_FOR_TREASURE = 4, 8
"""How often something is put down to take the same thing."""
_GIVEN_UP = 4
"""After so many attempts a request that nothing comes of is forgotten."""


class Turn(NamedTuple):
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


Rule = Callable[[Blackboard, Turn], Blackboard]


def notice(transition: Transition) -> Blackboard:
    """The blackboard after a turn; the transition's `after` still has the one before it."""
    before, after = transition.before, transition.after
    living = after.living
    here = (*before.around, *before.held)
    turn = Turn(
        transition,
        living,
        tuple(dict.fromkeys((*living, *after.able))),
        tuple(thing.noun for thing in before.held),
        frozenset(thing.noun for thing in here if before.is_precious(thing)),
    )
    board = before.board.at(transition.turn)
    for rule in RULES:
        board = rule(board, turn)
    return board


# -- what the game asks for ---------------------------------------------------


class Request(NamedTuple):
    """A command the game wants to see before it does others."""

    command: str
    blocked: tuple[tuple[str, str], ...]
    """What it refused so far, the latest first: room and command of each."""
    done: bool
    tries: int


def requests_on(board: Blackboard, attempts: Attempts) -> tuple[Request, ...]:
    """The requests of the game, the latest first."""
    grouped: dict[str, list[Fact]] = {}
    for fact in board.of("request"):
        grouped.setdefault(fact.subject, []).append(fact)
    return tuple(_request(wanted, facts, attempts) for wanted, facts in grouped.items())


def _request(wanted: str, facts: Sequence[Fact], attempts: Attempts) -> Request:
    asked = max(fact.turn for fact in facts)
    since = [row for row in attempts.rows_of(wanted) if row.get("turn", 0) > asked]
    done = any(row.get("worked") and not row.get("refused") for row in since)
    tries = max((row.get("times", 0) for row in since), default=0)
    blocked = tuple((fact.room, fact.value) for fact in facts)
    return Request(wanted, blocked, done, tries)


def _requests(board: Blackboard, turn: Turn) -> Blackboard:
    """What the game wants to see first, with what it refused until then."""
    transition = turn.transition
    for request in requests_on(board, transition.after.attempts_view):
        if request.done and (transition.start, transition.command) in request.blocked:
            board = board.without("request", lambda fact: _is_blocked(fact, transition))
        elif not request.done and request.tries >= _GIVEN_UP:
            board = board.without("request", _is_about(request.command))
    prerequisite = transition.reading.action_result.prerequisite
    wanted = _briefly(prerequisite or _asked(transition.text), turn)
    if not wanted or wanted == transition.command or not transition.command:
        return board
    if "them" in wanted.split():
        return board
    return board.with_(
        "request", [turn.fact(wanted, room=transition.room, value=transition.command)]
    )


def _is_blocked(fact: Fact, transition: Transition) -> bool:
    return (fact.room, fact.value) == (transition.start, transition.command)


def _asked(text: str) -> str:
    """The command asked for: `take off coat` in "You'll have to take off your coat first"."""
    match = _FIRST.search(text)
    if match is None:
        return ""
    asked = _CLAUSE.sub("", match["asked"].lower())
    words = [word for word in asked.split() if word not in _ARTICLES]
    return " ".join(words) if words and words[0] not in _NO_COMMANDS else ""


def _briefly(wanted: str, turn: Turn) -> str:
    """The command with the mere noun of what is carried, which every game understands."""
    action = parse(wanted)
    noun = head_of(action.object)
    if noun in turn.held and not action.second and wanted.endswith(action.object):
        return wanted[: -len(action.object)] + noun
    return wanted


def _replies(board: Blackboard, turn: Turn) -> Blackboard:
    """What answers the question the game has just asked; last turn's question is over."""
    reading = turn.transition.reading
    said: Iterable[str] = ()
    if reading.question == "yes_no":
        said = ("yes", "no")
    elif reading.question == "which":
        said = (_chosen(turn.transition, choice) for choice in reading.choices[:4])
    return board.without("reply", lambda _: True).with_("reply", [turn.fact(one) for one in said])


def _chosen(transition: Transition, choice: str) -> str:
    """The command with the thing that it did not name clearly: every parser understands that."""
    action = transition.action
    names = [name for name in (action.second, action.object) if name]
    unclear = next((name for name in names if name.split()[-1] in choice.split()), action.object)
    return transition.command.replace(unclear, choice) if unclear else choice


def _ambiguous(board: Blackboard, turn: Turn) -> Blackboard:
    if turn.transition.reason != "ambiguous":
        return board
    return board.with_("ambiguous", [turn.fact(head_of(turn.transition.action.object))])


def _cues(board: Blackboard, turn: Turn) -> Blackboard:
    """What the text speaks of doing, each with what it was about; `it` is that."""
    about = turn.transition.action.object
    found = [
        turn.fact("|".join(cue._replace(noun=about) if cue.noun == IT else cue), value=about)
        for cue in cues_in(turn.transition.text)
        if about or cue.noun != IT
    ]
    return board.with_("cue", found)


# -- somebody else ------------------------------------------------------------


def _hostile(board: Blackboard, turn: Turn) -> Blackboard:
    """Who attacks or bars the way: the nearest noun before the word that says so.

    A wound is dealt by whoever was attacked, or else is there.
    """
    transition = turn.transition
    for sentence in sentences(transition.text):
        words = sentence.lower()
        if says("defeated").search(words):
            board = board.without("hostile", _is_named_in(words))
            continue
        attack = says("hostile").search(words)
        named: list[str] = []
        if attack:
            named = [name for name in turn.others if _stands_before(name, words, attack.start())][
                :1
            ]
            named += sorted(board.subjects("hostile"))
        elif says("blow").search(words):
            named = [name for name in turn.living if name.split()[-1] in words][:1]
        board = board.with_("hostile", [turn.fact(name, source=sentence) for name in named])
    if says("hurt").search(transition.text) and not board.of("hostile"):
        board = board.with_("hostile", [turn.fact(name) for name in _who_hurts(turn)])
    beaten = _beaten(transition)
    return board.without("hostile", lambda one: head_of(one.subject) == beaten)


def _is_about(*subjects: str) -> Callable[[Fact], bool]:
    return lambda fact: fact.subject in subjects


def _is_named_in(text: str) -> Callable[[Fact], bool]:
    return lambda fact: fact.subject.split()[-1] in text


def _who_hurts(turn: Turn) -> list[str]:
    action = turn.transition.action
    foe = head_of(action.object) if action.verb == "attack" else ""
    struck = [name for name in turn.others if head_of(name) == foe]
    return (struck or list(turn.living))[:1]


def _beaten(transition: Transition) -> str:
    """The noun of whom an attack that scored was on."""
    action = transition.action
    return head_of(action.object) if action.verb == "attack" and transition.scored > 0 else ""


def _barring(board: Blackboard, turn: Turn) -> Blackboard:
    transition = turn.transition
    for sentence in sentences(transition.text.lower()):
        if says("defeated").search(sentence):
            board = board.without("barring", _is_named_in(sentence))
        match = says("barring").search(sentence)
        named = (
            [name for name in turn.others if _stands_before(name, sentence, match.start())]
            if match
            else []
        )
        room = transition.after.map_view.here
        new = [turn.fact(name, room=room, source=sentence) for name in named[:1]]
        board = board.without("barring", _is_about(*(one.subject for one in new)))
        board = board.with_("barring", new)
    beaten = _beaten(transition)
    return board.without("barring", lambda one: head_of(one.subject) == beaten)


def _stands_before(name: str, sentence: str, position: int) -> bool:
    at = sentence.find(name.split()[-1])
    return 0 <= at < position


def _wounds(board: Blackboard, turn: Turn) -> Blackboard:
    """Wounds that still hurt; nobody carries them over death."""
    if turn.transition.reading.died:
        return board.without("wound", lambda _: True)
    if not says("hurt").search(turn.transition.text):
        return board
    return board.with_("wound", [turn.fact(SELF, value=str(turn.transition.turn))])


def _offers(board: Blackboard, turn: Turn) -> Blackboard:
    """From sentences in which somebody has an eye on something the agent carries."""
    found = [
        turn.fact(match["thing"].lower(), value=head_of(match["who"].lower()), source=match[0])
        for match in _INTEREST.finditer(turn.transition.text)
        if match["thing"].lower() in turn.held
    ]
    return board.with_("offer", found)


# -- what is carried ----------------------------------------------------------


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


def _too_much(turn: Turn) -> list[str]:
    """The names of what could not be taken because the hands are full."""
    transition, laden = turn.transition, says("laden")
    if transition.action.verb != "take" or transition.result == "success":
        return []
    listed = list(item_replies(transition.text, transition.action.object))
    if listed:
        return [name for name, reply in listed if laden.search(reply)]
    return [transition.action.object] if laden.search(transition.text) else []


def _is_wanted(name: str, turn: Turn) -> bool:
    """Worth more than the least of what is carried."""
    ranks = [usefulness(noun, turn.held, turn.precious) for noun in turn.held]
    return usefulness(name, turn.held, turn.precious) > min(ranks, default=0)


def _overloaded(board: Blackboard, turn: Turn) -> Blackboard:
    """Whether the hands are too full to take something better than what they hold."""
    if turn.transition.action.verb == "drop":
        board = board.without("overloaded", lambda _: True)
    wanted = any(_is_wanted(name, turn) for name in _too_much(turn))
    return board.with_("overloaded", [turn.fact(SELF)] if wanted else [])


def _left(board: Blackboard, turn: Turn) -> Blackboard:
    """Useful things that were too much to take; `ready` once something was put down since."""
    transition = turn.transition
    board = board.without("left", lambda one: one.subject in transition.taken)
    if transition.action.has("frees"):
        lighter = [one._replace(value="ready") for one in board.of("left")]
        board = board.without("left", lambda _: True).with_("left", lighter)
    for name in _too_much(turn):
        if _is_wanted(name, turn):
            board = _left_behind(board, turn, head_of(name))
    return board


def _left_behind(board: Blackboard, turn: Turn, noun: str) -> Blackboard:
    room = turn.transition.room
    known = [one for one in board.of("left") if (one.subject, one.room) == (noun, room)]
    tries = int(known[0].confidence) + 1 if known else 1
    board = board.without("left", lambda one: (one.subject, one.room) == (noun, room))
    if tries >= (_TRIES_FOR_TREASURE if noun in turn.precious else _TRIES):
        return board
    return board.with_("left", [turn.fact(noun, room=room)._replace(confidence=float(tries))])


def _narrow(board: Blackboard, turn: Turn) -> Blackboard:
    """Ways that are shut to somebody who carries so much."""
    transition = turn.transition
    way, room = transition.action.direction, transition.room
    known = way in board.subjects("narrow", room)
    if not way or not (known or says("encumbered").search(transition.text)):
        return board
    board = board.without("narrow", lambda one: (one.subject, one.room) == (way, room))
    return board.with_("narrow", [turn.fact(way, room=room)] if transition.failed else [])


def _home(board: Blackboard, turn: Turn) -> Blackboard:
    """A deposit that scored shows where treasures belong, and that it was one."""
    template = _deposit(turn.transition)
    if not template:
        return board
    noun = head_of(turn.transition.action.object)
    names = [turn.fact(name) for name in dict.fromkeys((noun, noun.removesuffix("s")))]
    home = turn.fact(template, room=turn.transition.room)
    return board.without("home", lambda _: True).with_("home", [home]).with_("deposited", names)


def _deposit(transition: Transition) -> str:
    """The command of a deposit that scored, with `{}` for the treasure; empty for none."""
    action = transition.action
    if transition.scored <= 0:
        return ""
    if action.verb == "put" and action.second:
        return f"put {{}} {action.preposition} {action.second}"
    return "drop {}" if action.verb == "drop" and action.object else ""


def _treasures(board: Blackboard, turn: Turn) -> Blackboard:
    """What was taken for points, unless it brought none where treasures do."""
    transition, action = turn.transition, turn.transition.action
    if transition.scored > 0 and action.verb == "take":
        return board.with_("treasure", [turn.fact(noun) for noun in sorted(transition.taken)])
    template = transition.command.replace(action.object, "{}", 1) if action.object else ""
    if transition.scored <= 0 and any(
        (fact.room, fact.subject) == (transition.room, template) for fact in board.of("home")
    ):
        noun = head_of(action.object)
        return board.without("treasure", lambda one: one.subject == noun)
    return board


def _discarded(board: Blackboard, turn: Turn) -> Blackboard:
    """What was dropped, or is not worth dropping anything for."""
    action = turn.transition.action
    nouns = [head_of(name) for name in _too_much(turn) if not _is_wanted(name, turn)]
    if action.verb == "drop":
        several = [head_of(name) for name, _ in item_replies(turn.transition.text, action.object)]
        nouns += several or [head_of(action.object)]
    return board.with_("discarded", [turn.fact(noun) for noun in dict.fromkeys(nouns)])


def _placed(board: Blackboard, turn: Turn) -> Blackboard:
    action = turn.transition.action
    if not action.has("places") or turn.transition.failed:
        return board
    return board.with_("placed", [turn.fact(head_of(action.object))])


# -- what replies show of the place -------------------------------------------


def _absent(board: Blackboard, turn: Turn) -> Blackboard:
    """What is not there, until the game itself speaks of it again."""
    transition, room = turn.transition, turn.transition.room
    noun, reason = head_of(transition.action.object), transition.reason
    sure = _SURE if reason in _ABSENT else 0.0
    spoken_of = {
        head_of(one.name) for one in transition.reading.objects_mentioned if one.confidence > sure
    }
    if board.subjects("absent", room) & spoken_of:
        board = board.without("absent", lambda one: one.room == room and one.subject in spoken_of)
    if noun and reason == "already" and transition.action.verb == "take":
        return board.with_("absent", [turn.fact(noun, room=CARRIED)])
    if noun and reason in _ABSENT:
        return board.with_("absent", [turn.fact(noun, room=room)])
    return board


def _hints(board: Blackboard, turn: Turn) -> Blackboard:
    """Nouns of what was said or read; the latest come first."""
    nouns = [
        head_of(phrase.name)
        for spoken in _SPEECH.findall(turn.transition.text)
        for phrase in noun_phrases(spoken)
    ]
    nouns = [noun for noun in nouns if not noun.endswith(_NO_NOUNS)]
    return board.with_("hint", [turn.fact(noun) for noun in dict.fromkeys(nouns)])


def _revealed(board: Blackboard, turn: Turn) -> Blackboard:
    """What stands after a word like `revealing`."""
    transition = turn.transition
    match = says("revealing").search(transition.text) if transition.command else None
    if match is None:
        return board
    named = (name for name, _ in items(transition.text[match.end() :].split(".")[0]))
    names = [name for name in named if head_of(name) not in grammar()["pronoun"]]
    facts = [turn.fact(name, room=transition.room) for name in dict.fromkeys(names)]
    return board.with_("revealed", facts[:_MOST_REVEALED])


def _stuck(board: Blackboard, turn: Turn) -> Blackboard:
    """What would open only with a tool."""
    transition = turn.transition
    forced = transition.action.has("forces") or transition.action.verb == "take"
    if not forced or transition.result == "success" or not says("stuck").search(transition.text):
        return board
    return board.with_("stuck", [turn.fact(head_of(transition.action.object))])


def _spent(board: Blackboard, turn: Turn) -> Blackboard:
    """Lights that would not shine where it was dark."""
    transition = turn.transition
    noun = head_of(transition.action.object)
    if transition.action.verb != "light" or not noun:
        return board
    board = board.without("spent", lambda one: one.subject == noun)
    fails = transition.failed and transition.reason != "already"
    dark = transition.reading.room is None
    return board.with_("spent", [turn.fact(noun)] if fails and dark else [])


def _failing(board: Blackboard, turn: Turn) -> Blackboard:
    """Lights that are about to go out, or have gone out of themselves."""
    match = says("failing").search(turn.transition.text)
    if match is None or turn.transition.action.verb == "extinguish":
        return board
    lights = {noun: classes(noun) for noun in turn.held}
    lights = {noun: kinds for noun, kinds in lights.items() if "light-source" in kinds}
    named = [noun for noun in lights if noun in match[0].lower()]
    dying = named or [noun for noun, kinds in lights.items() if "fire" not in kinds]
    return board.with_("failing", [turn.fact(noun, source=match[0]) for noun in dying])


def _rising(board: Blackboard, turn: Turn) -> Blackboard:
    transition = turn.transition
    if transition.action.direction or not says("rising").search(transition.text):
        return board
    return board.with_("rising", [turn.fact(transition.room)])


def _changed(board: Blackboard, turn: Turn) -> Blackboard:
    """That an action changed something, in the room or about oneself."""
    transition, action = turn.transition, turn.transition.action
    room = ""
    if action.verb == "attack":
        if transition.scored > 0 or says("defeated").search(transition.text):
            room = transition.room
    elif (transition.scored > 0 and not transition.taken and not _moves_things(transition)) or (
        transition.result == "success" and action.has("oneself")
    ):
        room = CARRIED
    elif transition.result == "success" and action.has("changes"):
        room = transition.room
    if not room:
        return board
    board = board.without("changed", lambda one: one.room == room)
    return board.with_("changed", [turn.fact(action.canonical, room=room)])


def _moves_things(transition: Transition) -> bool:
    return transition.action.verb in ("go", "enter", "climb", "put", "drop")


def _opened(board: Blackboard, turn: Turn) -> Blackboard:
    """The ways that an action seems to have opened: what its reply names, the door itself."""
    transition, action, room = turn.transition, turn.transition.action, turn.transition.room
    if transition.failed and transition.command in board.subjects("opened", room):
        gone = transition.command
        return board.without("opened", lambda one: (one.subject, one.room) == (gone, room))
    if not action.has("changes") or transition.failed:
        return board
    named = [word.lower() for word in says("ways").findall(transition.text)]
    ways = [_SLOPES.get(word[:6], word) for word in named]
    if action.verb == "tie":
        ways.append("down")
    if action.verb == "open" and "door" in classes(action.object):
        ways.append(f"enter {action.object}")
    known = [way for way in dict.fromkeys(ways) if way in DIRECTIONS or " " in way]
    return board.with_("opened", [turn.fact(way, room=room) for way in known[:4]])


def _bright(board: Blackboard, turn: Turn) -> Blackboard:
    """Rooms one can see in without a light of one's own."""
    after = turn.transition.after
    here = after.map_view.here
    if not here or after.world_view.dark or here in board.subjects("bright"):
        return board
    if may_shine(after):
        return board
    return board.with_("bright", [turn.fact(here)])


def may_shine(knowledge: Knowledge) -> bool:
    """A light is carried that burns, or may burn for all one knows."""
    used = knowledge.statistics.has_tried("light")
    lights = [thing for thing in knowledge.held if "light-source" in thing.classes]
    states = [thing.is_("lit") if thing.is_("on") is None else thing.is_("on") for thing in lights]
    return any(state or (state is None and used) for state in states)


RULES: tuple[Rule, ...] = (
    _requests,
    _hostile,
    _wounds,
    _barring,
    _replies,
    _overloaded,
    _left,
    _narrow,
    _absent,
    _changed,
    _opened,
    _treasures,
    _home,
    _offers,
    _stuck,
    _spent,
    _failing,
    _rising,
    _placed,
    _discarded,
    _revealed,
    _hints,
    _cues,
    _ambiguous,
    _bright,
)
"""Every rule, in the order in which they read a turn."""
