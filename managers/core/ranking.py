"""From drafts to the ranked options of a turn, and what every room still offers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from operator import itemgetter
from typing import NamedTuple

from managers.core.option import Draft, Option
from managers.core.scene import Scene
from managers.core.value import Valuation, probability
from managers.language.actions import table
from managers.world.knowledge import FrontierData

_LEFT = 2
"""How many drafts of a room are remembered when the agent is elsewhere."""
_LEAST = 0.002
"""What is worth less is not remembered."""
_GUESSED = frozenset({"probe", "wander", "tinker", "unusual"})
"""Kinds that nobody needs where the emulator tells what works."""
_ALIKE = 3
"""How many options may begin with the same command."""

Valued = tuple[float, Draft]


class Ranked(NamedTuple):
    """What the planner makes of a turn."""

    options: tuple[Option, ...]
    """The best first; one that is far away starts with its route."""
    frontier: FrontierData


def rank(scene: Scene, *, limit: int = 12) -> Ranked:
    """The best options now, and what every room still offers."""
    made = scene.skills.offers(scene)
    lasting = (draft for draft in made if draft.lasting)
    here = [draft for draft in _distinct(lasting) if scene.is_possible(draft)]
    value = Valuation(scene)
    frontier = _frontier(scene, value, here)
    elsewhere = chain.from_iterable(rows for room, rows in frontier.items() if room != scene.here)
    # What is the next step of a plan is that, whoever else offers the same.
    steps = (draft for draft in made if draft.objective)
    others = (draft for draft in made if not (draft.lasting or draft.objective))
    wanted = (one for one in others if not scene.offered or one.kind not in _GUESSED)
    reached = {scene.here, *scene.distances}
    found = _distinct(chain(steps, here, map(Draft.of, elsewhere), wanted))
    drafts = (draft for draft in found if draft.room in reached)
    best = islice(_varied(scene, _best(value, drafts)), limit)
    return Ranked(tuple(_option(scene, value, *one) for one in best), frontier)


def _frontier(scene: Scene, value: Valuation, here: Sequence[Draft]) -> FrontierData:
    """What every room still offers; of a room just left only the best is kept."""
    known = scene.map.data["rooms"]
    frontier = {room: rows for room, rows in scene.knowledge.frontier.items() if room in known}
    for room, rows in [*frontier.items()]:
        if room != scene.here and len(rows) > _LEFT:
            best = _best(value, map(Draft.of, rows))[:_LEFT]
            frontier[room] = [draft.row for worth, draft in best if worth > _LEAST]
    if scene.here:
        frontier[scene.here] = [draft.row for draft in here]
    return frontier


def _distinct(drafts: Iterable[Draft]) -> Iterable[Draft]:
    """The first of those that share room, command and kind."""
    first: dict[tuple[str, str, str], Draft] = {}
    for draft in drafts:
        first.setdefault(draft[:3], draft)
    return first.values()


def _best(value: Valuation, drafts: Iterable[Draft]) -> list[Valued]:
    """Those that are worth anything, the best first; a command in a room only for its best aim."""
    valued = [(value.of(draft), draft) for draft in drafts]
    best, worth = dict[tuple[str, str], Valued](), itemgetter(0)
    for one in sorted(filter(worth, valued), key=worth, reverse=True):
        best.setdefault(one[1][:2], one)
    return [*best.values()]


def _varied(scene: Scene, best: Sequence[Valued]) -> Iterator[Valued]:
    """Those that do not begin with a command with which enough better ones do already."""
    counts: Counter[str] = Counter()
    for worth, draft in best:
        first = scene.routes.first(draft.room) or draft.command
        counts[first] += 1
        if counts[first] <= _ALIKE:
            yield worth, draft


def _option(scene: Scene, value: Valuation, worth: float, draft: Draft) -> Option:
    route, objective = (*scene.routes.to(draft.room), draft.command), scene.served(draft)
    purpose = draft.purpose or table().kinds[draft.kind].purpose
    return Option(
        command=route[0],
        kind=draft.kind,
        purpose=f"{draft.command} in {scene.map.label(draft.room)}: {purpose}",
        probability=round(probability(scene, draft), 3),
        value=round(worth, 6),
        terms=value.explain(draft),
        route=route,
        room=draft.room,
        objective=objective.id if objective else None,
    )
