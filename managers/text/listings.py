"""Lists of things in replies: what is here, what is carried, what is in or on what."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from managers.text.lexicon import classes_of
from managers.text.nouns import bare

_NAME = r"([^.;:!?\n]{2,160}?)"
_CARRYING = re.compile(
    r"^(?:you are|you're|you have|you hold)(?: currently)? (?:carrying|holding|with you)\s*:?\s*(.*)$|"
    r"^(?:you have|your possessions are|your inventory(?: contains)?|inventory)\s*:\s*(.*)$",
    re.I,
)
_EMPTY_HANDED = re.compile(
    r"^(?:you are|you're) (?:empty[- ]handed|carrying nothing|not carrying anything|holding nothing)|"
    r"^you (?:aren't|are not) carrying anything|^you have nothing\b",
    re.I,
)
_HOLDER_LINE = re.compile(
    r"^(?:the |your |on the |in the |inside the |sitting on the )?(.{2,60}?) "
    r"(?:contains?|holds?|(?:is|are) holding|consists? of)\s*:?\s*$|"
    r"^(?:on|in|inside) (?:the |your )?(.{2,60}?) (?:is|are|you (?:can )?see)\s*:\s*$",
    re.I,
)
_IN_HOLDER = re.compile(
    rf"^(?:sitting |lying |resting |standing )?(in|on|inside|on top of|upon|within) (?:the |your |one of the |a |an )?"
    rf"([\w' -]{{2,50}}?),? (?:(?:is|are|lies?|sits?|rests?|stands?|hangs?)(?: (?:also|only))?|you (?:can )?(?:also )?see|there (?:is|are)) {_NAME}[.!]?$",
    re.I,
)
_ON_THING = re.compile(
    rf"^(?:an? |some |the |your ){_NAME} (?:is|are|lies?|sits?|rests?|hangs?|is (?:sitting|lying|resting|standing)|"
    r"are (?:sitting|lying|resting)) (on|in|inside|upon) (?:the |a |an |your )([\w' -]{2,50}?)[.!]?$",
    re.I,
)
_HERE = re.compile(
    rf"^(?:you (?:can |also |can also |notice |now )?see|there (?:is|are)(?: also)?|here (?:is|are)|you notice|you can make out) "
    rf"{_NAME}(?:,? (?:here|nearby|on the (?:ground|floor))\b.*)?[.!]*$",
    re.I,
)
_IS_HERE = re.compile(
    rf"^(?:lying |sitting |standing |on the (?:floor|ground) )?{_NAME},? "
    r"(?:is|are|lies?|sits?|stands?|rests?)(?: \w+){0,2} "
    r"(?:here|nearby|on the (?:floor|ground)(?: here)?|in the corner|in one corner)\b[^.]*[.!]?$",
    re.I,
)
_STANDS = re.compile(
    rf"^(?:an?|some|two|three|several) {_NAME},? (?:is|are|lies?|sits?|stands?|rests?|hangs?|leans?|"
    r"drops?|falls?|appears?|arrives?|enters?|walks?|comes?|floats?|glints?|gleams?|waits?|blocks?|bars?)\b"
    r"(?!,? not)[^.;]*[.!;]?$",
    re.I,
)
_ON_GROUND = re.compile(
    rf"^(?:lying |sitting |half buried |partly hidden )?(?:on|in|at|beside|under|behind|among|amid|near|above|over) [^.]{{2,60}}? (?:is|are|lies?|sits?|stands?|hangs?) {_NAME}[.!]?$",
    re.I,
)
_REVEALS = re.compile(
    rf"^(?:opening (?:the |your )?([\w' -]{{2,50}}?)|.{{2,80}}?,) (?:reveals?|revealing) {_NAME}[.!]?$",
    re.I,
)
_IS_EMPTY = re.compile(
    r"^(?:the |your )?([\w' -]{2,50}?) (?:is|are) (?:now )?(?:completely )?empty\b|"
    r"^(?:there is|there's) nothing (?:in|on|inside) (?:the |your )?([\w' -]{2,50}?)[.!]?$",
    re.I,
)
_REMARK = re.compile(r"\((.*?)\)")
_SPLIT = re.compile(
    r"(?:,\s*(?:and\s+)?|\s+and\s+)(?=(?:[Aa]n?|[Tt]he|[Ss]ome|[Yy]our|two|three|four|\d+)\s|[A-Z])"
)
_NO = re.compile(r"\s*(?:no|not|nothing)\b", re.I)
_NOBODY = re.compile(r"\b(?:nothing|no one|nobody|anything)\b", re.I)


class Listed(NamedTuple):
    """A thing that a list names."""

    name: str
    location: str
    """`here`, `inventory`, or the name of its holder."""
    remark: str = ""
    """What stood in brackets behind it: `which is closed`."""
    relation: str = ""
    """`in` or `on` for a holder."""


def _is_place(holder: str) -> bool:
    """Part of the room rather than a thing that holds others: a corner, the ground, a shore."""
    kinds = classes_of(holder)
    return "scenery" in kinds and not {"container", "supporter"}.intersection(kinds)


class Listing(NamedTuple):
    """What one line lists."""

    things: tuple[Listed, ...] = ()
    complete: str = ""
    """The holder whose contents this names completely, or `inventory`."""


def items(phrase: str) -> list[tuple[str, str]]:
    """Names and remarks of a list in prose: `a lamp (lit), some rope and a key`."""
    found = []
    kept = _REMARK.sub(lambda match: "\x00" + match[1].replace(",", ";") + "\x01", phrase)
    for part in _SPLIT.split(re.sub(r"\x00([^\x01]*)\x01", r"(\1)", kept)):
        remark = " ".join(_REMARK.findall(part))
        name = "" if _NO.match(part) else bare(part)
        if name and not _NOBODY.search(name):
            found.append((name, remark))
    return found


def read_line(line: str) -> Listing | None:
    """What a sentence lists, or None if it lists nothing."""
    text = line.strip()
    for reader in (_inventory, _empty, _revealed, _inside, _thing_on, _here):
        listing = reader(text)
        if listing is not None:
            return listing
    return None


def _inventory(text: str) -> Listing | None:
    if _EMPTY_HANDED.match(text):
        return Listing(complete="inventory")
    match = _CARRYING.match(text)
    if not match:
        return None
    named = (match[1] or match[2] or "").strip()
    things = tuple(Listed(name, "inventory", remark) for name, remark in items(named))
    return Listing(things, "inventory")


def _empty(text: str) -> Listing | None:
    match = _IS_EMPTY.match(text)
    return Listing(complete=bare(match[1] or match[2])) if match else None


def _revealed(text: str) -> Listing | None:
    match = _REVEALS.match(text)
    if not match:
        return None
    holder = bare(match[1]) if match[1] else "it"
    return Listing(tuple(Listed(n, holder, r, "in") for n, r in items(match[2])), holder)


def _inside(text: str) -> Listing | None:
    match = _IN_HOLDER.match(text)
    if not match or _is_place(bare(match[2])):
        return None
    relation = "on" if match[1].lower() in ("on", "on top of", "upon") else "in"
    things = tuple(Listed(n, bare(match[2]), r, relation) for n, r in items(match[3]))
    return Listing(things)


def _thing_on(text: str) -> Listing | None:
    match = _ON_THING.match(text)
    if not match:
        return None
    holder = bare(match[3])
    if _is_place(holder):
        return Listing(tuple(Listed(n, "here", r) for n, r in items(match[1])))
    return Listing(tuple(Listed(n, holder, r, match[2].lower()) for n, r in items(match[1])))


def _here(text: str) -> Listing | None:
    match = _HERE.match(text) or _IS_HERE.match(text) or _ON_GROUND.match(text)
    if match:
        return Listing(tuple(Listed(n, "here", r) for n, r in items(match[1])))
    match = _STANDS.match(text)
    things = items(match[1]) if match else []
    if not things or "scenery" in classes_of(things[0][0]):
        return None
    return Listing(tuple(Listed(n, "here", r) for n, r in things))


def read_lists(text: str) -> Iterator[tuple[str, Listing]]:
    """All indented lists of a text, line by line, with their nesting."""
    stack: list[tuple[int, str]] = []
    for line in text.splitlines():
        indent = len(line) - len(line.lstrip())
        body = line.strip()
        if not body:
            continue
        while stack and stack[-1][0] >= indent:
            stack.pop()
        opened = _opens(body)
        if opened:
            stack.append((indent, opened))
            yield body, Listing(complete=opened)
        elif stack:
            things = tuple(Listed(n, stack[-1][1], r, "in") for n, r in items(body))
            if things:
                yield body, Listing(things)
                stack.append((indent, things[-1].name))


def _opens(line: str) -> str:
    """The holder whose list begins on the lines after this one; empty for other lines."""
    carrying = _CARRYING.match(line)
    if carrying and not (carrying[1] or carrying[2] or "").strip():
        return "inventory"
    header = _HOLDER_LINE.match(line)
    return bare(header[1] or header[2]) if header else ""
