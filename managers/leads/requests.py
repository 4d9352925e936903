"""What the game asks for: a command before another one, an answer, a clearer name."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from managers.leads.turn import Turn
from managers.text.commands import parse_command
from managers.text.lexicon import head_of

_PENDING = 6
"""How many requests of the game are kept, the latest first."""
_BLOCKED = 4
_ATTEMPTS = 4
_FIRST = re.compile(
    r"\b(?:have to|need to|must|should|ought to|better|try to|want to)"
    r" (?P<asked>[a-z][\w' -]{2,60}?)(?: first\b| before (?:you|doing|trying|going))",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r" (?:that |which )?you(?:'re| are|'ve| have) .*")
_ARTICLES = frozenset({"the", "a", "an", "your", "my", "some", "that", "probably"})
_NO_COMMANDS = frozenset({"be", "do", "have", "know", "find", "go", "figure", "deal"})
_MOST = 40
_YES_NO = ("yes", "no")


class Request(NamedTuple):
    """A command the game wants to see before it does others."""

    command: str
    blocked: list[list[str]]
    """What it refused so far: room and command of each."""
    done: bool
    attempts: int


def requests(requests: list[Any], turn: Turn) -> list[Any]:
    """What the game wants to see first, with what it refused until then."""
    kept = [entry for entry in (_followed(Request(*entry), turn) for entry in requests) if entry]
    wanted = _briefly(turn.extraction.action_result.prerequisite or _asked(turn.text), turn)
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
    asked = _CLAUSE.sub("", match["asked"].lower())
    words = [word for word in asked.split() if word not in _ARTICLES]
    return " ".join(words) if words and words[0] not in _NO_COMMANDS else ""


def _briefly(wanted: str, turn: Turn) -> str:
    """The command with the mere noun of what is carried, which every game understands."""
    parts = parse_command(wanted)
    noun = head_of(parts.object)
    if noun in turn.held and not parts.second and wanted.endswith(parts.object):
        return wanted[: -len(parts.object)] + noun
    return wanted


def replies(turn: Turn) -> list[str]:
    """What answers the question the game has just asked."""
    question = turn.extraction.question
    if question == "yes_no":
        return list(_YES_NO)
    if question == "which":
        return [_chosen(turn.command, choice) for choice in turn.extraction.choices[:4]]
    return []


def _chosen(command: str, choice: str) -> str:
    """The command with the thing that it did not name clearly: every parser understands that."""
    parts = parse_command(command)
    names = [name for name in (parts.second, parts.object) if name]
    unclear = next((name for name in names if name.split()[-1] in choice.split()), parts.object)
    return command.replace(unclear, choice) if unclear else choice


def ambiguous(ambiguous: list[str], turn: Turn) -> list[str]:
    """The nouns that the game found unclear."""
    if turn.extraction.action_result.reason != "ambiguous":
        return ambiguous
    noun = head_of(parse_command(turn.command).object)
    return list(dict.fromkeys([noun, *ambiguous]))[:_MOST]
