"""The things a reply speaks of, where they are and in which state."""

from __future__ import annotations

from functools import lru_cache

from environments.game import Words
from managers.language.actions import Action
from managers.language.layout import Layout, sentences
from managers.language.lexicon import classes_of
from managers.language.listings import Listed, ListedLine, read_line, read_lists
from managers.language.nouns import (
    bare,
    is_name,
    is_place,
    is_thing,
    lacks,
    may_be_thing,
    noun_phrases,
    runs_of,
    sorts_in,
    undetermined,
)
from managers.language.patterns import patterns
from managers.language.reading import ObjectMention

_SAYS = patterns("states")
_STATES = {
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
    "on": ("on", "true"),
    "off": ("on", "false"),
}

_SHIFTING = frozenset({"move", "push", "pull", "take", "lift", "turn", "raise", "roll"})
"""What comes to light when something is shifted was behind or under it, not inside."""
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


class _Mentions:
    """Collects mentions by name; the surer one wins, states add up.

    Args:
        words: What the story's dictionary has told of the words in the reply, if anything.
    """

    def __init__(self, words: Words | None = None) -> None:
        self.words = words
        self.found: dict[str, ObjectMention] = {}
        self.complete: list[str] = []
        self.understood: set[str] = set()

    def add(
        self, name: str, location: str, state: dict[str, str], sure: float, kind: str = ""
    ) -> None:
        name, told = _split_state(name)
        if self.words is not None:
            name = " ".join(next(reversed(runs_of(name, self.words)), ()))
        if not is_name(name):
            return
        old = self.found.get(name)
        known = old.properties if old else classes_of(name)
        properties = tuple(dict.fromkeys((*known, kind))) if kind else known
        if old and old.confidence >= sure:
            location, sure = old.location, old.confidence
        self.found[name] = ObjectMention(
            name=name,
            location=location,
            properties=properties,
            state={**(old.state if old else {}), **told, **state},
            confidence=sure,
        )

    def add_listing(self, listing: ListedLine, command: Action, sure: float = _LISTED) -> None:
        for thing in listing.things:
            self._add_listed(thing, command, sure)
        holder = self._holder(listing.complete, command)
        if not holder or holder == "here":
            return
        self.complete.append(holder)
        if holder != "inventory" and holder not in self.found:
            self.add(holder, "here", {}, 0.6, "container")

    def _add_listed(self, thing: Listed, command: Action, sure: float) -> None:
        location = self._holder(thing.location, command)
        if location == "here" and is_place(thing.name) and len(thing.name.split()) < 2:
            sure = _DESCRIBED
        self.add(thing.name, location, _state_of_remark(thing.remark), sure)
        if location not in ("here", "inventory", *self.found):
            self.add(location, "here", {}, 0.6, _HOLDERS.get(thing.relation, ""))

    @staticmethod
    def _holder(name: str, command: Action) -> str:
        if name == "it":
            return "here" if command.verb in _SHIFTING else command.object or "here"
        return name


def mentions_in(
    layout: Layout, command: Action, words: Words | None = None
) -> tuple[tuple[ObjectMention, ...], tuple[str, ...], frozenset[str]]:
    """Mentions, holders whose contents are listed completely, and the sentences understood.

    Args:
        layout: The reply.
        command: What it is the reply to.
        words: What the story's dictionary has told of the words in the reply, if anything.
    """
    found = _Mentions(words)
    for text in (layout.before, layout.after):
        for line, listing in read_lists(text):
            found.add_listing(listing, command)
            found.understood.add(line)
        _read_sentences(text, found, command, in_room=text is layout.after)
    _read_description(layout.description, found, command)
    return (
        tuple(found.found.values()),
        tuple(dict.fromkeys(found.complete)),
        frozenset(found.understood),
    )


def _read_sentences(text: str, found: _Mentions, command: Action, *, in_room: bool) -> None:
    for paragraph in text.split("\n"):
        for at, sentence in enumerate(sentences(paragraph)):
            listing = read_line(sentence)
            if listing is not None and (in_room or _is_listing(listing, sentence)):
                found.add_listing(listing, command)
                found.understood.add(sentence)
            elif in_room and at == 0:
                _read_introduction(sentence, found)
            _read_prose(sentence, found, _PASSING)


def _read_introduction(sentence: str, found: _Mentions) -> None:
    """A paragraph below a description introduces a thing: the first that is spoken of anew."""
    for phrase in noun_phrases(sentence):
        if not phrase.definite and not is_place(phrase.name):
            found.add(phrase.name, "here", {}, _INTRODUCED)
            return


def _is_listing(listing: ListedLine, sentence: str) -> bool:
    """Among events, `there is a rumble` lists nothing."""
    if not sentence.lower().startswith(("there ", "here ")):
        return True
    return " here" in sentence or any(is_thing(thing.name) for thing in listing.things)


def _read_description(description: str, found: _Mentions, command: Action) -> None:
    for sentence in sentences(description):
        listing = read_line(sentence)
        if listing is not None and not listing.complete:
            for thing in listing.things:
                if is_thing(thing.name) and "scenery" not in classes_of(thing.name):
                    found.add_listing(ListedLine((thing,)), command, _IN_DESCRIPTION)
        _read_prose(sentence, found, _DESCRIBED)


def _read_prose(sentence: str, found: _Mentions, sure: float) -> None:
    if lacks(sentence):
        return
    for name, prop, value in _states_said(sentence):
        if is_thing(name):
            found.add(name, "here", {prop: value}, _STATED)
    for name in filter(is_thing, sorts_in(sentence)):
        if name not in found.found:
            found.add(name, "here", {}, sure)
    _read_phrases(sentence, found, sure)


def _read_phrases(sentence: str, found: _Mentions, sure: float) -> None:
    if found.words is not None:
        for run in runs_of(sentence, found.words):
            found.add(" ".join(run), "here", {}, sure)
        return
    for phrase in (*noun_phrases(sentence), *undetermined(sentence)):
        name = _split_state(phrase.name)[0]
        if name not in found.found and is_thing(name):
            found.add(phrase.name, "here", {}, sure)
        elif name not in found.found and sure >= _DESCRIBED and may_be_thing(name):
            found.add(phrase.name, "here", {}, _MAYBE)


def _state_of_remark(remark: str) -> dict[str, str]:
    """The state a bracketed remark tells: `which is closed`, `providing light`, `being worn`."""
    said = [told for told, pattern in patterns("remarks").items() if pattern.search(remark)]
    return dict(told.split("=") for told in said)


def _split_state(name: str) -> tuple[str, dict[str, str]]:
    """`closed trap door` -> (`trap door`, {"open": "false"})."""
    match = _SAYS["adjective"].match(name)
    if not match or "scenery" in classes_of(name):
        return name, {}
    key, value = _STATES[match[1].lower()]
    return name[match.end() :], {key: value}


@lru_cache(maxsize=2048)
def _states_said(sentence: str) -> tuple[tuple[str, str, str], ...]:
    """Name, property and value of every state a sentence asserts: `the gate is closed`."""
    found = []
    for match in _SAYS["said"].finditer(sentence):
        word = match[2].lower().split()[-1]
        name = bare(match[1])
        found.append((name, *_STATES[word]))
    return tuple(found)
