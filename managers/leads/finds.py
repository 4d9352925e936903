"""What replies show of the place: things, ways, changes, and what is not there after all."""

from __future__ import annotations

import re

from managers.affordances import affordances
from managers.leads.others import DEFEATED
from managers.leads.turn import Turn
from managers.text.commands import parse_command
from managers.text.lexicon import head_of
from managers.text.listings import items
from managers.text.nouns import noun_phrases

CARRIED = "inventory"
_CHANGING = frozenset({"unlock", "open", "tie", "move", "push", "pull", "turn", "light", "put"})
_CHANGING_ONESELF = frozenset({"wear", "remove", "stand", "leave", "eat", "drink", "wash"})
_MOVING = frozenset({"go", "enter", "climb", "put", "drop"})
_WAYS = re.compile(
    r"\b(?:(?:north|south)(?:east|west)|north|south|east|west|down|up|descend\w*|ascend\w*)\b",
    re.IGNORECASE,
)
_SLOPES = {"descen": "down", "ascend": "up"}
_ABSENCE = frozenset({"not_here", "unknown_word"})
_TOOL = re.compile(
    r"\b(?:need (?:something|a |an |some)|nailed|lever|pry|prise|stuck|jammed)\b", re.I
)
_FORCING = frozenset({"open", "pull", "push", "move", "turn", "take"})
_MOST_REVEALED = 6
_REVEALING = re.compile(
    r"\b(?:reveal(?:s|ing|ed)?|uncover(?:s|ing)?|discover(?:s|ing)?|you (?:find|notice|see))\b",
    re.IGNORECASE,
)
_DIES_DOWN = re.compile(
    r"\b(?:lamp|lantern|torch|flashlight|candles?|light|batter(?:y|ies))\b[^.!?]{0,30}"
    r"\b(?:(?:nearly|almost|burn(?:ed|t)?|run(?:s|ning)?|go(?:es)?|gone|flickers?) out"
    r"|dies\b|about to (?:go out|die|fail)|(?:dead|exhausted|failing|fading)"
    r"|(?:definitely|much|very|noticeably|growing|getting) (?:dim|faint|weak)(?:mer|er)?\b)"
    r"|\bbetter have more light\b",
    re.IGNORECASE,
)
_RISES = re.compile(
    r"\b(?:water|sand|mud|slime|lava)\b[^.!?]{0,40}?\b(?:(?:is|keeps) rising"
    r"|(?:up to|at|to|above|reaches|covers) your"
    r" (?:ankles?|shins?|knees?|thighs?|waist|hips|chest|shoulders|neck|chin))\b",
    re.IGNORECASE,
)
_NO_NOUNS = ("ing", "ed", "ly", "able")
_MOST = 40
_SPEECH = re.compile(r'(?:^|[\s(])"(?=\S)([^"]{12,})')


def absent(absent: dict[str, list[str]], turn: Turn) -> dict[str, list[str]]:
    """What is not there, until the game itself speaks of it again."""
    reason = turn.extraction.action_result.reason
    sure = 0.8 if reason in _ABSENCE else 0.0
    spoken_of = {
        head_of(one.name) for one in turn.extraction.objects_mentioned if one.confidence > sure
    }
    here = [noun for noun in absent.get(turn.room, []) if noun not in spoken_of]
    noun = head_of(parse_command(turn.command).object)
    if noun and reason == "already" and parse_command(turn.command).verb == "take":
        return {**absent, CARRIED: list(dict.fromkeys([*absent.get(CARRIED, []), noun]))}
    if noun and reason in _ABSENCE:
        here = list(dict.fromkeys([*here, noun]))
    return {**absent, turn.room: here} if here or turn.room in absent else absent


def hints(hints: list[str], turn: Turn) -> list[str]:
    """What was said or read last comes first."""
    spoken = _SPEECH.findall(turn.text)
    if not spoken:
        return hints
    nouns = [head_of(phrase.name) for text in spoken for phrase in noun_phrases(text)]
    nouns = [noun for noun in nouns if not noun.endswith(_NO_NOUNS)]
    return list(dict.fromkeys([*nouns, *hints]))[:_MOST]


def revealed(revealed: dict[str, list[str]], turn: Turn) -> dict[str, list[str]]:
    """What stands after a word like `revealing`."""
    match = _REVEALING.search(turn.text)
    if match is None or not turn.command:
        return revealed
    names = [name for name, _ in items(turn.text[match.end() :].split(".")[0])]
    known = [*names, *revealed.get(turn.room, [])]
    return {**revealed, turn.room: list(dict.fromkeys(known))[:_MOST_REVEALED]}


def stuck(stuck: list[str], turn: Turn) -> list[str]:
    """What would open only with a tool."""
    parts = parse_command(turn.command)
    result = turn.extraction.action_result
    if parts.verb not in _FORCING or result.result == "success" or not _TOOL.search(turn.text):
        return stuck
    return list(dict.fromkeys([head_of(parts.object), *stuck]))[:_MOST]


def spent(spent: list[str], turn: Turn) -> list[str]:
    """The nouns of lights that would not shine where it was dark."""
    parts = parse_command(turn.command)
    noun, result = head_of(parts.object), turn.extraction.action_result
    if parts.verb != "light" or not noun:
        return spent
    others = [one for one in spent if one != noun]
    fails = result.result == "failure" and result.reason != "already"
    return [noun, *others][:_MOST] if fails and turn.extraction.room is None else others


def failing(failing: list[str], turn: Turn) -> list[str]:
    """The nouns of lights that are about to go out, or have gone out of themselves."""
    match = _DIES_DOWN.search(turn.text)
    if match is None or parse_command(turn.command).verb == "extinguish":
        return failing
    lights = {noun: affordances().classes(noun) for noun in turn.held}
    lights = {noun: kinds for noun, kinds in lights.items() if "light-source" in kinds}
    named = [noun for noun in lights if noun in match[0].lower()]
    dying = named or [noun for noun, kinds in lights.items() if "fire" not in kinds]
    return list(dict.fromkeys([*dying, *failing]))[:_MOST]


def rising(rising: list[str], turn: Turn) -> list[str]:
    """The rooms that fill with what one could drown in."""
    if parse_command(turn.command).direction or not _RISES.search(turn.text):
        return rising
    return list(dict.fromkeys([turn.room, *rising]))[:_MOST]


def changed(changed: dict[str, int], turn: Turn) -> dict[str, int]:
    """When an action changed something, by room; `CARRIED` for oneself."""
    verb = parse_command(turn.command).verb
    if verb == "attack" and (turn.scored > 0 or DEFEATED.search(turn.text)):
        return {**changed, turn.room: turn.turn}
    if turn.scored > 0 and not turn.taken and verb not in _MOVING:
        return {**changed, CARRIED: turn.turn}
    if turn.extraction.action_result.result != "success":
        return changed
    if verb in _CHANGING_ONESELF:
        return {**changed, CARRIED: turn.turn}
    return {**changed, turn.room: turn.turn} if verb in _CHANGING else changed


def opened(opened: dict[str, list[str]], turn: Turn) -> dict[str, list[str]]:
    """The ways that an action seems to have opened: what its reply names, the door itself."""
    parts = parse_command(turn.command)
    failed = turn.extraction.action_result.result == "failure"
    if failed and turn.command in opened.get(turn.room, ()):
        rest = [way for way in opened[turn.room] if way != turn.command]
        return {**opened, turn.room: rest}
    if parts.verb not in _CHANGING or failed:
        return opened
    named = [word.lower() for word in _WAYS.findall(turn.text)]
    ways = [_SLOPES.get(word[:6], word) for word in named]
    if parts.verb == "tie":
        ways.append("down")
    if parts.verb == "open" and "door" in affordances().classes(parts.object):
        ways.append(f"enter {parts.object}")
    if not ways:
        return opened
    return {**opened, turn.room: list(dict.fromkeys([*ways, *opened.get(turn.room, [])]))[:4]}
