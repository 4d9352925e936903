"""The parts of a reply: what happened, the room's title and description, sentences."""

from __future__ import annotations

import re
from typing import NamedTuple

from environments.numbers import number_of
from managers.language.patterns import patterns

_TEXT = patterns("text")
_SAYS = patterns("layout")
_SMALL = frozenset("a an the of in on at to by and or from with for near into over under".split())
_TERSE = 40
"""So long must a single sentence be to describe a room."""


class Layout(NamedTuple):
    """A reply taken apart."""

    before: str
    """What was said ahead of the room's title; all of the reply where there is no title."""
    title: str = ""
    inside: str = ""
    """The vehicle or furniture the title says the player is in."""
    description: str = ""
    after: str = ""
    """Listings and events behind the description."""


def take_scores(text: str) -> tuple[str, int]:
    """The text without its score lines, and the sum of the changes they report."""
    change = 0
    for up, increased, words in ((m[1], m[2], m[3]) for m in _TEXT["score"].finditer(text)):
        rises = (up or increased).lower() in ("up", "increased")
        change += (number_of(words) or words in ("a", "one")) * (1 if rises else -1)
    return _TEXT["score"].sub("", text).rstrip(), change


def sentences(text: str) -> list[str]:
    """The sentences and lines of a text, stripped, without empty ones."""
    return [part.strip() for part in _TEXT["sentence"].split(text) if part.strip()]


def told(reply: str) -> list[str]:
    """The sentences of a reply without remarks in brackets and the marks of a parser."""
    return [_TEXT["brackets"].sub("", part) for part in sentences(_TEXT["aside"].sub("", reply))]


def split_inside(title: str) -> tuple[str, str]:
    """`Bedroom (in bed)` -> (`Bedroom`, `bed`); `River, in the boat` -> (`River`, `boat`)."""
    match = _SAYS["inside"].match(title.strip())
    if not match:
        return title.strip(), ""
    inside = re.sub(r"^(?:the|a|an|your)\s+", "", match[2] or match[3] or "")
    return match[1].strip(), inside


def shown_title(line: str | None) -> str:
    """The title of a status line: without decoration and vehicle, empty for darkness."""
    title = split_inside(plain_title(line or ""))[0]
    return "" if _SAYS["darkness"].fullmatch(title) else title


def plain_title(line: str) -> str:
    """A title without decoration: `<< Closet >>` -> `Closet`."""
    match = _SAYS["decoration"].match(line.strip())
    return match[1].strip() if match else ""


def same_title(one: str, other: str) -> bool:
    """The same room title, give or take case and an article."""
    a, b = (re.sub(r"^the\s+", "", text.lower().strip()) for text in (one, other))
    return a == b


def split_reply(text: str, room: str | None, *, guess: bool) -> Layout:
    """Find the room's title and what stands around it.

    `room` is what the status line shows; only where it shows nothing, and `guess` says a
    description is to be expected, a line that merely looks like a title counts as one.
    """
    lines = text.strip("\n").split("\n")
    at = _title_line(lines, room, guess)
    if at is None:
        return Layout(before=text.strip())
    title, inside = split_inside(plain_title(lines[at]))
    description, after = _description(lines[at + 1 :])
    return Layout("\n".join(lines[:at]).strip(), title, inside, description, after)


def _title_line(lines: list[str], room: str | None, guess: bool) -> int | None:
    name = shown_title(room)
    for at in range(len(lines) - 1, -1, -1):
        if name and same_title(split_inside(plain_title(lines[at]))[0], name):
            return at
        if not name and guess and _stands_free(lines, at) and _looks_like_title(lines, at):
            return at
    described = len(lines) > 1 and bool(lines[1].strip())
    return 0 if guess and not name and described and _looks_like_title(lines, 0) else None


def _stands_free(lines: list[str], at: int) -> bool:
    before = lines[at - 1].strip() if at else ""
    return (
        not before
        or bool(_TEXT["aside"].match(before))
        or bool(_SAYS["decorated"].match(lines[at]))
    )


def _looks_like_title(lines: list[str], at: int) -> bool:
    """A short line without a full stop, in title case or with a description right below."""
    line = lines[at].strip()
    text = split_inside(plain_title(line))[0]
    words = text.split()
    if not words or len(text) > 50 or len(words) > 8 or line[-1] in ".!?:,;'\"":
        return False
    if _SAYS["decorated"].match(line):
        return True
    if line.startswith(("***", "[", "(", ">")) or lines[at].startswith("  "):
        return False
    below = lines[at + 1] if at + 1 < len(lines) else ""
    if words[0][0].isupper() and _describes(below):
        return True
    return all(w[0].isupper() or not w[0].isalpha() or w.lower() in _SMALL for w in words)


def _description(lines: list[str]) -> tuple[str, str]:
    end = 0
    while end < len(lines) and lines[end].strip():
        end += 1
    block = lines[:end]
    if block and _describes(block[0]):
        more = 1
        while more < len(block) and _continues(block[more]):
            more += 1
        return " ".join(line.strip() for line in block[:more]), "\n".join(lines[more:]).strip("\n")
    return "", "\n".join(lines).strip("\n")


def _describes(line: str) -> bool:
    if _SAYS["describes"].match(line):
        return True
    if _SAYS["lists"].match(line):
        return len(line) > 160
    sentences = len(re.findall(r"[.!?](?:\s|$)", line))
    return sentences > 1 or (len(line) > _TERSE and bool(_SAYS["opening"].match(line)))


def _continues(line: str) -> bool:
    return (
        bool(line)
        and not line.startswith(" ")
        and not _SAYS["lists"].match(line)
        and len(line) > 120
    )
