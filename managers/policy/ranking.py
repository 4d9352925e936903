"""From drafts to the ranked options of a turn, and what every room still offers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import NamedTuple

from managers.knowledge import FrontierData
from managers.language.actions import table
from managers.policy import needs, planned, remembered, text, things, ways
from managers.policy.option import Draft, Option
from managers.policy.scene import Scene
from managers.policy.value import Valuation, probability, served

Maker = Callable[[Scene], Iterator[Draft]]

HERE: tuple[Maker, ...] = (
    needs.validated,
    things.takeable,
    things.single,
    things.pairs,
    text.cued,
    text.overcome,
    things.brought_to_light,
)
"""What a room offers; the best of it is remembered when the agent leaves."""
ANYWHERE: tuple[Maker, ...] = (
    ways.unexplored,
    ways.opened,
    ways.refused,
    ways.hidden,
    planned.tests,
    needs.light,
    needs.fight,
    needs.flight,
    text.ordered,
    text.wanted,
    text.asked,
    text.answers,
    text.unusual,
    needs.treasures,
    needs.squeeze,
    needs.make_room,
    things.tinker,
    needs.confined,
    needs.standing,
    remembered.remembered,
)
"""What the situation offers, wherever it is."""

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
    made = chain.from_iterable(make(scene) for make in HERE)
    here = [draft for draft in _distinct(made) if scene.is_possible(draft)]
    value = Valuation(scene)
    frontier = _frontier(scene, value, here)
    elsewhere = chain.from_iterable(rows for room, rows in frontier.items() if room != scene.here)
    made = chain.from_iterable(make(scene) for make in ANYWHERE)
    wanted = (one for one in made if not scene.offered or one.kind not in _GUESSED)
    steps = planned.next_steps(scene)
    drafts = _distinct(chain(steps, here, map(Draft._make, elsewhere), wanted))
    best = islice(_varied(scene, _best(value, drafts)), limit)
    return Ranked(tuple(_option(scene, value, *one) for one in best), frontier)


def _frontier(scene: Scene, value: Valuation, here: Sequence[Draft]) -> FrontierData:
    """What every room still offers; of a room just left only the best is kept."""
    frontier = dict(scene.knowledge.frontier)
    for room, rows in scene.knowledge.frontier.items():
        if room != scene.here and len(rows) > _LEFT:
            best = _best(value, map(Draft._make, rows))[:_LEFT]
            frontier[room] = [list(draft) for worth, draft in best if worth > _LEAST]
    if scene.here:
        frontier[scene.here] = [list(draft) for draft in here]
    return frontier


def _distinct(drafts: Iterable[Draft]) -> Iterable[Draft]:
    """The first of those that share room, command and kind."""
    first: dict[tuple[str, str, str], Draft] = {}
    for draft in drafts:
        first.setdefault(draft[:3], draft)
    return first.values()


def _best(value: Valuation, drafts: Iterable[Draft]) -> list[Valued]:
    """Those that are worth anything, the best first."""
    valued = ((value.of(draft), draft) for draft in drafts)
    return sorted((one for one in valued if one[0]), key=lambda one: -one[0])


def _varied(scene: Scene, best: Sequence[Valued]) -> Iterator[Valued]:
    """Those that do not begin with a command with which enough better ones do already."""
    counts: Counter[str] = Counter()
    for worth, draft in best:
        first = scene.routes.first(draft.room) or draft.command
        counts[first] += 1
        if counts[first] <= _ALIKE:
            yield worth, draft


def _option(scene: Scene, value: Valuation, worth: float, draft: Draft) -> Option:
    route, objective = (*scene.routes.to(draft.room), draft.command), served(scene, draft)
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
