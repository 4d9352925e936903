"""What is worth arguing for: something new, what one is after, what calls for attention."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from environments.game import Value
from managers.planning.enrichment import Enriched
from managers.planning.objectives import Objective

NEW_GROUND = "something new: a way that nobody has gone, a thing that nobody has looked at"


class Cause(Value):
    """Something that an advocate may argue for."""

    kind: Literal["exploration", "objective", "issue"]
    text: str
    about: str = ""
    """The id of the objective; what is known that bears on an issue."""


def causes(objectives: Sequence[Objective], issues: Sequence[Enriched]) -> list[Cause]:
    """Exploration first, then the active objectives and the troubles, the most important first."""
    return [Cause(kind="exploration", text=NEW_GROUND), *_wanted(objectives), *_open(issues)]


def _wanted(objectives: Sequence[Objective]) -> Iterator[Cause]:
    active = (one for one in objectives if one.status == "active")
    for one in sorted(active, key=lambda one: -one.priority):
        yield Cause(kind="objective", text=one.text, about=one.id)


def _open(issues: Sequence[Enriched]) -> Iterator[Cause]:
    """What was merely found is no trouble."""
    for one in issues:
        if one.issue.kind != "found":
            yield Cause(kind="issue", text=one.issue.content, about=one.context)
