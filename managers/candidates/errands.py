"""Prospects of bringing together what is known to be in different places."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from managers.affordances import affordances
from managers.candidates.prospect import Prospect
from managers.candidates.scene import Scene
from managers.text.lexicon import head_of

_USEFUL = 2.0
"""How much more than usual it is worth to have what there is a use for."""
_DROP = re.compile(r"\b(?:below|precipi\w+|drop|chasm|abyss|shaft|pit|well|ledge|cliff)\b", re.I)


def descents(scene: Scene) -> Iterator[Prospect]:
    """A rope for a place with a drop and something to tie it to, wherever both are."""
    ropes = [thing for thing in scene.held if "rope-like" in thing.classes]
    for room, anchor in _drops(scene):
        if ropes:
            command = f"tie {scene.called(ropes[0])} to {anchor}"
            yield Prospect(room, command, "descend", anchor)
        else:
            yield from _fetched(scene, "rope-like", f"tie it to the {anchor} in {room}")


def armament(scene: Scene) -> Iterator[Prospect]:
    """A weapon against whoever bars the way, for somebody who has none."""
    barring = [foe for foe in scene.lairs.values() if foe.noun in scene.barring]
    if barring and not any("weapon" in thing.classes for thing in scene.held):
        yield from _fetched(scene, "weapon", f"get past the {barring[0].noun}")


def _fetched(scene: Scene, kind: str, use: str) -> Iterator[Prospect]:
    """What is needed, where it was seen last."""
    shut = {room for room, _ in scene.leads.narrow} if scene.treasures else set()
    for thing in scene.world.objects():
        place = scene.world.location_of(thing.id)
        reached = place in scene.distances and place not in shut
        if kind in thing.classes and thing.portable and reached:
            command = f"take {thing.noun}"
            yield Prospect(place, command, "fetch", thing.noun, scale=_USEFUL, purpose=use)


def _drops(scene: Scene) -> Iterator[tuple[str, str]]:
    """Room and noun of what a rope could be tied to above a drop."""
    for room in scene.distances:
        if _tells_of_drop(scene.map.data["rooms"][room]["text"]):
            names = scene.world.scenery(room)
            anchors = [name for name in names if "anchor" in affordances().classes(name)]
            if anchors and not scene.leads.opened.get(room):
                yield room, head_of(anchors[0])


@lru_cache(maxsize=2048)
def _tells_of_drop(text: str) -> bool:
    return bool(_DROP.search(text))
