"""Lists of things in replies: what is here, what is carried, what is in or on what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from managers.language.lexicon import classes_of
from managers.language.nouns import bare, is_name
from managers.language.patterns import patterns, rules

_SAYS = patterns("listings")
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
    kept = _SAYS["remark"].sub(lambda match: f"({match[1].replace(',', ';')})", phrase)
    for part in _SAYS["split"].split(kept):
        remark = " ".join(_SAYS["remark"].findall(part))
        name = "" if _SAYS["no"].match(part) else bare(part)
        if name and is_name(name) and not _SAYS["nobody"].search(name):
            found.append((name, remark))
    return found


@lru_cache(maxsize=2048)
def read_line(line: str) -> ListedLine | None:
    """What a sentence lists, or None if it lists nothing."""
    found = (_read(rule, line.strip()) for rule in rules("listings", "line"))
    return next((one for one in found if one is not None), None)


def _read(rule: Mapping[str, Any], line: str) -> ListedLine | None:
    """What a line lists, if the pattern of a rule fits and names what it has to."""
    match = rule["pattern"].search(line)
    if match is None:
        return None
    named, wanted = match.groupdict(""), rule.get("holder")
    holder, relation = named.get("holder", ""), named.get("relation", "").lower()
    at = "it" if holder.lower() in _PRONOUNS else bare(holder) or rule.get("at", "")
    kinds = {*classes_of(at)}
    # A corner, the ground or a shore is part of the room rather than holds anything.
    place = "scenery" in kinds and not kinds & {"container", "supporter"}
    if place and wanted == "no place":
        return None
    if place and wanted == "somewhere":
        at = "here"
    if wanted != "person":
        relation = "on" if relation.startswith(("on", "upon")) else "in"
    listed = _listing(named.get("things", ""), at, relation, at if rule.get("complete") else "")
    if wanted == "person" and at != "it":
        bears = kinds & {"person", "creature"}
        return ListedLine((Listed(at, "here"), *listed.things)) if bears else None
    loose = listed.things and "scenery" not in classes_of(listed.things[0].name)
    return listed if loose or rule.get("things") != "loose" else None


def _listing(phrase: str, location: str, relation: str, complete: str = "") -> ListedLine:
    things = []
    for name, remark in items(phrase):
        things.append(Listed(name, location, remark, relation))
        within = _SAYS["within"].search(remark)
        if within:
            held = items(within[2].replace(";", ","))
            things += [Listed(one, name, more, within[1].lower()) for one, more in held]
    return ListedLine(tuple(things), complete)


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
        headings = ((rule, rule["pattern"].match(body)) for rule in rules("listings", "heading"))
        holders = (rule.get("at") or bare(match["holder"]) for rule, match in headings if match)
        opened = next(holders, "")
        if opened:
            stack.append((indent, opened))
            yield body, ListedLine(complete="" if opened == "here" else opened)
        elif stack and (_SAYS["article"].match(body) or stack[-1][1] == "inventory"):
            listing = _listing(body, stack[-1][1], "in")
            yield body, listing
            stack.extend((indent, thing.name) for thing in listing.things[-1:])
