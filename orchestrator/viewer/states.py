"""What a kept state tells: things, rooms, and how far an oracle is trusted.

A run that broke off in its opening, and a graph without a learner, have nothing of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from managers.belief.beta import Beta
from managers.belief.reliability import KINDS, OracleReliability
from managers.world.attempts import Attempts
from managers.world.map import Map
from managers.world.view import World

State = Mapping[str, Any]
"""A state as it stands in a checkpoint."""


class TrustInterval(NamedTuple):
    """How far one kind of an oracle's answers holds, with its 95 % interval."""

    kind: str
    judged: int
    good: int
    mean: float
    low: float
    high: float


class Idea(NamedTuple):
    """A hypothesis."""

    id: str
    text: str
    confidence: float
    tested: bool
    disproven: bool
    evidence: tuple[str, ...]


def world_of(state: State) -> World:
    """The things that are known."""
    return World(state.get("world"), Attempts(state.get("attempts")))


def rooms_of(state: State) -> Map:
    """The rooms that are known."""
    return Map(state.get("map"), Attempts(state.get("attempts")))


def learned_in(state: State) -> dict[str, Any]:
    """What is carried, how far an oracle is trusted, and what is supposed."""
    world, record = world_of(state), OracleReliability(state.get("reliability"))
    return {
        "carried": [thing.name for thing in world.inventory()],
        "reliability": [_trust(record, kind) for kind in KINDS],
        "hypotheses": [
            Idea(
                one.id,
                f"{_name(world, one.subject)} {one.predicate} {_name(world, one.object)}",
                one.confidence,
                one.tested,
                one.disproven,
                one.evidence,
            )
            for one in world.hypotheses()
        ],
    }


def _name(world: World, id: str) -> str:
    thing = world.get(id)
    return thing.name if thing else id


def _trust(record: OracleReliability, kind: Any) -> TrustInterval:
    judged, known = record.record(kind), record.posterior(kind)
    return TrustInterval(kind, judged.judged, judged.right, known.mean, *_interval(known))


@lru_cache(maxsize=64)
def _interval(known: Beta) -> tuple[float, float]:
    """It is the same as long as nothing is judged, and takes longer than all the rest."""
    return known.interval()
