"""From prospects to the ranked candidates of a turn, and what is left undone in a room."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from heapq import heapify, heappop, heappush
from itertools import chain, islice

from managers.affordances import affordances
from managers.candidates import (
    chains,
    errands,
    fights,
    hauling,
    moves,
    needs,
    offered,
    suggested,
    things,
)  # fmt: skip
from managers.candidates.candidate import RETRACED, Candidate
from managers.candidates.offers import Key, Offer, Offers
from managers.candidates.prospect import Prospect
from managers.candidates.remembered import remembered, unasked
from managers.candidates.scene import Scene
from managers.candidates.stance import PLAIN, Stance
from managers.candidates.utility import Utility, probability
from managers.knowledge import Knowledge
from managers.objectives import Objective

Generator = Callable[[Scene], Iterator[Prospect]]

HERE: tuple[Generator, ...] = (
    things.takeable,
    things.single,
    things.pairs,
    suggested.cued,
    suggested.overcome,
    unasked,
)
"""What a room offers; remembered as its agenda when the agent leaves."""
ANYWHERE: tuple[Generator, ...] = (
    moves.unexplored,
    moves.opened,
    moves.refused,
    suggested.supposed,
    errands.descents,
    errands.armament,
    needs.light,
    needs.retreat,
    needs.surface,
    needs.darken,
    fights.fight,
    fights.flight,
    needs.wanted,
    needs.asked,
    needs.answers,
    hauling.treasures,
    hauling.burden,
    hauling.squeeze,
    needs.resync,
    needs.standing,
    needs.lost,
    remembered,
    offered.validated,
)
"""What the situation offers, wherever it is."""

_LEFT_UNDONE = 4
"""How many prospects of a room are remembered when the agent is elsewhere."""
_LEAST = 0.02
_ALIKE = 3
_TOGETHER, _BOUND, _EXACT = range(3)
"""How well the utility of what waits is known."""


def agenda(scene: Scene) -> list[Prospect]:
    """Everything the present room offers."""
    return list(_distinct(chain.from_iterable(generate(scene) for generate in HERE)))


def left_undone(scene: Scene) -> list[Prospect]:
    """The best of what the present room still offers, for when the agent leaves it."""
    best = islice(_best_first(Utility(scene), scene.left_undone), _LEFT_UNDONE)
    return [prospect for value, prospect in best if value > _LEAST]


def rank(
    knowledge: Knowledge,
    objectives: Sequence[Objective] = (),
    stance: Stance = PLAIN,
    *,
    limit: int = 12,
) -> tuple[Candidate, ...]:
    """The best actions now, the best first; one that is far away starts with its route."""
    scene = Scene.of(knowledge, objectives, stance)
    again = scene.guide.next_in_line
    if again:
        return (_retraced(scene, again),)
    utility, offers = Utility(scene), scene.kept.setdefault("offers", Offers())
    ranked = _best_first(utility, _considered(scene, utility, offers))
    return tuple(_varied((_candidate(scene, *entry) for entry in ranked), limit))


def _considered(scene: Scene, utility: Utility, offers: Offers) -> list[Prospect | Offer]:
    """All that could be done, nothing twice; what a room elsewhere offers is taken together."""
    seen: set[Key] = set()
    found: list[Prospect | Offer] = [*_distinct(chains.planned(scene), seen)]
    together: dict[str, frozenset[Key]] = {}
    for room, offer in offers.elsewhere(scene, utility):
        if offer is None:
            found += _distinct(scene.left_undone, seen)
        elif seen.isdisjoint(offer.keys):
            found.append(offer)
            together[room] = offer.keys
        else:
            found += _distinct(offer.prospects, seen)
    anywhere = chain.from_iterable(generate(scene) for generate in ANYWHERE)
    others = (one for one in anywhere if one[:3] not in together.get(one.room, ()))
    return [*found, *_distinct(others, seen)]


def _varied(candidates: Iterator[Candidate], limit: int) -> Iterator[Candidate]:
    """The first ones, without more of the same first command than a choice needs."""
    counts: Counter[str] = Counter()
    for candidate in candidates:
        counts[candidate.command] += 1
        if counts[candidate.command] <= _ALIKE:
            yield candidate
            limit -= 1
        if not limit:
            return


def _distinct(prospects: Iterable[Prospect], seen: set[Key] | None = None) -> Iterator[Prospect]:
    seen = set() if seen is None else seen
    for prospect in prospects:
        key = prospect[:3]  # room, command, kind
        if key not in seen:
            seen.add(key)
            yield prospect


def _best_first(
    utility: Utility, considered: Sequence[Prospect | Offer]
) -> Iterator[tuple[float, Prospect]]:
    """Prospects by falling utility.

    The dearest term is at most 1 and asked only of those that could come next: a prospect
    waits in the heap with its bound until it is the first, then with its utility; what is
    taken together waits with the most that any of it could be.
    """
    heap: list[tuple[float, int, int, Prospect | Offer]] = []
    number = 0
    for one in considered:
        if isinstance(one, Offer):
            heap.append((-utility.reach(one.prospects[0], one.most), number, _TOGETHER, one))
            number += len(one.prospects)
        else:
            heap.append((-utility.bound(one), number, _BOUND, one))
            number += 1
    heapify(heap)
    while heap:
        negative, number, step, one = heappop(heap)
        if isinstance(one, Offer):
            for at, prospect in enumerate(one.prospects):
                bound = utility.standing(prospect) * one.own[at]
                heappush(heap, (-bound, number + at, _BOUND, prospect))
        elif step == _EXACT:
            yield -negative, one
        elif negative:
            heappush(heap, (negative * utility.fresh(one), number, _EXACT, one))


def _retraced(scene: Scene, command: str) -> Candidate:
    purpose = "as in an earlier episode, word for word"
    return Candidate(
        command=command, kind=RETRACED, purpose=purpose, probability=1.0, utility=1.0,
        route=(command,), room=scene.here,
    )  # fmt: skip


def _candidate(scene: Scene, value: float, prospect: Prospect) -> Candidate:
    route = (*scene.routes.to(prospect.room), prospect.command)
    title = scene.map.title(prospect.room)
    purpose = prospect.purpose or affordances().kinds[prospect.kind].purpose
    return Candidate(
        command=route[0],
        kind=prospect.kind,
        purpose=f"{prospect.command} in {prospect.room} {title}: {purpose}",
        probability=round(probability(scene, prospect), 3),
        utility=round(value, 3),
        route=route,
        room=prospect.room,
        objective=scene.services.of(prospect).objective,
    )
