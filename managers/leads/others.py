"""Somebody else: who attacks or bars the way, and who wants what."""

from __future__ import annotations

import re

from managers.leads.turn import Turn
from managers.text.lexicon import head_of

_PENDING = 6
"""How many requests of the game are kept, the latest first."""
_CALM_AFTER = 12
"""Turns after which somebody who attacked counts as harmless again."""
_HOSTILE = re.compile(
    r"\b(?:attacks?|attacking|swings?|stabs?|lunges?|charges|snarls?|growls?|menac\w+"
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
    r"\b(?:slash|thrust|stab|lunge|stroke|blow|jab)s?\b.*\byou(?:r)?\b|\bsword goes flying"
    r"|\b(?:parr(?:y|ies)|rams|inserts|pinks|draws blood|cracks|wounds?|hits|cuts|bites|claws"
    r"|scratches|punches|kicks|shoots) (?:\w+ ){0,6}you",
    re.IGNORECASE,
)
"""A blow, whoever deals it."""
_DEFEATED = re.compile(
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
        elif _BLOW.search(words) and any(name.split()[-1] in words for name in turn.able):
            named = [name for name in turn.able if name.split()[-1] in words]
            still |= dict.fromkeys(named[:1], turn.turn)
    return still


def barring(barring: list[str], turn: Turn) -> list[str]:
    """The names of those who bar the way, the latest first."""
    found = list(barring)
    for sentence in re.split(r"(?<=[.!?])\s+", turn.text.lower()):
        match = _BARRING.search(sentence)
        found += [name for name in turn.others if match and _before(name, sentence, match.start())]
    return list(dict.fromkeys(reversed(found)))[:_PENDING]


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
