"""The things a reply speaks of, where they are and in which state."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from environments.game import Words
from managers.language import nouns
from managers.language.actions import Action
from managers.language.layout import Layout, sentences
from managers.language.lexicon import classes_of
from managers.language.patterns import patterns, read_table, rules
from managers.language.reading import ObjectMention

_LISTS = patterns("listings")
_SAYS = patterns("states")
_STATES = read_table("effects")["states"]
_HOLDERS = {"in": "container", "on": "supporter"}
_LISTED = 0.95
_IN_DESCRIPTION = 0.85
_DESCRIBED = 0.5
_PASSING = 0.4
_MAYBE = 0.3
"""What is described without a word of which one knows that it names a thing."""
_STATED = 0.85
"""What is said to be closed or open is more than scenery."""
_INTRODUCED = 0.75
_HELD = 0.6
"""A holder of which no more is said than what it holds."""
_PRONOUNS = frozenset({"he", "she", "it", "they"})
MOST_MENTIONED = 80
"""Of so many things at most a reply is taken to speak; the surest are kept."""
MOST_READ = 8 * MOST_MENTIONED
"""Names after which no more are looked for: no story lists as many, a hostile one does."""


# -- lists: what is here, what is carried, what is in or on what -----------------


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
    kept = _LISTS["remark"].sub(lambda match: f"({match[1].replace(',', ';')})", phrase)
    for part in _LISTS["split"].split(kept):
        remark = " ".join(_LISTS["remark"].findall(part))
        name = "" if _LISTS["no"].match(part) else nouns.bare(part)
        if name and nouns.is_name(name) and not _LISTS["nobody"].search(name):
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
    at = "it" if holder.lower() in _PRONOUNS else nouns.bare(holder) or rule.get("at", "")
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
        within = _LISTS["within"].search(remark)
        if within:
            held = items(within[2].replace(";", ","))
            things += [Listed(one, name, more, within[1].lower()) for one, more in held]
    return ListedLine(tuple(things), complete)


def read_lists(text: str) -> Iterator[tuple[str, ListedLine]]:
    """All indented lists of a text, line by line, with their nesting."""
    stack: list[tuple[int, str]] = []
    for line in filter(str.strip, text.splitlines()):
        indent = len(line) - len(line.lstrip())
        body = line.strip()
        while stack and stack[-1][0] >= indent:
            stack.pop()
        headings = ((rule, rule["pattern"].match(body)) for rule in rules("listings", "heading"))
        holders = (rule.get("at") or nouns.bare(hit["holder"]) for rule, hit in headings if hit)
        opened = next(holders, "")
        if opened:
            stack.append((indent, opened))
            yield body, ListedLine(complete="" if opened == "here" else opened)
        elif stack and (_LISTS["article"].match(body) or stack[-1][1] == "inventory"):
            listing = _listing(body, stack[-1][1], "in")
            yield body, listing
            stack.extend((indent, thing.name) for thing in listing.things[-1:])


# -- all that is spoken of --------------------------------------------------------


class _Mentions:
    """Collects mentions by name; the surer one wins, states add up."""

    def __init__(self, command: Action, words: Words | None) -> None:
        self.command = command
        self.words = words
        self.found: dict[str, ObjectMention] = {}
        self.complete: list[str] = []
        self.understood: set[str] = set()

    def add(self, name: str, sure: float, at: str = "here", kind: str = "", **state: str) -> None:
        name, told = _split_state(name)
        if self.words is not None:
            name = " ".join(next(reversed(nouns.runs_of(name, self.words)), ()))
        if not nouns.is_name(name):
            return
        old = self.found.get(name)
        known = old.properties if old else classes_of(name)
        if old and old.confidence >= sure:
            at, sure = old.location, old.confidence
        self.found[name] = ObjectMention(
            name=name,
            location=at,
            properties=tuple(dict.fromkeys((*known, kind))) if kind else known,
            state={**(old.state if old else {}), **told, **state},
            confidence=sure,
        )

    def add_listing(self, listing: ListedLine, sure: float = _LISTED) -> None:
        for thing in listing.things:
            at = self._place(thing.location)
            vague = at == "here" and nouns.is_place(thing.name) and " " not in thing.name
            remarks = patterns("remarks").items() if thing.remark else ()
            told = [said for said, form in remarks if form.search(thing.remark)]
            state = dict(one.split("=") for one in told)
            self.add(thing.name, _DESCRIBED if vague else sure, at, **state)
            if at not in ("here", "inventory", *self.found):
                self.add(at, _HELD, kind=_HOLDERS.get(thing.relation, ""))
        holder = self._place(listing.complete)
        if holder not in ("", "here"):
            self.complete.append(holder)
            if holder not in ("inventory", *self.found):
                self.add(holder, _HELD, kind="container")

    def is_full(self) -> bool:
        """Whether enough was found; what follows is not read."""
        return len(self.found) >= MOST_READ

    def surest(self) -> tuple[ObjectMention, ...]:
        """What was found, in its order; of too many those of which most is said."""
        found = [*self.found.values()]
        if len(found) > MOST_MENTIONED:
            kept = sorted(found, key=lambda one: -one.confidence)[:MOST_MENTIONED]
            names = {one.name for one in kept}
            found = [one for one in found if one.name in names]
        return tuple(found)

    def _place(self, name: str) -> str:
        """Where things are; for `it` in what the command was about, or behind what it shifted."""
        if name != "it":
            return name
        shifted = self.command.verb == "take" or self.command.has("shifts")
        return "here" if shifted else self.command.object or "here"

    def read_sentences(self, text: str, *, in_room: bool) -> None:
        """Sentences around a description; among events, `there is a rumble` lists nothing."""
        for paragraph in text.split("\n"):
            for at, sentence in enumerate(sentences(paragraph)):
                if self.is_full():
                    return
                listing = read_line(sentence)
                if listing is not None and (
                    in_room
                    or not sentence.lower().startswith(("there ", "here "))
                    or " here" in sentence
                    or any(nouns.is_thing(thing.name) for thing in listing.things)
                ):
                    self.add_listing(listing)
                    self.understood.add(sentence)
                elif in_room and at == 0:  # A paragraph introduces what it speaks of anew first.
                    new = (one.name for one in nouns.noun_phrases(sentence) if not one.definite)
                    name = next((name for name in new if not nouns.is_place(name)), "")
                    self.add(name, _INTRODUCED)
                self.read_prose(sentence, _PASSING)

    def read_description(self, description: str) -> None:
        for sentence in sentences(description):
            if self.is_full():
                return
            listing = read_line(sentence)
            if listing is not None and not listing.complete:
                for thing in listing.things:
                    named = nouns.is_thing(thing.name) or nouns.may_be_thing(thing.name)
                    if named and "scenery" not in classes_of(thing.name):
                        self.add_listing(ListedLine((thing,)), _IN_DESCRIPTION)
            self.read_prose(sentence, _DESCRIBED)

    def read_prose(self, sentence: str, sure: float) -> None:
        if nouns.lacks(sentence):
            return
        for said in _SAYS["said"].finditer(sentence):  # `the gate is closed`
            name = nouns.bare(said[1])
            if nouns.is_thing(name):
                prop, value = _STATES[said[2].lower().split()[-1]].split("=")
                self.add(name, _STATED, **{prop: value})
        for name in filter(nouns.is_thing, nouns.sorts_in(sentence)):
            if name not in self.found:
                self.add(name, sure)
        if self.words is not None:
            for run in nouns.runs_of(sentence, self.words):
                self.add(" ".join(run), sure)
        else:
            self._read_phrases(sentence, sure)

    def _read_phrases(self, sentence: str, sure: float) -> None:
        determined = [one.name for one in nouns.noun_phrases(sentence)]
        for phrase in (*determined, *nouns.undetermined(sentence)):
            name = _split_state(phrase)[0]
            if name in self.found:
                continue
            if nouns.is_thing(name):
                self.add(phrase, sure)
            elif sure >= _DESCRIBED and nouns.may_be_thing(name):
                self.add(phrase, _MAYBE)


def mentions_in(
    layout: Layout, command: Action, words: Words | None = None
) -> tuple[tuple[ObjectMention, ...], tuple[str, ...], frozenset[str]]:
    """Mentions, holders whose contents are listed completely, and the sentences understood."""
    found = _Mentions(command, words)
    for text in (layout.before, layout.after):
        for line, listing in read_lists(text):
            if found.is_full():
                break
            found.add_listing(listing)
            found.understood.add(line)
        found.read_sentences(text, in_room=text is layout.after)
    found.read_description(layout.description)
    complete = tuple(dict.fromkeys(found.complete))[:MOST_MENTIONED]
    return found.surest(), complete, frozenset(found.understood)


def _split_state(name: str) -> tuple[str, dict[str, str]]:
    """`closed trap door` -> (`trap door`, {"open": "false"})."""
    match = _SAYS["adjective"].match(name)
    if not match or "scenery" in classes_of(name):
        return name, {}
    key, value = _STATES[match[1].lower()].split("=")
    return name[match.end() :], {key: value}
