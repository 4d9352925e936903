"""From drafts to the ranked options of a turn, and what every room still offers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from heapq import heapify, heappop, heappush
from itertools import chain, islice
from typing import NamedTuple

from managers.knowledge import FrontierData
from managers.language.actions import table
from managers.policy import carrying, fights, needs, orders, planned, remembered, text, things, ways
from managers.policy.option import Draft, Option
from managers.policy.scene import Scene
from managers.policy.value import Valuation, probability

Maker = Callable[[Scene], Iterator[Draft]]

HERE: tuple[Maker, ...] = (
    needs.validated,
    things.takeable,
    things.single,
    things.pairs,
    text.cued,
    text.overcome,
    remembered.brought_to_light,
)
"""What a room offers; the best of it is remembered when the agent leaves."""
ANYWHERE: tuple[Maker, ...] = (
    planned.next_steps,
    ways.unexplored,
    ways.opened,
    ways.refused,
    planned.tests,
    needs.light,
    needs.retreat,
    needs.surface,
    fights.fight,
    fights.flight,
    orders.ordered,
    text.wanted,
    text.asked,
    text.answers,
    text.unusual,
    carrying.treasures,
    carrying.burden,
    carrying.squeeze,
    things.tinker,
    needs.standing,
    needs.lost,
    remembered.remembered,
)
"""What the situation offers, wherever it is."""

_LEFT = 4
"""How many drafts of a room are remembered when the agent is elsewhere."""
_LEAST = 0.02
_ALIKE = 3
"""How many options may begin with the same command."""

Valued = tuple[float, Draft]
Key = tuple[str, str, str]
"""Room, command and kind: drafts that share them are the same."""


class Ranked(NamedTuple):
    """What the planner makes of a turn."""

    options: tuple[Option, ...]
    """The best first; one that is far away starts with its route."""
    frontier: FrontierData


def rank(scene: Scene, *, limit: int = 12) -> Ranked:
    """The best options now, and what every room still offers."""
    made = chain.from_iterable(make(scene) for make in HERE)
    here = [draft for draft in _distinct(made) if scene.is_possible(draft)]
    frontier = _frontier(scene, here)
    value = Valuation(scene)
    drafts = list(_distinct(_all(scene, here, frontier)))
    best = islice(_varied(scene, value, drafts), limit)
    return Ranked(tuple(_option(scene, value, *one) for one in best), frontier)


def _all(scene: Scene, here: list[Draft], frontier: FrontierData) -> Iterator[Draft]:
    yield from planned.next_steps(scene)
    yield from here
    for room, rows in frontier.items():
        if room != scene.here:
            yield from map(Draft._make, rows)
    for make in ANYWHERE[1:]:
        yield from make(scene)


def _frontier(scene: Scene, here: Sequence[Draft]) -> FrontierData:
    """What every room still offers; of a room just left only the best is kept."""
    frontier = dict(scene.frontier)
    for room, rows in scene.frontier.items():
        if room != scene.here and len(rows) > _LEFT:
            drafts = map(Draft._make, rows)
            best = islice(_best_first(Valuation(scene), drafts), _LEFT)
            frontier[room] = [list(draft) for worth, draft in best if worth > _LEAST / 10]
    if scene.here:
        frontier[scene.here] = [list(draft) for draft in here]
    return frontier


def draft_of(scene: Scene, command: str) -> Draft | None:
    """The draft that a command stands for among those of its room."""
    return next((one for one in scene.drafts_at(scene.here) if one.command == command), None)


def _varied(scene: Scene, value: Valuation, drafts: Iterable[Draft]) -> Iterator[Valued]:
    """The best first, none that begins with a command with which enough others do already."""
    counts: Counter[str] = Counter()

    def is_wanted(draft: Draft) -> bool:
        return counts[_way(scene, draft)[0]] < _ALIKE

    for worth, draft in _best_first(value, drafts, is_wanted):
        counts[_way(scene, draft)[0]] += 1
        yield worth, draft


def _distinct(drafts: Iterable[Draft]) -> Iterator[Draft]:
    seen: set[Key] = set()
    for draft in drafts:
        key = draft[:3]
        if key not in seen:
            seen.add(key)
            yield draft


def _best_first(
    value: Valuation, drafts: Iterable[Draft], is_wanted: Callable[[Draft], bool] = lambda _: True
) -> Iterator[Valued]:
    """The drafts that are wanted when their turn comes, by falling value.

    The dearest term is at most 1 and asked only of those that could come next: a draft waits
    in the heap with its bound until it is the first, then with its value.
    """
    heap = [(-value.bound(draft), number, False, draft) for number, draft in enumerate(drafts)]
    heapify(heap)
    while heap:
        negative, number, exact, draft = heappop(heap)
        if not is_wanted(draft):
            continue
        if exact:
            yield -negative, draft
        elif negative:
            heappush(heap, (negative * value.repeated(draft), number, True, draft))


def _way(scene: Scene, draft: Draft) -> tuple[str, ...]:
    """The commands to where it is done, and the one that does it."""
    return (*scene.routes.to(draft.room), draft.command)


def _option(scene: Scene, value: Valuation, worth: float, draft: Draft) -> Option:
    route = _way(scene, draft)
    purpose = draft.purpose or table().kinds[draft.kind].purpose
    return Option(
        command=route[0],
        kind=draft.kind,
        purpose=f"{draft.command} in {draft.room} {scene.map.title(draft.room)}: {purpose}",
        probability=round(probability(scene, draft), 3),
        value=round(worth, 3),
        terms=value.explain(draft),
        route=route,
        room=draft.room,
        objective=scene.services.of(draft).objective,
    )
