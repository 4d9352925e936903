"""From prospects to the ranked candidates of a turn, and what is left undone in a room."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain

from managers.affordances import affordances
from managers.candidates import moves, needs, things
from managers.candidates.candidate import Candidate
from managers.candidates.prospect import Prospect
from managers.candidates.scene import Scene
from managers.candidates.utility import probability, utility
from managers.knowledge import Knowledge
from managers.objectives import Objective

Generator = Callable[[Scene], Iterator[Prospect]]

HERE: tuple[Generator, ...] = (things.takeable, things.single, things.pairs)
"""What a room offers; remembered as its agenda when the agent leaves."""
ANYWHERE: tuple[Generator, ...] = (
    moves.unexplored,
    moves.refused,
    things.locks,
    needs.light,
    needs.fight,
    needs.asked,
    needs.answers,
    needs.treasures,
    needs.burden,
    needs.standing,
    needs.lost,
)
"""What the situation offers, wherever it is."""

LEFT_UNDONE = 4
"""How many prospects of a room are remembered when the agent is elsewhere."""
_LEAST = 0.02
_ALIKE = 3


def agenda(scene: Scene) -> list[Prospect]:
    """Everything the present room offers, best first."""
    offered = _distinct(chain.from_iterable(generate(scene) for generate in HERE))
    return [prospect for _, _, prospect in _ranked(scene, offered)]


def rank(
    knowledge: Knowledge,
    objectives: Sequence[Objective] = (),
    *,
    seed: int = 0,
    limit: int = 12,
) -> tuple[Candidate, ...]:
    """The best actions now, the best first; one that is far away starts with its route."""
    scene = Scene.of(knowledge, objectives, seed)
    prospects = chain(
        scene.left_undone, chain.from_iterable(generate(scene) for generate in ANYWHERE)
    )
    ranked = sorted(_scored(scene, _distinct(prospects)))
    return tuple(_varied((_candidate(scene, -entry[0], entry[2]) for entry in ranked), limit))


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


def _distinct(prospects: Iterable[Prospect]) -> Iterator[Prospect]:
    seen: set[tuple[str, str, str]] = set()
    for prospect in prospects:
        key = (prospect.room, prospect.command, prospect.kind)
        if key not in seen:
            seen.add(key)
            yield prospect


def _scored(scene: Scene, prospects: Iterable[Prospect]) -> Iterator[tuple[float, int, Prospect]]:
    for number, prospect in enumerate(prospects):
        value = utility(scene, prospect)
        if value > 0:
            yield -value, number, prospect


def _ranked(scene: Scene, prospects: Iterable[Prospect]) -> list[tuple[float, int, Prospect]]:
    return sorted(entry for entry in _scored(scene, prospects) if -entry[0] > _LEAST)


def _candidate(scene: Scene, value: float, prospect: Prospect) -> Candidate:
    route = (*scene.routes.to(prospect.room), prospect.command)
    title = scene.map.room(prospect.room).title if prospect.room else ""
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
