"""What the game's replies suggest to do next: requests, questions, foes, homes of treasures.

Kept as plain data in the state field `dynamics`, next to the statistics.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from managers.extraction import TurnExtraction
from managers.text.commands import parse_command
from managers.text.lexicon import head_of
from managers.text.nouns import noun_phrases

_PENDING = 6
"""How many requests of the game are kept, the latest first."""
_BLOCKED = 4
_ATTEMPTS = 4
_CALM_AFTER = 12
"""Turns after which somebody who attacked counts as harmless again."""
_HOSTILE = re.compile(
    r"\b(?:attacks?|attacking|swings?|stabs?|lunges?|charges|brandish\w*|snarls?|growls?|menac\w+"
    r"|threaten\w*|blocks? your (?:way|path)|bars? (?:your|the) (?:way|path)|won't let you"
    r"|(?:will|does|do) not (?:\w+ ){0,3}let you|fends? you off|slashes|strikes?|blocks all"
    r"|blocking (?:your|the) way|hisses|bares|circles|catches you|opens your|knocks you"
    r"|steps (?:between|in front|into your)|would have to get past)\b",
    re.IGNORECASE,
)
_DEFEATED = re.compile(
    r"\b(?:dies|is dead|killed|unconscious|collapses|defeated|slain|disappears|vanishes|flees"
    r"|falls dead|carcass|breathes? (?:his|her|its) last)\b",
    re.IGNORECASE,
)
_FIRST = re.compile(
    r"\b(?:have to|need to|must|should|ought to|better|try to|want to)"
    r" (?P<asked>[a-z][\w' -]{2,40}?)(?: first\b| before (?:you|doing|trying|going))",
    re.IGNORECASE,
)
_ARTICLES = frozenset({"the", "a", "an", "your", "my", "some", "that", "probably"})
_NO_COMMANDS = frozenset({"be", "do", "have", "know", "find", "go", "figure", "deal"})
_LADEN = re.compile(
    r"\b(?:load|carrying too|carry any ?more|holding too|hands? (?:is|are) full|arms are full)\b",
    re.IGNORECASE,
)
_CARRIED = "inventory"
_CHANGING = frozenset({"unlock", "open", "tie", "move", "push", "pull", "turn", "light", "put"})
_CHANGING_ONESELF = frozenset({"wear", "remove", "stand", "leave", "eat", "drink", "wash"})
_MOVING = frozenset({"go", "enter", "climb", "put", "drop"})
_ABSENCE = frozenset({"not_here", "unknown_word"})
_INTEREST = re.compile(
    r"\bthe (?P<who>[\w' -]{2,24}?) (?:\w+ )?"
    r"(?:seen|sees|eyes|watches|wants|sniffs at|looks at|stares at|admires|covets|notices) "
    r"(?:at )?your (?P<thing>[\w'-]+)",
    re.IGNORECASE,
)
_TOOL = re.compile(
    r"\b(?:need (?:something|a |an |some)|nailed|lever|pry|prise|stuck|jammed)\b", re.I
)
_FORCING = frozenset({"open", "pull", "push", "move", "turn", "take"})
_PLACING = frozenset({"tie"})
_MOST_REVEALED = 6
_REVEALING = re.compile(
    r"\b(?:reveal(?:s|ing|ed)?|uncover(?:s|ing)?|discover(?:s|ing)?|you (?:find|notice|see))\b",
    re.IGNORECASE,
)
_MOST_DEPOSITED = 40
_MOST_HINTS = 40
_SPEECH = re.compile(r'"([^"]{12,})"?')
_YES_NO = ("yes", "no")


class Request(NamedTuple):
    """A command the game wants to see before it does others."""

    command: str
    blocked: list[list[str]]
    """What it refused so far: room and command of each."""
    done: bool
    attempts: int


class Leads:
    """A view of the plain data; `updated` copies what it changes."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data

    @property
    def requests(self) -> list[Request]:
        return [Request(*entry) for entry in self.data.get("requests", [])]

    @property
    def hostile(self) -> frozenset[str]:
        """The names of those who attacked or bar the way."""
        return frozenset(self.data.get("hostile", {}))

    @property
    def replies(self) -> list[str]:
        """What answers the question the game just asked."""
        return list(self.data.get("replies", []))

    @property
    def home(self) -> tuple[str, str] | None:
        """Where treasures score: the room, and the command with `{}` for the treasure."""
        home = self.data.get("home")
        return (home[0], home[1]) if home else None

    def is_absent(self, room: str, noun: str) -> bool:
        """The game said that it sees no such thing there, or that it is what one carries."""
        absent = self.data.get("absent", {})
        return noun in absent.get(room, ()) or noun in absent.get(_CARRIED, ())

    def changed(self, room: str) -> int:
        """The last turn in which an action changed something that may matter in the room."""
        changed = self.data.get("changed", {})
        return int(max(changed.get(room, -1), changed.get(_CARRIED, -1)))

    @property
    def treasures(self) -> frozenset[str]:
        """The nouns of what scored when it was taken."""
        return frozenset(self.data.get("treasures", ()))

    @property
    def deposited(self) -> frozenset[str]:
        """The nouns of the treasures that are where they belong."""
        return frozenset(self.data.get("deposited", ()))

    @property
    def offers(self) -> tuple[tuple[str, str], ...]:
        """Carried things that somebody takes an interest in: noun and somebody."""
        return tuple((thing, who) for thing, who in self.data.get("offers", ()))

    @property
    def stuck(self) -> frozenset[str]:
        """The nouns of what does not open by hand."""
        return frozenset(self.data.get("stuck", ()))

    @property
    def placed(self) -> frozenset[str]:
        """The nouns of what was tied or put somewhere to some effect."""
        return frozenset(self.data.get("placed", ()))

    @property
    def discarded(self) -> frozenset[str]:
        """The nouns of what was dropped to carry something better."""
        return frozenset(self.data.get("discarded", ()))

    def revealed(self, room: str) -> tuple[str, ...]:
        """Names of what an action in the room has brought to light."""
        return tuple(self.data.get("revealed", {}).get(room, ()))

    @property
    def hints(self) -> frozenset[str]:
        """Nouns the game has spoken of in speech or writing."""
        return frozenset(self.data.get("hints", ()))

    @property
    def ambiguous(self) -> frozenset[str]:
        """Nouns that mean more than one thing to the game."""
        return frozenset(self.data.get("ambiguous", ()))

    @property
    def overloaded(self) -> bool:
        return bool(self.data.get("overloaded"))


class Turn(NamedTuple):
    """One turn as far as leads are concerned."""

    turn: int
    room: str
    command: str
    text: str
    extraction: TurnExtraction
    scored: int
    others: tuple[str, ...]
    """What is here and could act: persons and creatures first."""
    held: tuple[str, ...]
    """The nouns of what was carried before."""
    taken: tuple[str, ...]
    """The nouns of what is carried now and was not before."""


def updated(data: dict[str, Any], turn: Turn) -> dict[str, Any]:
    """The leads after one more turn."""
    return {
        "requests": _requests(data.get("requests", []), turn),
        "hostile": _hostile(data.get("hostile", {}), turn),
        "replies": _replies(turn),
        "home": _home(turn) or data.get("home"),
        "overloaded": _overloaded(data, turn),
        "absent": _absent(data.get("absent", {}), turn),
        "changed": _changed(data.get("changed", {}), turn),
        "treasures": _treasures(data.get("treasures", []), turn),
        "offers": _offers(data.get("offers", []), turn),
        "stuck": _stuck(data.get("stuck", []), turn),
        "placed": _placed(data.get("placed", []), turn),
        "discarded": _discarded(data, turn),
        "revealed": _revealed(data.get("revealed", {}), turn),
        "hints": _hints(data.get("hints", []), turn),
        "ambiguous": _ambiguous(data.get("ambiguous", []), turn),
        "deposited": _deposited(data.get("deposited", []), turn),
    }


def _requests(requests: list[Any], turn: Turn) -> list[Any]:
    kept = [entry for entry in (_followed(Request(*entry), turn) for entry in requests) if entry]
    wanted = turn.extraction.action_result.prerequisite or _asked(turn.text)
    if not wanted or wanted == turn.command or not turn.command or "them" in wanted.split():
        return kept
    refused = [turn.room, turn.command]
    for entry in kept:
        if entry[0] == wanted:
            blocked = [one for one in entry[1] if one != refused]
            kept.remove(entry)
            return [[wanted, [refused, *blocked][:_BLOCKED], False, entry[3]], *kept]
    return [[wanted, [refused], False, 0], *kept][:_PENDING]


def _followed(request: Request, turn: Turn) -> list[Any] | None:
    """The request after this turn; None if it is settled or given up."""
    done, attempts = request.done, request.attempts
    blocked = request.blocked
    if turn.command == request.command:
        done = turn.extraction.action_result.result == "success" or turn.scored > 0
        attempts += not (turn.extraction.action_result.prerequisite or _asked(turn.text))
    elif done:
        blocked = [one for one in blocked if one != [turn.room, turn.command]]
    if not blocked or (attempts >= _ATTEMPTS and not done):
        return None
    return [request.command, blocked, done, attempts]


def _asked(text: str) -> str:
    """The command asked for: `take off coat` in "You'll have to take off your coat first"."""
    match = _FIRST.search(text)
    if match is None:
        return ""
    words = [word for word in match["asked"].lower().split() if word not in _ARTICLES]
    return " ".join(words) if words and words[0] not in _NO_COMMANDS else ""


def _hostile(hostile: dict[str, int], turn: Turn) -> dict[str, int]:
    """Who attacks or bars the way: the nearest noun before the word that says so."""
    still = {name: seen for name, seen in hostile.items() if turn.turn - seen < _CALM_AFTER}
    for sentence in re.split(r"(?<=[.!?])\s+", turn.text):
        words = sentence.lower()
        defeated = _DEFEATED.search(words)
        if defeated:
            still = {name: seen for name, seen in still.items() if name.split()[-1] not in words}
            continue
        attack = _HOSTILE.search(words)
        if attack:
            subjects = [name for name in turn.others if _before(name, words, attack.start())]
            still |= dict.fromkeys(subjects[:1], turn.turn)
            still |= {name: turn.turn for name in still}
    return still


def _before(name: str, sentence: str, position: int) -> bool:
    at = sentence.find(name.split()[-1])
    return 0 <= at < position


def _replies(turn: Turn) -> list[str]:
    question = turn.extraction.question
    if question == "yes_no":
        return list(_YES_NO)
    if question == "which":
        return list(turn.extraction.choices[:4])
    return []


def _home(turn: Turn) -> list[str] | None:
    """A deposit that scored shows where treasures belong."""
    if turn.scored <= 0 or not turn.command:
        return None
    parts = parse_command(turn.command)
    if parts.verb == "put" and parts.second:
        return [turn.room, f"put {{}} {parts.preposition} {parts.second}"]
    if parts.verb == "drop" and parts.object:
        return [turn.room, "drop {}"]
    return None


def _overloaded(data: dict[str, Any], turn: Turn) -> bool:
    if turn.extraction.action_result.result == "failure" and _LADEN.search(turn.text):
        return True
    return bool(data.get("overloaded")) and parse_command(turn.command).verb != "drop"


def _absent(absent: dict[str, list[str]], turn: Turn) -> dict[str, list[str]]:
    """What is not there, until the game itself speaks of it again."""
    listed = {
        head_of(one.name) for one in turn.extraction.objects_mentioned if one.confidence > 0.8
    }
    here = [noun for noun in absent.get(turn.room, []) if noun not in listed]
    noun = head_of(parse_command(turn.command).object)
    reason = turn.extraction.action_result.reason
    if noun and reason == "already" and parse_command(turn.command).verb == "take":
        return {**absent, _CARRIED: list(dict.fromkeys([*absent.get(_CARRIED, []), noun]))}
    if noun and reason in _ABSENCE:
        here = list(dict.fromkeys([*here, noun]))
    return {**absent, turn.room: here} if here or turn.room in absent else absent


def _deposited(deposited: list[str], turn: Turn) -> list[str]:
    if _home(turn) is None:
        return deposited
    return [*deposited, head_of(parse_command(turn.command).object)][-_MOST_DEPOSITED:]


def _hints(hints: list[str], turn: Turn) -> list[str]:
    """What was said or read last comes first."""
    spoken = _SPEECH.findall(turn.text)
    if not spoken:
        return hints
    nouns = [head_of(phrase.name) for text in spoken for phrase in noun_phrases(text)]
    return list(dict.fromkeys([*nouns, *hints]))[:_MOST_HINTS]


def _ambiguous(ambiguous: list[str], turn: Turn) -> list[str]:
    if turn.extraction.action_result.reason != "ambiguous":
        return ambiguous
    noun = head_of(parse_command(turn.command).object)
    return list(dict.fromkeys([noun, *ambiguous]))[:_MOST_HINTS]


def _discarded(data: dict[str, Any], turn: Turn) -> list[str]:
    discarded: list[str] = data.get("discarded", [])
    parts = parse_command(turn.command)
    if not data.get("overloaded") or parts.verb != "drop":
        return discarded
    return [head_of(parts.object), *discarded][:_MOST_HINTS]


def _revealed(revealed: dict[str, list[str]], turn: Turn) -> dict[str, list[str]]:
    """What stands after a word like `revealing`, the parts of `A of B` one by one."""
    match = _REVEALING.search(turn.text)
    if match is None or not turn.command:
        return revealed
    tail = turn.text[match.end() :].split(".")[0].replace(" of ", " and ")
    names = [phrase.name for phrase in noun_phrases(tail)]
    known = [*names, *revealed.get(turn.room, [])]
    return {**revealed, turn.room: list(dict.fromkeys(known))[:_MOST_REVEALED]}


def _offers(offers: list[list[str]], turn: Turn) -> list[list[str]]:
    """From sentences in which somebody has an eye on something the agent carries."""
    found = list(offers)
    for match in _INTEREST.finditer(turn.text):
        thing, who = match["thing"].lower(), head_of(match["who"].lower())
        if thing in turn.held and [thing, who] not in found:
            found.insert(0, [thing, who])
    return found[:_PENDING]


def _stuck(stuck: list[str], turn: Turn) -> list[str]:
    parts = parse_command(turn.command)
    result = turn.extraction.action_result
    if parts.verb not in _FORCING or result.result == "success" or not _TOOL.search(turn.text):
        return stuck
    return list(dict.fromkeys([head_of(parts.object), *stuck]))[:_MOST_HINTS]


def _placed(placed: list[str], turn: Turn) -> list[str]:
    parts = parse_command(turn.command)
    if parts.verb not in _PLACING or turn.extraction.action_result.result == "failure":
        return placed
    return list(dict.fromkeys([head_of(parts.object), *placed]))[:_MOST_HINTS]


def _changed(changed: dict[str, int], turn: Turn) -> dict[str, int]:
    verb = parse_command(turn.command).verb
    if turn.scored > 0 and not turn.taken and verb not in _MOVING:
        return {**changed, _CARRIED: turn.turn}
    if turn.extraction.action_result.result != "success":
        return changed
    if verb in _CHANGING_ONESELF:
        return {**changed, _CARRIED: turn.turn}
    return {**changed, turn.room: turn.turn} if verb in _CHANGING else changed


def _treasures(treasures: list[str], turn: Turn) -> list[str]:
    """What was just taken for points."""
    if turn.scored <= 0 or parse_command(turn.command).verb != "take":
        return treasures
    return list(dict.fromkeys([*turn.taken, *treasures]))[:_MOST_DEPOSITED]
