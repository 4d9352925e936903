"""What is known that bears on an issue, put beside it unasked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from managers.text.lexicon import words_of
from managers.world.objects import GameObject
from managers.world.tagging import trouble_words

if TYPE_CHECKING:
    from managers.world.failures import FailedAction
    from managers.world.hypotheses import Hypothesis
    from managers.world.view import WorldModel

_MOST = 8


class Matcher(Protocol):
    """Decides which things bear on an issue; an embedding model may take the place of words."""

    def __call__(self, issue: str, things: Sequence[GameObject]) -> list[GameObject]: ...


def by_keywords(issue: str, things: Sequence[GameObject]) -> list[GameObject]:
    """Things whose kind helps against a word of the issue, and things it names."""
    words = set(words_of(issue))
    kinds = [kind for kind, troubles in trouble_words().items() if words.intersection(troubles)]
    helpful = [thing for thing in things if any(map(thing.has, kinds)) or _solves(thing, words)]
    named = [thing for thing in things if thing.noun in words and thing not in helpful]
    return [*helpful, *named]


def _solves(thing: GameObject, words: set[str]) -> bool:
    stems = [pattern.rstrip("*") for pattern in thing.might_solve]
    return any(word.startswith(stem) for word in words for stem in stems)


def enrich_issue_context(
    issue: str, world_model: WorldModel, matcher: Matcher = by_keywords
) -> str:
    """Objects, hypotheses and failed attempts that bear on an issue, as text for a prompt."""
    reachable = [t for t in world_model.objects() if world_model.location_of(t.id)]
    things = matcher(issue, reachable)[:_MOST]
    ideas = world_model.get_hypotheses_matching(issue)[:_MOST]
    failures = world_model.get_failed_actions_matching(issue)[:_MOST]
    return "\n".join(
        [
            "POTENTIALLY RELEVANT (auto-retrieved):",
            f"Objects: {format_objects(things)}",
            f"Hypotheses: {format_hypotheses(ideas)}",
            f"Failed attempts: {format_failures(failures)}",
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
