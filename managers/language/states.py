"""States of things as prose tells them: open, closed, locked, lit, on, worn."""

from __future__ import annotations

import re
from functools import lru_cache

from managers.language.lexicon import classes_of
from managers.language.nouns import bare
from managers.language.patterns import pattern

_WORDS = {
    "open": ("open", "true"),
    "opened": ("open", "true"),
    "closed": ("open", "false"),
    "shut": ("open", "false"),
    "ajar": ("open", "false"),
    "locked": ("locked", "true"),
    "unlocked": ("locked", "false"),
    "lit": ("lit", "true"),
    "burning": ("lit", "true"),
    "flaming": ("lit", "true"),
    "unlit": ("lit", "false"),
    "extinguished": ("lit", "false"),
}
_REMARKS = (
    (re.compile(r"\bwhich is closed|\b(?:is|and) closed|^closed\b", re.I), "open", "false"),
    (re.compile(r"\bwhich is open|\b(?:is|and) open|^open\b", re.I), "open", "true"),
    (re.compile(r"\blocked\b(?<!un)", re.I), "locked", "true"),
    (
        re.compile(r"\bproviding light|\blit\b|\blighted\b|\bburning\b|\bgiving off light", re.I),
        "lit",
        "true",
    ),
    (re.compile(r"\b(?:being )?worn\b", re.I), "worn", "true"),
    (re.compile(r"\bunlit\b|\bswitched off\b", re.I), "lit", "false"),
)
_ADJECTIVE = re.compile(rf"^((?:{'|'.join(_WORDS)}))\s+(?=\w)", re.I)
_SAID = pattern(
    r"""\b(?:the|an?|your|his|her|this|that)\ ((?:[\w'-]+\ ){0,3}[\w'-]+?)
        (?:,?\ (?:which|that))?\ (?:is|are|stands?|appears?\ to\ be|seems?\ to\ be)
        (?:\ (?:now|currently|already|also|still|both|wide|\w+ly))*
        \ (open|closed|shut|ajar|locked|unlocked|lit|burning|unlit
           |(?:switched|turned)\ (?:on|off)|on|off)\b
        (?=$|[^\w\s]|\ (?:and|but|to|in|so|because|with|at|by|as|here|now|from|again)\b)"""
)
_SWITCHED = {"on": "true", "off": "false"}


def state_of_remark(remark: str) -> dict[str, str]:
    """The state a bracketed remark tells: `which is closed`, `providing light`, `being worn`."""
    return {key: value for pattern, key, value in _REMARKS if pattern.search(remark)}


def split_state(name: str) -> tuple[str, dict[str, str]]:
    """`closed trap door` -> (`trap door`, {"open": "false"})."""
    match = _ADJECTIVE.match(name)
    if not match or "scenery" in classes_of(name):
        return name, {}
    key, value = _WORDS[match[1].lower()]
    return name[match.end() :], {key: value}


@lru_cache(maxsize=2048)
def states_said(sentence: str) -> tuple[tuple[str, str, str], ...]:
    """Name, property and value of every state a sentence asserts: `the gate is closed`."""
    found = []
    for match in _SAID.finditer(sentence):
        word = match[2].lower().split()[-1]
        name = bare(match[1])
        if word in _SWITCHED:
            found.append((name, "on", _SWITCHED[word]))
        else:
            found.append((name, *_WORDS[word]))
    return tuple(found)
