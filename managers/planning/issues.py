"""What calls for attention (things to find a use for, troubles), and what bears on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Literal, NamedTuple

from environments.game import Value
from managers.language.lexicon import words_of
from managers.world.attempts import FailedAction
from managers.world.hypotheses import Hypothesis
from managers.world.map import Map
from managers.world.objects import INVENTORY, GameObject, tag_rules, trouble_words
from managers.world.view import World

SIGNIFICANT_OBJECT_TYPES = frozenset(
    "key-like light-source weapon rope-like readable tool valuable "
    "bottle canteen flask jar jug pail phial pitcher vial".split()
)
"""Kinds and nouns of things whose discovery is an issue by itself; the nouns hold liquids."""
_IMPORTANCE = {
    "locked": 800,
    "dark": 800,
    "stuck": 750,
    "barred": 700,
    "found": 600,
    "closed": 550,
}
_TROUBLES = {
    "locked": "locked {} at {} - find out how to unlock it",
    "stuck": "the {} at {} is stuck - find a tool for it",
    "closed": "closed {} at {} - look inside or beyond",
}
_BARRING = frozenset({"blocked", "locked", "closed"})
"""Reasons for which a way may be free another time."""
_STATES = {
    "open": ("closed", "open"),
    "locked": ("unlocked", "locked"),
    "lit": ("unlit", "lit"),
    "on": ("off", "on"),
    "worn": ("not worn", "worn"),
}
"""What is said of a thing in a state: where that is false, and where it is true."""
Trouble = Literal["found", "locked", "closed", "stuck", "dark", "barred"]
Matcher = Callable[[str, Sequence[GameObject]], list[GameObject]]
"""Decides which things bear on an issue; an embedding model may take the place of words."""
_MOST = 4
"""So much of each kind is put beside an issue."""
_MOST_OPEN = 12


class Issue(Value):
    """Something worth thinking about."""

    content: str
    importance: int
    """0 to 1000."""
    turn_number: int
    location: str
    """A room, `inventory`, or empty."""
    kind: Trouble = "found"
    about: str = ""
    """The id of the thing, or the direction that is barred; empty for the whole room."""


def maybe_create_object_issue(obj: GameObject, turn: int) -> Issue | None:
    """An issue for a thing of a significant kind: what is it good for?"""
    if SIGNIFICANT_OBJECT_TYPES.isdisjoint((*obj.properties, obj.noun)) or obj.has("fixed"):
        return None
    content = f"{obj.name} found at {obj.location} - determine use"
    return _issue("found", content, turn, obj.location, obj.id)


def world_issues(world: World, map: Map) -> list[Issue]:
    """All that calls for attention now, the most important first, the latest before older ones."""
    found = [issue for thing in world.objects() if (issue := _of_thing(world, thing))]
    found += [issue for id in map.data["rooms"] for issue in _of_room(map, id)]
    return sorted(found, key=lambda issue: (-issue.importance, -issue.turn_number))


def _of_thing(world: World, thing: GameObject) -> Issue | None:
    """What is the matter with a thing, or else what it may be good for."""
    room, turn, opened = world.location_of(thing.id), thing.last_seen_turn, thing.is_("open")
    trouble: Trouble | None = None
    if not room:
        return None
    if thing.is_("locked") and not opened:
        trouble = "locked"
    elif (thing.has("openable") or opened is False) and not opened and world.needs_tool(thing):
        trouble = "stuck"
    elif opened is False:
        trouble = "closed"
    if trouble:
        content = _TROUBLES[trouble].format(thing.name, room)
        return _issue(trouble, content, turn, room, thing.id)
    placed = thing if thing.location == room else replace(thing, location=room)
    return None if thing.taken else maybe_create_object_issue(placed, turn)


def _of_room(map: Map, id: str) -> Iterator[Issue]:
    room, place = map.room(id), map.label(id)
    if room.dark:
        yield _issue("dark", f"{place} is dark - bring a light", room.last_turn, id, "")
    for way in map.attempts.blocked(id).values():
        if way.reason in _BARRING:
            content = f"the way {way.command} from {place} is {way.reason}: {way.error_message}"
            yield _issue("barred", content, way.turn, id, way.command)


@lru_cache(maxsize=2048)
def _issue(kind: Trouble, content: str, turn: int, location: str, about: str) -> Issue:
    return Issue(
        content=content,
        importance=_IMPORTANCE[kind],
        turn_number=turn,
        location=location,
        kind=kind,
        about=about,
    )


def by_keywords(issue: str, things: Sequence[GameObject]) -> list[GameObject]:
    """Things whose kind helps against a word of the issue, and things it names."""
    words, kinds, patterns = _asked_for(issue)
    helpful = [
        thing
        for thing in things
        if (kinds and not kinds.isdisjoint(thing.properties))
        or (patterns and not patterns.isdisjoint(thing.might_solve))
    ]
    named = [thing for thing in things if thing.noun in words and thing not in helpful]
    return [*helpful, *named]


@lru_cache(maxsize=1024)
def _asked_for(issue: str) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """The words of an issue, and the kinds and the tags of things that help against it."""
    words = frozenset(words_of(issue))
    tags = {tag for tags in tag_rules().values() for tag in tags}
    return (
        words,
        frozenset(kind for kind, said in trouble_words().items() if words.intersection(said)),
        frozenset(tag for tag in tags if any(one.startswith(tag.rstrip("*")) for one in words)),
    )


class Enriched(NamedTuple):
    """An issue with what is known that bears on it, the most promising first."""

    issue: Issue
    things: tuple[GameObject, ...] = ()
    hypotheses: tuple[Hypothesis, ...] = ()
    failures: tuple[FailedAction, ...] = ()

    @property
    def hope(self) -> float:
        """The confidence of the best hypothesis that is not disproven; 0 without any."""
        return max((one.confidence for one in self.hypotheses if not one.disproven), default=0.0)

    @property
    def context(self) -> str:
        """One line: what there is of objects, hypotheses and failed attempts."""
        parts = {
            "objects": self.things and format_objects(self.things),
            "hypotheses": self.hypotheses and format_hypotheses(self.hypotheses),
            "failed": self.failures and format_failures(self.failures),
        }
        return "; ".join(f"{name}: {said}" for name, said in parts.items() if said)


def open_issues(world: World, map: Map, matcher: Matcher = by_keywords) -> tuple[Enriched, ...]:
    """The most important issues with the objects, hypotheses and failures that bear on them."""
    placed = _placed(world)
    issues = world_issues(world, map)[:_MOST_OPEN]
    return tuple(_enriched(one, world, placed, matcher) for one in issues)


def _placed(world: World) -> list[tuple[GameObject, str, bool]]:
    """All things that are anywhere, with their rooms, and whether they can be carried."""
    things = ((one, world.location_of(one.id)) for one in world.objects())
    return [(one, place, one.portable) for one, place in things if place]


def _enriched(
    issue: Issue, world: World, placed: Sequence[tuple[GameObject, str, bool]], matcher: Matcher
) -> Enriched:
    """With what is where the trouble is or can be brought there, and what was tried in vain."""
    near = (INVENTORY, issue.location)
    at_hand = [
        thing
        for thing, place, portable in placed
        if portable or place in near or not issue.location
    ]
    return Enriched(
        issue,
        tuple(matcher(issue.content, at_hand)[:_MOST]),
        tuple(_ideas(issue, world)[:_MOST]),
        tuple(_failures(issue, world)[-_MOST:]),
    )


def _failures(issue: Issue, world: World) -> list[FailedAction]:
    """What was tried in vain: anywhere with what was found, or where the trouble is."""
    if issue.kind == "found":
        return world.get_failed_actions_matching(issue.content)
    if issue.location == INVENTORY:
        return []
    return world.get_failed_actions_matching(issue.content, issue.location)


def _ideas(issue: Issue, world: World) -> list[Hypothesis]:
    if issue.kind == "barred":
        here = {thing.id for thing in world.at(issue.location)}
        ideas = world.hypotheses()
        return [one for one in ideas if one.predicate == "defeats" and one.object in here]
    if issue.about in world.data["objects"]:
        return world.hypotheses_about(issue.about)
    return world.get_hypotheses_matching(issue.content)


def enrich_issue_context(issue: str, world_model: World, matcher: Matcher = by_keywords) -> str:
    """Objects, hypotheses and failed attempts that bear on an issue, as text for a prompt."""
    words = Issue(content=issue, importance=0, turn_number=0, location="")
    found = _enriched(words, world_model, _placed(world_model), matcher)
    return "\n".join(
        [
            "POTENTIALLY RELEVANT (auto-retrieved):",
            f"Objects: {format_objects(found.things)}",
            f"Hypotheses: {format_hypotheses(found.hypotheses)}",
            f"Failed attempts: {format_failures(found.failures)}",
        ]
    )


def format_objects(things: Sequence[GameObject]) -> str:
    """One line for some things: `brass key (inventory), grate (L5, locked)`."""
    said = []
    for thing in things:
        states = (_STATES[name][value] for name, value in thing.state.items() if name in _STATES)
        said.append(f"{thing.name} ({', '.join((thing.location, *states))})")
    return ", ".join(said) or "none"


def format_hypotheses(ideas: Sequence[Hypothesis]) -> str:
    """One line for some hypotheses, with what is known of their truth."""
    said = []
    for idea in ideas:
        known = "disproven" if idea.disproven else f"{idea.confidence:.2f}"
        said.append(f"{idea.id}: {idea.subject} {idea.predicate} {idea.object} ({known})")
    return "; ".join(said) or "none"


def format_failures(failures: Sequence[FailedAction]) -> str:
    """One line for some failures: command, place and reason."""
    said = (f"`{f.command}` at {f.location} ({f.reason or 'refused'})" for f in failures)
    return "; ".join(said) or "none"
