"""Requests: what the game asks for before it does something, and the questions that it asks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from managers.core.option import REPLY, Draft
from managers.core.scene import Scene
from managers.core.skill import Obstacle, Skill
from managers.language.actions import canonical, classes, parse
from managers.language.lexicon import head_of, words_of
from managers.language.outcomes import YES_NO, asks_whether_sure, part_understood
from managers.world.attempts import AttemptRow, Attempts
from managers.world.facts import Blackboard, is_about
from managers.world.transition import Transition

REQUEST = "request"
"""Fact: a command asked for before others; value: the refused one. Over when that was played."""
REPLIES = "reply"
"""Fact: what answers the question just asked, until the next turn."""
ALIKE = "alike"
"""Fact: the reply that all commands get; value: the verbs that got it so far, in a row."""
AMBIGUOUS = "ambiguous"
"""Fact: a noun that means more than one thing to the game."""
_MOST = 18
_FIRST = re.compile(
    r"\b(?:have to|need to|must|should|ought to|better|try to|want to|good idea to)"
    r" (?P<asked>[a-z][\w' -]{2,60}?)(?: first\b| before (?:you|\w+ing)\b)",
    re.IGNORECASE,
)
_IN_NOTHING = re.compile(
    r"(?:but )?you(?:'re| are)(?: not|n't) (?:in|on|sitting|lying)\b", re.IGNORECASE
)
_CLAUSE = re.compile(r" (?:that |which )?you(?:'re| are|'ve| have) .*")
_ARTICLES = frozenset({"the", "a", "an", "your", "my", "some", "that", "probably", "one's"})
_NO_COMMANDS = frozenset({"be", "do", "have", "know", "find", "go", "figure", "deal"})
_POSTURE = ("out", "stand up", "exit")
_KEYS = ("space", "q", "enter")
"""What leads on, or out of a menu, where a single key is waited for."""
_MOST_TRIES = 4
_MOST_ALIKE = 3
"""So many different verbs get one reply where nothing but a way out is heard."""
_MOST_COMPARED = 80
"""Letters of a reply, by which it is the same as another."""
_TELLING = 3
"""So many words has a reply that says something, unlike `Taken.`"""
_OVERCOME = frozenset({"locked", "closed", "not_held"})
"""Reasons for a failure that an action may have removed."""
_ELSEWHERE = 0.5
"""How likely what was asked for and failed there works in another room."""
_ASKED = 1.4
_PERHAPS = 0.5
"""How likely what was refused works after something else than what was asked for."""
_ANSWER = 4
"""How much more than usual an answer is worth."""


class Request(NamedTuple):
    """A command the game wants to see before it does others."""

    command: str
    blocked: tuple[tuple[str, str], ...]
    """What it refused so far, the latest first: room and command of each."""
    done: bool
    tries: int
    """How often it was played in vain, wherever it was played since it was asked for."""


class Asked:
    """What the game asks for before it lets the agent do something."""

    def __init__(self, scene: Scene) -> None:
        self.requests = _requests_on(scene.board, scene.attempts)


class RequestsSkill(Skill):
    """Does first what the game asks for, then what it refused; answers its questions."""

    def notice(self, board: Blackboard, transition: Transition) -> Blackboard:
        """What the game wants to see first, what answers its question, what is ambiguous."""
        board = _with_alike(_with_requests(board, transition), transition)
        board = _with_replies(board, transition)
        if transition.reason != "ambiguous":
            return board
        return board.with_(AMBIGUOUS, [transition.fact(head_of(transition.action.object))])

    def offer(self, scene: Scene) -> Iterator[Draft]:
        """What was refused and may work now, what is asked for, and the answers to a question."""
        yield from _overcome(scene)
        yield from _asked_for(scene)
        for reply in scene.board.of(REPLIES):
            yield Draft(scene.here, reply.subject, REPLY, scale=_ANSWER)

    def obstacles(self, scene: Scene) -> Iterator[Obstacle]:
        """What was refused until something is done, the latest request first."""
        for request in scene.view(Asked).requests:
            for room, command in request.blocked:
                vain = request.done or scene.world.failed(request.command, scene.here)
                first = "" if vain else request.command
                yield Obstacle(room, command, first, gone=request.done)


def _overcome(scene: Scene) -> Iterator[Draft]:
    """What failed here before an action has changed what it failed for."""
    changed = scene.knowledge.changed(scene.here)
    for failure in scene.attempts.failures_at(scene.here):
        tells = parse(failure.command).has("tells")
        again = scene.attempts.of(scene.here, failure.command).turn > failure.turn
        if failure.reason not in _OVERCOME or failure.turn >= changed or tells or again:
            continue
        if scene.changed_since_failure(failure.command, scene.here):
            yield Draft(scene.here, failure.command, "retry", lasting=True)


def _asked_for(scene: Scene) -> Iterator[Draft]:
    """What the game asks for before it lets the agent do something, and then that."""
    for request in scene.view(Asked).requests:
        if request.done:
            for room, blocked in request.blocked:
                parts = parse(blocked)
                handed = parts.verb in ("put", "give", "drop") and head_of(parts.object)
                if not handed or handed in scene.held_nouns:
                    yield Draft(room, blocked, "retry")
        elif not scene.undoes(request.command):
            yield from _open_request(scene, request)
    if scene.world.inside:
        for command in _POSTURE:
            yield Draft(scene.here, command, "prepare", chance=0.6, scale=0.7)


def _open_request(scene: Scene, request: Request) -> Iterator[Draft]:
    for room, blocked in request.blocked:
        if scene.knowledge.changed(room) > scene.attempts.of(room, blocked).turn:
            yield Draft(room, blocked, "retry", chance=_PERHAPS)
    room, blocked = request.blocked[0]
    purpose = f"the game asks for it before `{blocked}`"
    yield Draft(room, request.command, "prepare", purpose=purpose, scale=_ASKED)
    if request.tries and request.command.startswith("get "):
        for command in _POSTURE:
            yield Draft(scene.here, command, "prepare", chance=_ELSEWHERE)
    if request.tries and room != scene.here and _is_possible_here(scene, request.command):
        yield Draft(scene.here, request.command, "prepare", chance=_ELSEWHERE)


def _is_possible_here(scene: Scene, command: str) -> bool:
    """What the command names is at hand, or known nowhere and no part of another room."""
    name = parse(command).object
    noun = head_of(name)
    fixture = classes(name) & {"fixed", "scenery", "door", "furniture"}
    words = set(words_of(name)) if fixture else {noun}  # The front door is not any door.
    here = (thing for thing in scene.around if thing.noun == noun)
    if noun in scene.held_nouns or any(words <= {noun, *words_of(one.name)} for one in here):
        return True
    return not fixture and (not name or scene.world.meant(name) is None)


# -- what is noticed -------------------------------------------------------------


def _requests_on(board: Blackboard, attempts: Attempts) -> tuple[Request, ...]:
    """The requests of the game, the latest first."""
    found, facts = list[Request](), board.of(REQUEST)
    for wanted in dict.fromkeys(fact.subject for fact in facts):
        asked = max(fact.turn for fact in facts if fact.subject == wanted)
        since = {
            command: [row for row in attempts.rows_of(command) if row.get("turn", 0) > asked]
            for command in _meeting(wanted)
        }
        done = any(_is_met(row) for rows in since.values() for row in rows)
        blocked = tuple((fact.room, fact.value) for fact in facts if fact.subject == wanted)
        tries = sum(row.get("times", 0) - row.get("worked", 0) for row in since[wanted])
        found.append(Request(wanted, blocked, done, tries))
    return tuple(found)


def _meeting(wanted: str) -> tuple[str, ...]:
    """What does as one is asked: who has to get out of something may stand up."""
    return (wanted, *_POSTURE, "get up") if wanted.startswith("get ") else (wanted,)


def _is_met(row: AttemptRow) -> bool:
    """It has worked, or one is in nothing: `But you aren't in bed.` is heard."""
    if not row.get("refused"):
        return bool(row.get("worked"))
    return bool(_IN_NOTHING.match(row.get("text", "")))


def _with_requests(board: Blackboard, transition: Transition) -> Blackboard:
    """What the game wants to see first, with what it refused until then."""
    played, after = (transition.start, transition.command), transition.after
    requests = _requests_on(board, after.attempts_view)
    for request in requests:
        if (request.done or not transition.failed) and played in request.blocked:
            board = board.without(REQUEST, lambda fact: (fact.room, fact.value) == played)
        elif not request.done and request.tries >= _MOST_TRIES:
            board = board.without(REQUEST, is_about(request.command))
    prerequisite = transition.reading.action_result.prerequisite
    wanted = _briefly(prerequisite or _asked(transition.text), transition)
    if not wanted or wanted == transition.command or not transition.command:
        return board
    if any(one.done and one.command == wanted and played in one.blocked for one in requests):
        return board  # It was done, and that was not enough.
    noun = head_of(parse(wanted).object)
    seen = any(thing.noun == noun for thing in (*after.world_view.objects(), *after.around))
    if parse(wanted).verb == "take" and not seen:
        return board  # `You don't have any money.`
    fact = transition.fact(wanted, room=transition.room, value=transition.command)
    return board.with_(REQUEST, [fact], _MOST)


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
    clear = len(meant) == 1 and noun not in before.board.subjects(AMBIGUOUS)
    if clear and not action.second and wanted.endswith(action.object):
        return wanted[: -len(action.object)] + noun
    return wanted


def _with_replies(board: Blackboard, transition: Transition) -> Blackboard:
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
    elif (alike := board.of(ALIKE)) and len(alike[0].value.split()) >= _MOST_ALIKE:
        said = (*YES_NO, *_POSTURE)
    return board.without(REPLIES, lambda _: True).with_(REPLIES, map(transition.fact, said))


def _with_alike(board: Blackboard, transition: Transition) -> Blackboard:
    """The reply that the last commands have all got, whatever they were, and their verbs."""
    before = next(iter(board.of(ALIKE)), None)
    board = board.without(ALIKE, lambda _: True)
    said = transition.text[:_MOST_COMPARED]
    if len(said.split()) < _TELLING or transition.reason:
        return board
    verbs = before.value.split() if before is not None and before.subject == said else []
    told = " ".join(sorted({transition.action.verb, *verbs}))
    return board.with_(ALIKE, [transition.fact(said, value=told)])


def _chosen(transition: Transition, choice: str) -> str:
    """The command with the thing that it did not name clearly: every parser understands that."""
    action = transition.action
    names = [name for name in (action.second, action.object) if name]
    unclear = next((name for name in names if name.split()[-1] in choice.split()), action.object)
    whole = rf"\b{re.escape(unclear)}\b"
    return re.sub(whole, lambda _: choice, transition.command, count=1) if unclear else choice
