"""Somebody else: who attacks or bars the way, and who wants what."""

from __future__ import annotations

import re

from managers.leads.turn import Turn
from managers.text.commands import parse_command
from managers.text.lexicon import head_of

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n+")
_PENDING = 6
"""How many requests of the game are kept, the latest first."""
HURT = re.compile(
    r"\b(?:badly hurt|(?:badly|seriously|gravely) (?:wounded|injured)|you are (?:wounded|bleeding)"
    r"|opens your|catches you|you stagger|draws blood|ouch|out of breath"
    r"|blood (?:runs|starts|wells|flows|streams|trickles|drips|pours)"
    r"|you(?:'re| are) (?:losing|hurt)"
    r"|(?:nicks?|skins|gash(?:es|ing)?|slash(?:es|ing)?|pierces|grazes|scratches|wounds"
    r"|(?:deep|ugly) (?:wound|cut|gash) (?:in|on)) (?:\w+ ){0,2}you(?:r \w+)?)\b",
    re.IGNORECASE,
)
_HEALED_AFTER = 30
_CALM_AFTER = 12
"""Turns after which somebody who attacked counts as harmless again."""
_HOSTILE = re.compile(
    r"\b(?:attacks?|attacking|swings?|stabs?|lunges?|charges|snarls?|growls?|menac\w+"
    r"|draws blood|swipes?|hacks|thrusts|feints|aims (?:a|an|his|her|its)"
    r"|threaten\w*|blocks? your (?:way|path)|bars? (?:your|the) (?:way|path)|won't let you"
    r"|(?:will|does|do) not (?:\w+ ){0,3}let you|fends? you off|slashes|strikes?|blocks all"
    r"|blocking (?:your|the) way|hisses|bares|circles|catches you|opens your|knocks you"
    r"|steps (?:between|in front|into your)|would have to get past)\b",
    re.IGNORECASE,
)
_BARRING = re.compile(
    r"\b(?:blocks? (?:your|the|all)|blocking|bars? (?:your|the)|barring|won't let you"
    r"|(?:will|does|do) not (?:\w+ ){0,3}let you|fends? you off|would have to get past"
    r"|steps (?:between|in front|into your)|stands? in (?:your|the) way)\b",
    re.IGNORECASE,
)
_BLOW = re.compile(
    r"\b(?:slash|stab|lunge|stroke|blow|jab)s?\b.*\byou(?:r)?\b|\bsword goes flying"
    r"|\b(?:parr(?:y|ies)|rams|inserts|pinks|cracks|wounds?|hits|cuts|bites|claws"
    r"|punches|kicks|shoots) (?:\w+ ){0,6}you",
    re.IGNORECASE,
)
"""A blow, whoever deals it."""
DEFEATED = re.compile(
    r"\b(?:dies|is dead|killed|unconscious|collapses|defeated|slain|disappears|vanishes|flees"
    r"|falls dead|carcass|breathes? (?:his|her|its) last)\b",
    re.IGNORECASE,
)
_INTEREST = re.compile(
    r"\bthe (?P<who>[\w' -]{2,24}?) (?:\w+ )?"
    r"(?:seen|sees|eyes|watches|wants|sniffs at|looks at|stares at|admires|covets|notices) "
    r"(?:at )?your (?P<thing>[\w'-]+)",
    re.IGNORECASE,
)


def hostile(hostile: dict[str, int], turn: Turn) -> dict[str, int]:
    """Who attacks or bars the way: the nearest noun before the word that says so.

    A wound is dealt by whoever was attacked, or else is there.
    """
    still = {name: seen for name, seen in hostile.items() if turn.turn - seen < _CALM_AFTER}
    for sentence in _SENTENCE_END.split(turn.text):
        words = sentence.lower()
        defeated = DEFEATED.search(words)
        if defeated:
            still = {name: seen for name, seen in still.items() if name.split()[-1] not in words}
            continue
        attack = _HOSTILE.search(words)
        if attack:
            subjects = [name for name in turn.others if _before(name, words, attack.start())]
            still |= dict.fromkeys(subjects[:1], turn.turn)
            still |= {name: turn.turn for name in still}
        elif _BLOW.search(words) and any(name.split()[-1] in words for name in turn.able):
            named = [name for name in turn.able if name.split()[-1] in words]
            still |= dict.fromkeys(named[:1], turn.turn)
    if HURT.search(turn.text) and not still:
        still = dict.fromkeys(_who_hurts(turn), turn.turn)
    beaten = _beaten(turn)
    return {name: seen for name, seen in still.items() if head_of(name) != beaten}


def _who_hurts(turn: Turn) -> list[str]:
    parts = parse_command(turn.command)
    foe = head_of(parts.object) if parts.verb == "attack" else ""
    struck = [name for name in turn.others if head_of(name) == foe]
    return (struck or list(turn.able))[:1]


def wounds(wounds: list[int], turn: Turn) -> list[int]:
    """The turns of the wounds that still hurt; nobody carries them over death."""
    if turn.extraction.died:
        return []
    still = [one for one in wounds if turn.turn - one < _HEALED_AFTER]
    return [*still, turn.turn] if HURT.search(turn.text) else still


def _beaten(turn: Turn) -> str:
    """The noun of whom an attack that scored was on."""
    parts = parse_command(turn.command)
    return head_of(parts.object) if parts.verb == "attack" and turn.scored > 0 else ""


def barring(barring: list[str], turn: Turn) -> list[str]:
    """The names of those who bar the way, the latest first."""
    found = list(barring)
    for sentence in _SENTENCE_END.split(turn.text.lower()):
        if DEFEATED.search(sentence):
            found = [name for name in found if name.split()[-1] not in sentence]
        match = _BARRING.search(sentence)
        named = [name for name in turn.others if match and _before(name, sentence, match.start())]
        found += named[:1]
    beaten = _beaten(turn)
    return list(dict.fromkeys(name for name in reversed(found) if head_of(name) != beaten))[
        :_PENDING
    ]


def _before(name: str, sentence: str, position: int) -> bool:
    at = sentence.find(name.split()[-1])
    return 0 <= at < position


def offers(offers: list[list[str]], turn: Turn) -> list[list[str]]:
    """From sentences in which somebody has an eye on something the agent carries."""
    found = list(offers)
    for match in _INTEREST.finditer(turn.text):
        thing, who = match["thing"].lower(), head_of(match["who"].lower())
        if thing in turn.held and [thing, who] not in found:
            found.insert(0, [thing, who])
    return found[:_PENDING]
