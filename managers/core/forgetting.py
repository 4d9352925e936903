"""What is forgotten where a story names more than a mind holds: what was seen least recently goes.

Hypotheses, facts, failed actions, notes and scenery have bounds where they are kept.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TypeVar

from managers.world.facts import FactsData
from managers.world.knowledge import Knowledge
from managers.world.mapping import MapData
from managers.world.objects import INVENTORY, UNKNOWN, ThingRow, WorldData

V = TypeVar("V")
MOST_THINGS = 200
"""So many things are known at once; what is carried goes last."""
MOST_ROOMS = 400
"""So many rooms are on the map."""


def bounded(known: Knowledge) -> Knowledge:
    """What is known, without the things and rooms that are more than are kept."""
    things, rooms = _spare_things(known.world), _spare_rooms(known.map)
    return Knowledge(
        _world(known.world, things, rooms),
        _map(known.map, rooms),
        _without(known.attempts, rooms),
        _facts(known.facts, rooms),
        {**known.rates, "places": _without(known.rates["places"], rooms)},
        _without(known.frontier, rooms),
        known.memory,
    )


def _spare_things(world: WorldData) -> frozenset[str]:
    rows = world["objects"]
    oldest = sorted(rows, key=lambda id: (rows[id]["at"] == INVENTORY, rows[id]["seen"]))
    return frozenset(oldest[: max(0, len(rows) - MOST_THINGS)])


def _spare_rooms(map_: MapData) -> frozenset[str]:
    rooms, near = map_["rooms"], {map_["here"], *map_["came"][:1], *map_["twin"]}
    oldest = sorted(rooms.keys() - near, key=lambda id: (rooms[id]["last"], int(id[1:])))
    return frozenset(oldest[: max(0, len(rooms) - MOST_ROOMS)])


def _world(world: WorldData, things: Collection[str], rooms: Collection[str]) -> WorldData:
    gone = frozenset([*things, *rooms])
    objects: dict[str, ThingRow] = {
        id: {**row, "at": UNKNOWN} if row["at"] in gone else row
        for id, row in world["objects"].items()
        if id not in things
    }
    return {
        **world,
        "objects": objects,
        "scenery": _without(world["scenery"], rooms),
        "hypotheses": {
            id: row for id, row in world["hypotheses"].items() if gone.isdisjoint((row[0], row[2]))
        },
        "links": _kept(world["links"], gone),
        "deeds": _kept(world["deeds"], gone),
    }


def _map(map_: MapData, rooms: Collection[str]) -> MapData:
    edges = {
        id: {way: edge for way, edge in ways.items() if edge[0] not in rooms}
        for id, ways in _without(map_["edges"], rooms).items()
    }
    return {**map_, "rooms": _without(map_["rooms"], rooms), "edges": edges}


def _facts(facts: FactsData, rooms: Collection[str]) -> FactsData:
    return {kind: [row for row in rows if row[1] not in rooms] for kind, rows in facts.items()}


def _kept(needs: dict[str, list[str]], gone: Collection[str]) -> dict[str, list[str]]:
    """What needed what, without what is no longer known."""
    left = {id: [one for one in ids if one not in gone] for id, ids in needs.items()}
    return {id: ids for id, ids in left.items() if ids and id not in gone}


def _without(rows: dict[str, V], gone: Collection[str]) -> dict[str, V]:
    return {key: row for key, row in rows.items() if key not in gone}
