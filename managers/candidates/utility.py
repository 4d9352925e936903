"""The one utility function: a product of named terms."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from types import MappingProxyType

from managers.candidates.prospect import Prospect
from managers.candidates.scene import Scene
from managers.dynamics import essence
from managers.text.lexicon import head_of

_DISTANCE_POWER = 0.8
_AFTER_FAILURE = 0.35
_HOPELESS = 0.01
_AFTER_CHANGE = 0.8
_AFTER_SUCCESS = 0.02
_HINTED = 1.6
_WEARINESS = 0.5
_NOISE = 0.35
_UNSEEN = 0.1
_PATIENCE = {
    "fight": 0.93,
    "escape": 0.93,
    "light": 0.9,
    "save": 0.8,
    "deposit": 0.9,
    "wait": 0.9,
    "look": 0.9,
    "inventory": 0.9,
    "retry": 0.9,
    "again": 0.8,
}
"""Kinds that may be done more than once, and how much less they are worth each time."""


def probability(scene: Scene, prospect: Prospect) -> float:
    """That the command works."""
    learned = scene.dynamics.probability(prospect.command, prospect.kind, prospect.noun)
    return min(1.0, learned * prospect.chance)


def worth(scene: Scene, prospect: Prospect) -> float:
    """Of a success, in points of score, with what it does for the objectives."""
    return scene.dynamics.worth(prospect.kind) * prospect.scale + scene.services.of(prospect).worth


def nearness(scene: Scene, prospect: Prospect) -> float:
    """Less for what is far away; nothing for what cannot be reached."""
    distance = scene.distances.get(prospect.room)
    return 0.0 if distance is None else float((distance + 1) ** -_DISTANCE_POWER)


def freshness(scene: Scene, prospect: Prospect) -> float:
    """Less for what was done before, hardly anything for what fails as things are."""
    tried = scene.dynamics.tried(prospect.scope, prospect.command)
    if prospect.kind in _PATIENCE:
        return float(_PATIENCE[prospect.kind] ** tried.times)
    if not tried.times:
        return 1.0
    if scene.is_hopeless(prospect.command, prospect.room):
        return _HOPELESS
    if tried.successes:
        return _AFTER_SUCCESS
    if scene.changed_since_failure(prospect.command, prospect.room):
        return _AFTER_CHANGE
    if scene.leads.changed(prospect.room) >= tried.turn:
        return _AFTER_CHANGE
    return float(_AFTER_FAILURE**tried.times)


def novelty(scene: Scene, prospect: Prospect) -> float:
    """Less for what earlier episodes tried there in vain."""
    if prospect.kind in _PATIENCE or prospect.kind == "remembered":
        return 1.0
    return scene.past.freshness(scene.guide.key(prospect.room), essence(prospect.command))


def salience(scene: Scene, prospect: Prospect) -> float:
    """More for what the game itself has spoken of in speech or writing."""
    hinted = prospect.noun and head_of(prospect.noun) in scene.leads.hints
    return _HINTED if hinted else 1.0


def liveliness(scene: Scene, prospect: Prospect) -> float:
    """Less for a room where much was done for nothing."""
    return float(scene.dynamics.richness(prospect.room) ** _WEARINESS)


def safety(scene: Scene, prospect: Prospect) -> float:
    """The chance to survive it."""
    return 1.0 - scene.dynamics.danger(prospect.room, prospect.command)


def visibility(scene: Scene, prospect: Prospect) -> float:
    """Little for what would have to be done in the dark."""
    if scene.lit or prospect.kind in ("escape", "light"):
        return 1.0
    return _UNSEEN if prospect.room in scene.dark_rooms else 1.0


def taste(scene: Scene, prospect: Prospect) -> float:
    """The agent's own leaning in this episode, so that seeds explore differently."""
    key = f"{scene.seed}/{prospect.room}/{prospect.command}".encode()
    return 1.0 + _NOISE * (zlib.crc32(key) / 0xFFFFFFFF - 0.5)


TERMS: Mapping[str, Callable[[Scene, Prospect], float]] = MappingProxyType(
    {
        "probability": probability,
        "worth": worth,
        "nearness": nearness,
        "freshness": freshness,
        "novelty": novelty,
        "salience": salience,
        "liveliness": liveliness,
        "safety": safety,
        "visibility": visibility,
        "taste": taste,
    }
)
"""Utility is their product."""


def bound(scene: Scene, prospect: Prospect) -> float:
    """The utility without freshness, which is at most 1 and dear to know."""
    product = 1.0
    for term in _CHEAP:
        product *= term(scene, prospect)
        if not product:
            break
    return product


_CHEAP = tuple(term for term in TERMS.values() if term is not freshness)
