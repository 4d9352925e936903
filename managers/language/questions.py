"""What the game asks, and which words it says it does not know."""

from __future__ import annotations

import re
from typing import Literal

from managers.language.actions import WORDS, parse
from managers.language.nouns import bare
from managers.language.patterns import pattern

Question = Literal["", "yes_no", "which", "menu", "missing", "end", "key"]

YES_NO = ("yes", "no")
_END = re.compile(r"\bRESTART\b.{0,200}\bQUIT\b|one of the answers above", re.S)
_YES_NO = pattern(
    r"""\by(?:es)?["']?\s*(?:\bor\b|/)\s*["']?no?\b[^\n]{0,20}$|\banswer\ with\ yes|bare\ hands\?$
    |\b(?:do|would|are|will|shall|did|is|should|can|have)\ (?:you|i|we|it|this)\b[^?.!]*\?\s*>?$"""
)
_CHOICE = re.compile(r"^[ \t]*[(\[]?(\d)[)\].:]+[ \t]+\S.*$", re.MULTILINE)
_LEFT = 80
"""So many letters at most stand behind the last line of a list that is to be chosen from."""
_WHICH = pattern(r"which\ (?:do|did)\ you\ mean,?\ (.+?)\?|which\ (\w+)\ do\ you\ mean(.*?)\?")
_MISSING = re.compile(
    r"^(?:what|who|whom|which|where|with what)\b[^?.!]{0,30}"
    r"\b(?:do|should|would) you want[^?.!]*\?|^(?:what|who) do you (?:want|mean)",
    re.IGNORECASE | re.MULTILINE,
)
_UNKNOWN = re.compile(
    r"(?:don't (?:know|recogni[sz]e|understand)|need to use|isn't in my vocabulary|what is) "
    r"(?:the word |a |an )?[\"'“`]([\w'-]+)[\"'”`]|"
    r"the word [\"'“`]?([\w'-]+)[\"'”`]?(?: (?:is not|isn't)|\.)",
    re.I,
)
_NO_VERB = re.compile(r"not a verb i (?:recogni[sz]e|know)|\bverb error\b", re.IGNORECASE)
_NO_PHRASE = re.compile(r"understood you as far as wanting to (\w+)[.!]", re.IGNORECASE)
_RHETORICAL = re.compile(r"\brhetorical question\b", re.IGNORECASE)


def question_in(text: str) -> Question:
    """What the reply asks for; empty where it asks nothing the player has to answer."""
    if _END.search(text):
        return "end"
    if _WHICH.search(text):
        return "which"
    if _MISSING.search(text):
        return "missing"
    if choices_in(text):
        return "menu"
    return "yes_no" if _YES_NO.search(text.rstrip()) else ""


def choices_in(text: str) -> tuple[str, ...]:
    """The things to choose from: `Which do you mean, the red key or the blue key?`.

    What only a direction tells apart is the same in every room: `the north wall`. Of a list with
    numbers at the end of the text these are chosen from.
    """
    match = _WHICH.search(text)
    if not match:
        lines = list(_CHOICE.finditer(text))
        numbers = tuple(line[1] for line in lines)
        near = len(lines) > 1 and len(text.rstrip()) - lines[-1].end() <= _LEFT
        return numbers if near and numbers[:2] == ("1", "2") else ()
    parts = re.split(r",\s*(?:or\s+)?|\s+or\s+", match[1] or match[3] or "")
    names = dict.fromkeys(bare(part) for part in parts if part.strip())
    return tuple(name for name in names if name.split()[0] not in WORDS)


def unknown_words_in(text: str, command: str) -> tuple[str, ...]:
    """The words the parser says it does not know; the command's first where it blames the verb.

    A verb of two words may be unknown while its first is not: `look behind`. Where questions are
    put for show, `yes` and `no` are no answers.
    """
    words = [match[1] or match[2] for match in _UNKNOWN.finditer(text)]
    if _NO_VERB.search(text):
        words += command.split()[:1]
    understood = _NO_PHRASE.search(text)
    if understood and parse(command).head.startswith(f"{understood[1].lower()} "):
        words.append(parse(command).head)
    if _RHETORICAL.search(text):
        words += YES_NO
    return tuple(dict.fromkeys(word.lower() for word in words if word))
