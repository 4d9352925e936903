"""Lists of things in replies: what is here, what is carried, what is in or on what."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from managers.language.lexicon import classes_of
from managers.language.nouns import bare
from managers.language.patterns import pattern

_CARRYING = pattern(
    r"""^(?:you\ are|you're|you\ have|you\ hold)(?:\ currently)?
        \ (?:carrying|holding|with\ you)\s*:?\s*(.*)$
    |^(?:you\ have|your\ possessions\ are|your\ inventory(?:\ contains)?|inventory)\s*:\s*(.*)$
    |^\w+\ (?:ha(?:ve|s)|(?:am|is)\ carrying|carry|carries)\s*:()$"""
)
_EMPTY_HANDED = pattern(
    r"""^(?:you\ are|you're)\ empty[-\ ]handed
    |^(?:you\ have\ nothing|(?:you\ are|you're)\ (?:carrying\ nothing|holding\ nothing
        |not\ (?:carrying|holding)\ anything)|you\ aren't\ (?:carrying|holding)\ anything)
        (?:\ (?:at\ all|now|yet|with\ you|on\ you|in\ your\ hands?))?<end>"""
)
_HOLDER_LINE = pattern(
    r"""^(?:the\ |your\ |(?:sitting\ )?on\ the\ |in\ the\ |inside\ the\ )?(.{2,60}?)
        \ (?:contains?|holds?|(?:is|are)\ holding|consists?\ of)\s*:?\s*$
    |^(?:on|in|inside)\ (?:the\ |your\ )?(.{2,60}?)\ (?:is|are|you\ (?:can\ )?see)\s*:\s*$"""
)
_IN_HOLDER = pattern(
    r"""^(?:(?:sitting|lying|resting|standing)\ )?(in|on|inside|on\ top\ of|upon|within)
        \ (?:the\ |your\ |one\ of\ the\ |an?\ )?(<words>),?
        \ (?:<is>(?:\ also|\ only)?|you\ (?:can\ )?(?:also\ )?(?:see|make\ out)|there\ (?:is|are))
        \ (<name>)[.!]?$"""
)
_CONTAINS = pattern(
    r"""^(?:the|your)\ (<words>)\ (?:contains?|holds)
        \ (?=an?\ |some\ |the\ )(<name>)(?:,\ so\b.*)?[.!]?$"""
)
_SUBJECT_AFTER = pattern(
    r"""^(on|in|inside|upon)\ (?:the\ |your\ )((?:(?!\ the\ |\ an?\ )[\w'\ -]){2,40}?),?
        \ ((?:the|an?|some)\ (?:(?!\ the\ |\ an?\ )[\w'\ -]){2,40}?)\ <is>\b"""
)
_ON_THING = pattern(
    r"""^(?:an?|some|the|your)\ (<name>)\ (?:<is>|(?:is|are)\ (?:sitting|lying|resting|standing))
        \ (on|in|inside|upon)\ (?:the|an?|your)\ (<words>)[.!]?$"""
)
_HERE = pattern(
    r"""^(?:you\ (?:can\ |also\ |can\ also\ |now\ )?(?:see|notice|make\ out)
        |some(?:body|one)\ (?:has|had|must\ have)\ (?:left|dropped|forgotten|put))
        \ (<name>)(?:,?\ (?:here|nearby|on\ the\ (?:ground|floor))\b.*)?[.!]*$
    |^(?:there|here)\ (?:is|are)\ (?:also\ |now\ )?([^.;!?]{2,160})"""
)
_IS_HERE = pattern(
    r"""^(?:(?:lying|sitting|standing|on\ the\ (?:floor|ground))\ )?(<name>),?
        \ <is>(?:\ \w+){0,2}
        \ (?:here|nearby|on\ the\ (?:floor|ground)(?:\ here)?|in\ (?:the|one)\ corner)\b
        [^.]*[.!]?$"""
)
_STANDS = pattern(
    r"""^(?:an?|some|two|three|several)\ (<name>),?\ (?:<is>|leans?|drops?|falls?|appears?|arrives?
        |enters?|walks?|comes?|floats?|glints?|gleams?|waits?|blocks?|bars?)\b
        (?!,?\ not)[^.;]*[.!;]?$"""
)
_AT_PLACE = pattern(
    r"""^(?:\w+(?:ing|ed)\ |half\ |partly\ )*
        (?:on|in|at|beside|under|behind|among|amid|near|above|over|inside|within|beneath|below
        |from|next\ to)\ [^.]{2,60}?\ <is>
        \ (<name>)[.!]?$"""
)
_REVEALS = pattern(
    r"""^(?:opening\ (?:the\ |your\ )?(<words>)|.{2,80}?,)
        \ (?:reveals?|revealing)\ (<name>)[.!]?$
    |^.{2,80}?,\ (<name>)\ (?:is|are)\ (?:revealed|uncovered|exposed|disclosed)[.!]?$"""
)
_IS_EMPTY = pattern(
    r"""^(?:the\ |your\ )?(<words>)\ (?:is|are)\ (?:now\ )?(?:completely\ )?empty\b
    |^(?:there\ is|there's)\ nothing\ (?:in|on|inside)\ (?:the\ |your\ )?(<words>)[.!]?$"""
)
_ARMED = pattern(
    r"""^(?:the\ |an?\ )?([\w'\ -]{1,40}?),?\ (?:(?:is|are)\ )?
        (?:holding|carrying|wielding|wearing|clutching|armed\ with
        |holds|carries|wields|wears|clutches)
        \ (?:the|an?|some|his|her)\ ([\w'\ -]{2,40}?)(?=[,.!]|\ and\b|\ in\b|$)"""
)
_THROWN = pattern(r"""\bthrows\ (?:an?|the)\ ([\w'\ -]{2,40}?)\ at\ you\b""")
_AT_LAST = pattern(r""":\ ((?:an?|some)\ [\w'\ -]{2,60})[.!]?$""")
_REMARK = re.compile(r"\((.*?)\)")
_SPLIT = re.compile(
    r"(?:,\s*(?:and\s+)?|\s+and\s+)"
    r"(?=(?:[Aa]n?|[Tt]he|[Ss]ome|[Yy]our|two|three|four|\d+)\s|[A-Z])"
)
_NO = re.compile(r"\s*(?:no|not|nothing)\b", re.IGNORECASE)
_NOBODY = re.compile(r"\b(?:nothing|no one|nobody|anything)\b", re.IGNORECASE)
_ARTICLE = re.compile(r"\s*(?:an?|some|the|your|\d+|two|three|four|several)\s", re.IGNORECASE)
_PRONOUNS = frozenset({"he", "she", "it", "they"})


class Listed(NamedTuple):
    """A thing that a list names."""

    name: str
    location: str
    """`here`, `inventory`, `it` for what the command was about, or the name of its holder."""
    remark: str = ""
    """What stood in brackets behind it: `which is closed`."""
    relation: str = ""
    """`in` or `on` for a holder."""


class ListedLine(NamedTuple):
    """What one line lists."""

    things: tuple[Listed, ...] = ()
    complete: str = ""
    """The holder whose contents this names completely, or `inventory`."""


def items(phrase: str) -> list[tuple[str, str]]:
    """Names and remarks of a list in prose: `a lamp (lit), some rope and a key`."""
    found = []
    kept = _REMARK.sub(lambda match: f"({match[1].replace(',', ';')})", phrase)
    for part in _SPLIT.split(kept):
        remark = " ".join(_REMARK.findall(part))
        name = "" if _NO.match(part) else bare(part)
        if name and not _NOBODY.search(name):
            found.append((name, remark))
    return found


@lru_cache(maxsize=2048)
def read_line(line: str) -> ListedLine | None:
    """What a sentence lists, or None if it lists nothing."""
    text = line.strip()
    for reader in (_inventory, _empty, _revealed, _armed, _inside, _thing_on, _here, _standing):
        listing = reader(text)
        if listing is not None:
            return listing
    return None


def _listing(phrase: str, location: str, relation: str = "", complete: str = "") -> ListedLine:
    things = tuple(Listed(name, location, remark, relation) for name, remark in items(phrase))
    return ListedLine(things, complete)


def _inventory(text: str) -> ListedLine | None:
    if _EMPTY_HANDED.match(text):
        return ListedLine(complete="inventory")
    match = _CARRYING.match(text)
    named = (match[1] or match[2] or "").strip() if match else ""
    if match is None or (named and not _ARTICLE.match(named)):
        return None
    return _listing(named, "inventory", complete="inventory")


def _empty(text: str) -> ListedLine | None:
    match = _IS_EMPTY.match(text)
    return ListedLine(complete=bare(match[1] or match[2])) if match else None


def _revealed(text: str) -> ListedLine | None:
    match = _REVEALS.match(text)
    if not match:
        return None
    holder = bare(match[1]) if match[1] else "it"
    return _listing(match[2] or match[3], holder, "in", holder)


def _armed(text: str) -> ListedLine | None:
    match = _THROWN.search(text)
    if match:
        return _listing(match[1], "here")
    match = _ARMED.match(text)
    if not match:
        return None
    holder = "it" if match[1].lower() in _PRONOUNS else bare(match[1])
    if holder != "it" and not {"person", "creature"}.intersection(classes_of(holder)):
        return None
    carried = _listing(match[2], holder).things
    bearer = () if holder == "it" else (Listed(holder, "here"),)
    return ListedLine((*bearer, *carried))


def _inside(text: str) -> ListedLine | None:
    match = _CONTAINS.match(text)
    if match:
        return _listing(match[2], bare(match[1]), "in")
    match = _SUBJECT_AFTER.match(text) or _IN_HOLDER.match(text)
    if not match or _is_place(bare(match[2])):
        return None
    relation = "on" if match[1].lower() in ("on", "on top of", "upon") else "in"
    return _listing(match[3], bare(match[2]), relation)


def _thing_on(text: str) -> ListedLine | None:
    match = _ON_THING.match(text)
    if not match:
        return None
    holder = bare(match[3])
    if _is_place(holder):
        return _listing(match[1], "here")
    return _listing(match[1], holder, match[2].lower())


def _here(text: str) -> ListedLine | None:
    match = _HERE.match(text)
    if match:
        return _listing(match[1] or match[2], "here")
    match = _IS_HERE.match(text) or _AT_PLACE.match(text) or _AT_LAST.search(text)
    return _listing(match[1], "here") if match else None


def _standing(text: str) -> ListedLine | None:
    """`A harpoon hangs on two pegs`: a thing with an indefinite article that is somewhere."""
    match = _STANDS.match(text)
    listing = _listing(match[1], "here") if match else ListedLine()
    if not listing.things or "scenery" in classes_of(listing.things[0].name):
        return None
    return listing


def _is_place(holder: str) -> bool:
    """Part of the room rather than a thing that holds others: a corner, the ground, a shore."""
    kinds = classes_of(holder)
    return "scenery" in kinds and not {"container", "supporter"}.intersection(kinds)


def read_lists(text: str) -> Iterator[tuple[str, ListedLine]]:
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
            yield body, ListedLine(complete="" if opened == "here" else opened)
        elif stack and (_ARTICLE.match(body) or stack[-1][1] == "inventory"):
            listing = _listing(body, stack[-1][1], "in")
            yield body, listing
            stack.extend((indent, thing.name) for thing in listing.things[-1:])


def _opens(line: str) -> str:
    """The holder whose list begins on the lines after this one; empty for other lines."""
    carrying = _CARRYING.match(line)
    if carrying and not (carrying[1] or carrying[2] or "").strip():
        return "inventory"
    header = _HOLDER_LINE.match(line)
    if header:
        return bare(header[1] or header[2])
    return "here" if line.endswith(":") else ""
