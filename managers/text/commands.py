"""What a player's command means: its verb, its objects, and what success would change."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from managers.text.directions import direction_of
from managers.text.lexicon import grammar

_SYNONYMS = {
    "take": "take get grab carry hold catch steal",
    "drop": "drop discard release",
    "open": "open",
    "close": "close shut",
    "unlock": "unlock",
    "lock": "lock",
    "light": "light ignite burn kindle",
    "extinguish": "extinguish douse snuff",
    "wear": "wear don",
    "remove": "remove doff unwear",
    "put": "put insert place set",
    "give": "give offer feed hand pay",
    "throw": "throw toss",
    "examine": "examine x inspect read describe check search watch",
    "look": "look l",
    "inventory": "inventory i inv",
    "eat": "eat consume devour taste",
    "drink": "drink sip swallow quaff",
    "attack": "attack kill fight hit strike stab murder slay smash break destroy",
    "wait": "wait z",
    "push": "push press shove",
    "pull": "pull drag tug yank",
    "turn": "turn rotate twist switch",
    "move": "move shift slide",
    "climb": "climb scale",
    "enter": "enter board",
    "leave": "leave exit",
    "go": "go walk run",
    "sit": "sit",
    "lie": "lie",
    "stand": "stand",
    "tie": "tie attach fasten",
    "ask": "ask",
    "tell": "tell",
    "say": "say shout yell",
    "show": "show",
    "jump": "jump leap",
    "dig": "dig",
    "pour": "pour empty",
    "fill": "fill",
    "wake": "wake awake",
    "cut": "cut slice chop",
    "touch": "touch feel rub",
}
_VERB = {word: verb for verb, words in _SYNONYMS.items() for word in words.split()}
VERBS = frozenset(_VERB)
"""Words that may begin a command."""
_PHRASAL = {
    ("pick", "up"): "take",
    ("take", "off"): "remove",
    ("take", "out"): "take",
    ("put", "down"): "drop",
    ("put", "on"): "wear",
    ("put", "out"): "extinguish",
    ("turn", "on"): "light",
    ("switch", "on"): "light",
    ("turn", "off"): "extinguish",
    ("switch", "off"): "extinguish",
    ("blow", "out"): "extinguish",
    ("look", "at"): "examine",
    ("look", "in"): "examine",
    ("look", "inside"): "examine",
    ("look", "under"): "examine",
    ("look", "behind"): "examine",
    ("get", "dressed"): "wear",
    ("get", "undressed"): "remove",
    ("get", "up"): "stand",
    ("stand", "up"): "stand",
    ("wake", "up"): "stand",
    ("get", "in"): "enter",
    ("get", "into"): "enter",
    ("get", "on"): "enter",
    ("go", "in"): "enter",
    ("go", "into"): "enter",
    ("go", "through"): "enter",
    ("get", "out"): "leave",
    ("get", "off"): "leave",
    ("sit", "on"): "sit",
    ("sit", "in"): "sit",
    ("lie", "on"): "lie",
    ("stand", "on"): "enter",
    ("climb", "in"): "enter",
    ("climb", "into"): "enter",
}
_BETWEEN = frozenset(
    (
        "in into on onto to with from at about under behind through using for off inside against"
    ).split()
)
_PARTICLES = frozenset({"on", "off", "up", "down", "out"})
_ARTICLES = frozenset({"a", "an", "the", "some", "my", "your"})


class Command(NamedTuple):
    """A command taken apart; empty strings for what it does not have."""

    verb: str
    """Canonical: take, drop, put, open, unlock, light, go, ...; the word itself if unknown."""
    object: str = ""
    preposition: str = ""
    second: str = ""
    direction: str = ""


@lru_cache(maxsize=4096)
def parse_command(command: str) -> Command:
    """Take a command apart without knowing the game's grammar."""
    words = command.lower().replace(",", " and ").split()
    if not words:
        return Command("")
    direction = direction_of(command)
    if direction:
        return Command("go", direction=direction)
    verb, rest = _verb(words)
    rest = [word for word in rest if word not in _ARTICLES]
    for at, word in enumerate(rest):
        if word in _BETWEEN and at > 0:
            return Command(verb, " ".join(rest[:at]), word, " ".join(rest[at + 1 :]))
    while rest and rest[0] in grammar()["preposition"]:
        rest = rest[1:]
    return Command(verb, " ".join(rest))


_CHOSEN = re.compile(
    r"^\s*\((?!first\b|\w+ing\b)(?:the |your )?([\w' -]+?)(?: (?:down|off|on))?\)\s*$", re.MULTILINE
)
_IMPLIED = re.compile(r"^\s*\(with (?:the |your |an? )?([\w' -]+)\)\s*$", re.MULTILINE)
EVERYTHING = frozenset({"all", "everything"})
_ANY = EVERYTHING | {"it", "them", "him", "her"}


def as_understood(command: str, reply: str) -> str:
    """The command with the things that the game names in brackets: `(with the iron bar)`."""
    parsed = parse_command(command)
    understood = command
    for match in _CHOSEN.finditer(reply):
        chosen = match[1].lower()
        for said in (parsed.object, parsed.second):
            if said and (said in _ANY or (said != chosen and chosen.endswith(" " + said))):
                understood = re.sub(rf"\b{re.escape(said)}\b", chosen, understood.lower(), count=1)
                break
    implied = _IMPLIED.search(reply)
    if implied and parsed.object and not parsed.second:
        return f"{understood} with {implied[1].lower()}"
    return understood


def _verb(words: list[str]) -> tuple[str, list[str]]:
    first = (words[0], words[1]) if len(words) > 1 else ("", "")
    if first in _PHRASAL:
        return _PHRASAL[first], words[2:]
    around = (words[0], words[-1])
    if len(words) > 2 and words[-1] in _PARTICLES and around in _PHRASAL:
        return _PHRASAL[around], words[1:-1]
    return _VERB.get(words[0], words[0]), words[1:]
