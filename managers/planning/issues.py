"""What calls for attention (things to find a use for, troubles), and what bears on it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, NamedTuple, Protocol

from environments.game import Value
from managers.language.lexicon import words_of
from managers.world.attempts import FailedAction
from managers.world.hypotheses import Hypothesis
from managers.world.map import Map
from managers.world.objects import INVENTORY, GameObject, tag_rules, trouble_words
from managers.world.view import World

SIGNIFICANT_OBJECT_TYPES = (
    "key-like", "light-source", "weapon", "rope-like", "readable", "tool", "valuable",
    "bottle", "canteen", "flask", "jar", "jug", "pail", "phial", "pitcher", "vial",
)  # fmt: skip
"""Kinds and nouns of things whose discovery is an issue by itself; the nouns hold liquids."""
_SIGNIFICANT = frozenset(SIGNIFICANT_OBJECT_TYPES)
_IMPORTANCE = {
    "locked": 800,
    "stuck": 750,
    "barred": 700,
    "found": 600,
    "closed": 550,
    "dark": 800,
}
_SAID_OF_THINGS = {
    "locked": "locked {} at {} - find out how to unlock it",
    "stuck": "the {} at {} is stuck - find a tool for it",
    "closed": "closed {} at {} - look inside or beyond",
}
_BARRING = frozenset({"blocked", "locked", "closed"})
"""Reasons for which a way may be free another time."""
Trouble = Literal["found", "locked", "closed", "stuck", "dark", "barred"]
_MOST = 4
"""So much of each kind is put beside an issue."""


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
    if _SIGNIFICANT.isdisjoint((*obj.properties, obj.noun)) or obj.has("fixed"):
        return None
    content = f"{obj.name} found at {obj.location} - determine use"
    return _issue("found", content, turn, obj.location, obj.id)


def world_issues(world: World, map: Map) -> list[Issue]:
    """All that calls for attention now, the most important first, the latest before older ones."""
    found = [issue for thing in world.objects() for issue in _of_thing(world, thing)]
    found += [issue for id in map.data["rooms"] for issue in _of_room(map, id)]
    return sorted(found, key=lambda issue: (-issue.importance, -issue.turn_number))


def _of_thing(world: World, thing: GameObject) -> list[Issue]:
    turn, said = thing.last_seen_turn, _SAID_OF_THINGS.get(trouble := _trouble(world, thing))
    found = maybe_create_object_issue(thing, turn) if not (said or thing.taken) else None
    room = world.location_of(thing.id) if said or found else ""
    if not room:
        return []
    if said is None:
        return [found] if found else []
    content = said.format(thing.name, room)
    return [_issue(trouble, content, turn, room, thing.id)]


def _trouble(world: World, thing: GameObject) -> Trouble:
    if not thing.state and not thing.has("openable"):
        return "found"
    if thing.is_("locked") and not thing.is_("open"):
        return "locked"
    if thing.is_("open") or not (thing.has("openable") or thing.is_("open") is False):
        return "found"
    if world.needs_tool(thing):
        return "stuck"
    return "closed" if thing.is_("open") is False else "found"


def _of_room(map: Map, id: str) -> list[Issue]:
    dark, blocked = map.room(id).dark, map.blocked(id)
    if not (dark or blocked):
        return []
    place = f"{id} {map.title(id)}".strip()
    found = []
    if dark:
        content = f"{place} is dark - bring a light"
        found.append(_issue("dark", content, map.room(id).last_turn, id, ""))
    for way in blocked.values():
        if way.reason in _BARRING:
            content = f"the way {way.command} from {place} is {way.reason}: {way.error_message}"
            found.append(_issue("barred", content, way.turn, id, way.command))
    return found


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


class Matcher(Protocol):
    """Decides which things bear on an issue; an embedding model may take the place of words."""

    def __call__(self, issue: str, things: Sequence[GameObject]) -> list[GameObject]: ...


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
            "objects": format_objects(self.things) if self.things else "",
            "hypotheses": format_hypotheses(self.hypotheses) if self.hypotheses else "",
            "failed": format_failures(self.failures) if self.failures else "",
        }
        return "; ".join(f"{name}: {said}" for name, said in parts.items() if said)


def enriched(
    issues: Sequence[Issue], world: World, matcher: Matcher = by_keywords
) -> tuple[Enriched, ...]:
    """Issues with the objects, hypotheses and failed attempts that bear on them."""
    return tuple(
        Enriched(
            issue,
            tuple(matcher(issue.content, _at_hand(issue, world))[:_MOST]),
            tuple(_ideas(issue, world)[:_MOST]),
            tuple(_failures(issue, world)[-_MOST:]),
        )
        for issue in issues
    )


def _at_hand(issue: Issue, world: World) -> list[GameObject]:
    """What is where the trouble is, or can be brought there."""
    near = {INVENTORY, issue.location}
    placed = ((thing, world.location_of(thing.id)) for thing in world.objects())
    return [
        thing
        for thing, place in placed
        if place and (thing.portable or place in near or not issue.location)
    ]


def _failures(issue: Issue, world: World) -> list[FailedAction]:
    """What was tried in vain; of a trouble only where it is."""
    failures = world.get_failed_actions_matching(issue.content)
    return [one for one in failures if issue.kind == "found" or one.location == issue.location]


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
    (found,) = enriched([words], world_model, matcher)
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
    return ", ".join(f"{t.name} ({', '.join([t.location, *_states(t)])})" for t in things) or "none"


def _states(thing: GameObject) -> list[str]:
    words = {"open": ("open", "closed"), "locked": ("locked", "unlocked")}
    words |= {"lit": ("lit", "unlit"), "on": ("on", "off"), "worn": ("worn", "not worn")}
    return [words[key][0 if value else 1] for key, value in thing.state.items() if key in words]


def format_hypotheses(ideas: Sequence[Hypothesis]) -> str:
    """One line for some hypotheses, with what is known of their truth."""
    return "; ".join(_hypothesis(idea) for idea in ideas) or "none"


def _hypothesis(idea: Hypothesis) -> str:
    known = "disproven" if idea.disproven else f"{idea.confidence:.2f}"
    return f"{idea.id}: {idea.subject} {idea.predicate} {idea.object} ({known})"


def format_failures(failures: Sequence[FailedAction]) -> str:
    """One line for some failures: command, place and reason."""
    said = (f"`{f.command}` at {f.location} ({f.reason or 'refused'})" for f in failures)
    return "; ".join(said) or "none"
