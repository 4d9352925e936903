"""What the rooms elsewhere offer, valued room by room: little of it is near enough to come next.

What an offer is worth apart from the way there is computed again only when something has
changed that it depends on.
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import is_
from typing import Any, NamedTuple

from managers.candidates.prospect import Prospect
from managers.candidates.scene import Scene
from managers.candidates.utility import Utility
from managers.dynamics import usage_of

Key = tuple[object, ...]
"""Room, command and kind: prospects that share them are the same."""


class Offer(NamedTuple):
    """What a room offers to somebody who is elsewhere."""

    rows: list[list[Any]]
    """As they stand in the agenda, where they are replaced and never edited."""
    prospects: tuple[Prospect, ...]
    keys: frozenset[Key]
    kinds: tuple[str, ...]
    usages: tuple[str, ...]
    """The verbs with their nouns."""
    statistics: list[Any]
    """Of kinds and usages, as they were when this was valued; replaced and never edited, too."""
    own: list[float]
    """The parts of the utilities that do not hang on where one is."""
    most: float
    """The most that anything of it is worth, as if one were there."""


class Offers:
    """The offers of all rooms, kept from turn to turn: they hang on the knowledge alone."""

    def __init__(self) -> None:
        self._known: dict[str, Offer] = {}
        self._valued_for: tuple[Any, ...] = ()

    def elsewhere(self, scene: Scene, utility: Utility) -> Iterator[tuple[str, Offer | None]]:
        """The rooms of the agenda in its order; None for the present one."""
        same = self._is_valued_for(scene)
        for room, rows in scene.dynamics.data.get("agenda", {}).items():
            if room == scene.here:
                yield room, None
            elif rows:
                offer = self._known.get(room)
                if offer is None or offer.rows is not rows:
                    offer, valued = _made(rows), False
                else:
                    valued = same
                statistics = _statistics(scene, offer)
                if not (valued and all(map(is_, statistics, offer.statistics))):
                    own = [utility.own(one) for one in offer.prospects]
                    most = max(map(utility.there, offer.prospects, own))
                    offer = offer._replace(statistics=statistics, own=own, most=most)
                    self._known[room] = offer
                yield room, offer

    def _is_valued_for(self, scene: Scene) -> bool:
        """The offers were valued by somebody who looked at them as in this scene."""
        looks = (
            scene.stance,
            scene.services.key,
            scene.hints,
            scene.revelations,
            scene.dynamics.data["harm"],
        )
        same = looks == self._valued_for and not scene.unlit and not scene.stance.past
        self._valued_for = looks
        return same


def _made(rows: list[list[Any]]) -> Offer:
    prospects = tuple(map(Prospect._make, rows))
    return Offer(
        rows,
        prospects,
        frozenset(one[:3] for one in prospects),
        tuple(dict.fromkeys(one.kind for one in prospects)),
        tuple(dict.fromkeys(usage_of(one.command, one.noun)[1] for one in prospects)),
        [],
        [],
        0.0,
    )


def _statistics(scene: Scene, offer: Offer) -> list[Any]:
    data = scene.dynamics.data
    lately = data.get("lately", {})
    return [
        *map(data["kinds"].get, offer.kinds),
        *map(lately.get, offer.kinds),
        *map(data["nouns"].get, offer.usages),
    ]
